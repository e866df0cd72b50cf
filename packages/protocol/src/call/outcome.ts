import type { Change, Consequence } from '../change/change.ts'
import type { Effect, ImageName, JournalLine } from '../log/journal.ts'
import type { Decides, Pending } from '../words/pending.ts'
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
  /** The whole text where `text` is a receipt, by blob hash. */
  readonly full?: { readonly sha256: string; readonly sizeBytes: number }
  /** Rows that go into the log with its result. */
  readonly rows?: readonly JournalLine[]
}

export type CallState = { readonly outcome: ToolOutcome } | { readonly pending: Pending }

/** The result of a call as our own models see it, for the model of another product. */
export interface ShownResult {
  readonly toolCallId: string
  readonly success: boolean
  readonly errorCode: string | null
  /** Whole, or its beginning with the way to the rest. */
  readonly text: string
  readonly images?: readonly ImageName[]
}

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
  /** No option approves it in a person's place. */
  readonly needsPerson?: true
  /** Files of it that other programs execute unasked; absent: none. */
  readonly executed?: readonly ExecutedFile[]
  readonly changes: readonly Change[]
  readonly warnings: readonly string[]
  /** Unified diffs of text files, by path. */
  readonly diffs: readonly { readonly path: string; readonly diff: string }[]
}

/**
 * A file that is written only after a person was asked about it by name: other programs execute it unasked, or its draft
 * makes something else now than what was accepted.
 */
export interface ExecutedFile {
  readonly path: string
  readonly docPath: string
  /** A sentence for the person. */
  readonly why: string
  /** Its changes that wait; empty where it is taken back as a whole, or where none can be named. */
  readonly changeIds: readonly string[]
}

/** A question in the model's words: durable like an approval, and answered from any face. */
export interface OpenQuestion {
  readonly id: string
  readonly sessionId: string
  readonly toolCallId: string
  readonly question: string
  readonly choices: readonly string[]
  /** It asks for a yes to a call to an MCP server outside: the hash of the tool's definition. */
  readonly definition?: string
  /** What a yes does; absent: the answer decides nothing. */
  readonly decides?: Decides
  /** What the yes is for, its state included: `drf_1 at revision 4`. */
  readonly subject?: string
  readonly time: string
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

/** Each word allows one thing. */
export const RULE_EFFECTS = [
  'read',
  'write',
  'deny',
  'ask',
  'scan',
  'instructions',
  'call',
] as const
export type RuleEffect = (typeof RULE_EFFECTS)[number]

/** The older word for `write`: it opens no key file to readers. */
export const OLDER_WRITE = 'allow'

/**
 * The gate's answer without asking. The most specific match wins; between equals, deny. `write`, `ask` and `deny` answer
 * for writes. A key file is read only where a `read` rule names it, and written only where a `write` or `ask` rule does.
 * `scan` allows scanning all of a home folder, a disk's root or a very large tree. `instructions` says yes to one file that
 * tells agents how to work, as long as it has this content. `call` says yes to one tool of an MCP server outside, as long as
 * it is defined like this.
 */
export interface Rule {
  readonly id: string
  readonly effect: RuleEffect
  readonly tool?: string
  /** Glob over docPaths, `src/**`. */
  readonly path?: string
  /** Only for changes of at most this many bytes of new content. */
  readonly maxBytes?: number
  /** Only in this session. */
  readonly sessionId?: string
  /** Of `instructions`: the content that was allowed. Of `call`: the definition of the tool. */
  readonly sha256?: string
  readonly time: string
}

/** A rule as a person gives it. */
export interface GivenRule extends Omit<Rule, 'id' | 'time' | 'effect'> {
  readonly effect: RuleEffect | typeof OLDER_WRITE
}

/** How to act where a person would be asked: `ask` waits, `rules` leaves it pending, `all` approves. */
export type ApprovalPolicy = 'ask' | 'rules' | 'all'

/**
 * `person`: of a call that no rule and no option answers in a person's place. `named`: of a person's own call, which is
 * approved and names its files itself, those that other programs execute included.
 */
export type CallPolicy = ApprovalPolicy | 'person' | 'named'

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
  /** What follows from the changes, to be shown beside them; absent: nothing does. */
  readonly consequences?: readonly Consequence[]
  /** Files that other programs execute unasked, to be decided by name; absent: none. */
  readonly executed?: readonly ExecutedFile[]
  /** Changes that meet what somebody else saved; absent or empty: none do. */
  readonly conflicts?: readonly DraftConflict[]
}

/** A change of a draft that cannot be carried over to the file as it is now. */
export interface DraftConflict {
  readonly changeId: string
  readonly docPath: string
  readonly path: string
  /** What both sides have, in a sentence. */
  readonly message: string
  /** The file itself is in conflict: deciding for it decides all its changes. */
  readonly isFile?: boolean
  /** What each side would do. Without `ours`, nothing proves where the change would go: it can only be given up. */
  readonly choices: { readonly theirs: string; readonly ours?: string }
}

/** Conflicts of a draft that a person decided. */
export interface Resolved {
  readonly draft: DraftSummary
  /** Changes that left the draft, dependants included. */
  readonly dropped: readonly string[]
  /** Those still to be decided. */
  readonly conflicts: readonly DraftConflict[]
  readonly message: string
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
  /** Refused by the person. */
  readonly refused: readonly string[]
  /** Dropped, because they depended on a refused change. */
  readonly dropped: readonly string[]
  /** Where the refused and dropped changes are: file and place. */
  readonly refusedPlaces: readonly string[]
  /** How many changes stay in the draft, which is open then. */
  readonly undecided: number
  /** Files that stay because nobody named them, and other programs execute them; absent: none. */
  readonly executed?: readonly ExecutedFile[]
  readonly rebased: readonly string[]
  readonly warnings: readonly string[]
  readonly message: string
}
