import type { RunId } from '@filewright/protocol'
import type { LoopLimits } from '../port/loop-limits.ts'
import type { LoopPort } from '../port/loop-port.ts'
import type { PromptCache } from '../prompt/prompt-cache.ts'
import type { CallProgress } from '../state/loop-state.ts'
import type { Memory } from '../state/memory.ts'
import type { KnownFacts } from './model-facts.ts'

export type RunOutcome =
  | {
      readonly type: 'ended'
      readonly runId: RunId
      readonly reason: 'final' | 'cancelled' | 'limit' | 'failed'
      readonly closing: string
      readonly message?: string
    }
  | { readonly type: 'waiting'; readonly calls: readonly CallProgress[]; readonly closing: string }
  /** No run was under way. */
  | { readonly type: 'idle' }
  /** A row could not be appended: another instance goes on. */
  | { readonly type: 'lost'; readonly cause: unknown }

/** What the steps of a loop work with. */
export interface LoopContext {
  readonly port: LoopPort
  readonly limits: LoopLimits
  readonly memory: Memory
  readonly prompts: PromptCache
  readonly facts: KnownFacts
  /** A loop of its own for a delegated question. */
  startHelper(port: LoopPort): Helper
  /** Runs a step that ends early when the person cancels or the lease is lost. */
  interruptible<Value>(step: (interrupt: Interrupt) => Promise<Value>): Promise<Value>
}

export interface Helper {
  run(): Promise<RunOutcome>
  leave(): void
}

/** How a step hears that it must end. */
export interface Interrupt {
  /** For what the step calls. */
  readonly signal: AbortSignal
  /** Resolves with the signal's first abort from outside. */
  readonly cancelled: Promise<void>
  /** Ends what the step called, for a reason of the step's own. */
  abort(): void
}
