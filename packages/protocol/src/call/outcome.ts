import type { Change } from '../change/change.ts'
import type { Effect, ImageName } from '../log/journal.ts'
import type { Pending } from '../words/pending.ts'
import type { Envelope } from './envelope.ts'

/** How one tool call ended; each call has exactly one. */
export interface ToolOutcome {
  readonly envelope: Envelope
  /** The text for the model, made when first read. */
  readonly text: string
  /** Only in the process that ran it: the beginning of the text, made without the rest. */
  readonly brief?: (characters: number) => string
  readonly effects?: readonly Effect[]
  readonly images?: readonly ImageName[]
}

export type CallState = { readonly outcome: ToolOutcome } | { readonly pending: Pending }

/** A question to a person: durable, and answered from any face. */
export interface Approval {
  readonly id: string
  readonly toolCallId: string
  readonly sessionId: string
  readonly draftId: string
  readonly tool: string
  /** "Patch 2 files", in a person's words. */
  readonly label: string
  readonly description?: string
  readonly time: string
  readonly state: 'open' | 'approved' | 'denied' | 'stale'
  readonly changes: readonly Change[]
  readonly warnings: readonly string[]
  /** Unified diffs of text files, by path. */
  readonly diffs: readonly { readonly path: string; readonly diff: string }[]
}

export interface Decision {
  readonly decision: 'approved' | 'denied'
  readonly by: string
  readonly reason?: string
  /** Accepted except for these. */
  readonly refused?: readonly { readonly changeId: string; readonly reason?: string }[]
  /** Keep answering like this: creates a rule for the same tool and path. */
  readonly remember?: 'session' | 'always'
}

/**
 * The gate's answer without asking. The most specific match wins; between equals, deny. `scan` is separate: it allows
 * scanning all of a home folder, a disk's root or a very large tree.
 */
export interface Rule {
  readonly id: string
  readonly effect: 'allow' | 'deny' | 'ask' | 'scan'
  readonly tool?: string
  /** Glob over docPaths, `src/**`. */
  readonly path?: string
  /** Only for changes of at most this many bytes of new content. */
  readonly maxBytes?: number
  /** Only in this session. */
  readonly sessionId?: string
  readonly time: string
}

/** How to act where a person would be asked: `ask` waits, `rules` leaves it pending, `all` approves. */
export type ApprovalPolicy = 'ask' | 'rules' | 'all'

export interface DraftSummary {
  readonly id: string
  readonly sessionId: string
  /** Damaged: its log cannot be read; `trouble` says more. */
  readonly state: 'open' | 'published' | 'discarded' | 'damaged'
  readonly trouble?: string
  readonly purpose: 'workshop' | 'one-call'
  readonly label?: string
  readonly opened: string
  readonly touched: string
  /** Grows with every change to the draft, so that publishing can check that the reviewed state is still current. */
  readonly revision: number
  readonly files: readonly DraftFileSummary[]
}

export interface DraftFileSummary {
  readonly path: string
  readonly docPath: string
  readonly action: 'created' | 'changed' | 'deleted' | 'moved'
  readonly from?: string
  readonly changes: number
  readonly base: string | null
  /** The file on disk is no longer the base. */
  readonly drifted?: boolean
}

export interface Review {
  readonly draft: DraftSummary
  readonly changes: readonly Change[]
  readonly diffs: readonly { readonly path: string; readonly diff: string }[]
  readonly warnings: readonly string[]
}

export interface Published {
  readonly draftId: string
  /** The session whose draft it was. */
  readonly sessionId?: string
  readonly changeSetId: string
  readonly files: readonly {
    readonly path: string
    readonly docPath: string
    readonly action: string
    readonly version: string | null
  }[]
  /** Refused by the person, together with the changes that depended on them. */
  readonly refused: readonly string[]
  readonly dropped: readonly string[]
  readonly rebased: readonly string[]
  readonly warnings: readonly string[]
  readonly message: string
}
