import type { Rule } from '@filewright/protocol'
import type { Damage } from './damage.ts'

/** A person's rules for a workspace. */
export interface RuleList {
  load(): Promise<LoadedRules>
  /** Durable on return. */
  add(rule: Rule): Promise<void>
  /** Durable on return. */
  remove(id: string): Promise<void>
  /** Replaces all rules; a crash leaves the old ones or the new ones. */
  replace(rules: readonly Rule[]): Promise<void>
}

export interface LoadedRules {
  /** Oldest first. */
  readonly rules: readonly Rule[]
  /** A lost line may have added a rule or removed one. */
  readonly damage: Damage | undefined
}
