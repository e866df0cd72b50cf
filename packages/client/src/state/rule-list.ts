import type { Rule } from '@filewright/protocol'
import type { Damage } from './damage.ts'

/** The rules that a person made for a workspace. */
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
  /** In the order they were made. */
  readonly rules: readonly Rule[]
  /** A lost line may have been anything: a rule, or the revocation of one. */
  readonly damage: Damage | undefined
}
