import type {
  ApprovalId,
  ConversationId,
  MessageId,
  RunId,
  SessionId,
  ToolCallId,
  TurnId,
} from '../words/ids.ts'
import type { AskedDeed, Decides, Pending } from '../words/pending.ts'

/** A model's request as ADR-0010 writes it; `id` is ours, a provider's may repeat. */
export interface ToolCallLine {
  readonly id: ToolCallId
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens?: number
  /** US dollars, where the model's price is known. */
  readonly cost?: number
  /** The cost of an interrupted stream is unknown. */
  readonly unknown?: boolean
}

/** A picture for a model that accepts images, by blob hash. */
export interface ImageName {
  readonly sha256: string
  readonly mediaType: string
}

/** One row of the one log: the only memory of a session (CONTRACT §7). `seq` counts from 1 without a gap. */
export interface LogRow<Body extends JournalLine = JournalLine> {
  readonly sessionId: SessionId
  readonly seq: number
  readonly conversationId: ConversationId
  readonly type: Body['type']
  /** ISO 8601. */
  readonly time: string
  readonly body: Body
}

export type JournalLine =
  // ADR-0010's three, in its own spelling
  | {
      readonly type: 'user_message'
      readonly message_id: MessageId
      readonly role: 'user'
      readonly text: string
      readonly run_id: RunId
      readonly images?: readonly ImageName[]
    }
  | {
      readonly type: 'assistant_message'
      readonly message_id: MessageId
      readonly role: 'assistant'
      readonly text: string
      readonly turn_id: TurnId
      readonly reasoning?: string
      readonly tool_calls?: readonly ToolCallLine[]
      /** The calls were written as text: what they write, a person decides. */
      readonly written?: true
      /** What the model reads about a call that it wrote as text and that was not run. */
      readonly repair?: string
      readonly finish_reason?: string
      /** Provider data that must be sent back with this message. */
      readonly provider?: unknown
    }
  | {
      readonly type: 'tool_result'
      readonly message_id: MessageId
      readonly tool_call_id: ToolCallId
      /** The text that the model sees. */
      readonly content: string
      readonly success: boolean
      readonly error_code?: string | null
      /** The whole result where `content` is a receipt, by blob hash. */
      readonly full?: { readonly sha256: string; readonly sizeBytes: number }
      /** Created by the loop itself: suppressed, limit, cancelled. */
      readonly synthetic?: boolean
      /** The files it changed, for the closing line. */
      readonly effects?: readonly Effect[]
      readonly images?: readonly ImageName[]
      /** The run that waited for it goes on. */
      readonly resumes?: RunId
    }
  // our own
  | { readonly type: 'conversation-start'; readonly reason: 'new' | 'cleared' }
  | {
      readonly type: 'run-start'
      readonly run_id: RunId
      readonly model: string
      readonly toolset: string
      readonly limits?: Readonly<Record<string, number>>
      /** The offered tools that change nothing: their calls within one turn run in parallel. */
      readonly reads?: readonly string[]
      /** Plan first: only reading tools were offered. */
      readonly plan?: boolean
      /** How hard the model was asked to think, in its own words. */
      readonly effort?: string
      /** It goes on where this run stopped, without a new message of the person. */
      readonly goes_on?: RunId
      /** Whose token started it; absent: the owner's. */
      readonly token_id?: string
    }
  /** The endpoint's description of the model. */
  | {
      readonly type: 'model'
      readonly model: string
      readonly context_tokens?: number
      readonly sees_images?: boolean
      readonly calls_tools?: boolean
    }
  | {
      readonly type: 'context'
      readonly turn_id: TurnId
      readonly layers: readonly ContextLayer[]
      /** What the answer to this request may call. */
      readonly tools?: readonly OfferedName[]
      readonly sent?: SentRequest
    }
  | {
      readonly type: 'call-start'
      readonly tool_call_id: ToolCallId
      readonly turn_id: TurnId
      readonly name: string
      readonly arguments: string
      readonly label: string
      /** It asks a person for a yes to this, in the name of that token. */
      readonly asks?: {
        readonly deed: AskedDeed
        readonly subject: string
        readonly token_id: string
      }
    }
  | {
      readonly type: 'approval'
      readonly tool_call_id: ToolCallId
      readonly approval_id: ApprovalId
      readonly pending: Pending
    }
  | {
      readonly type: 'decision'
      readonly approval_id: ApprovalId
      readonly decision: 'approved' | 'denied'
      readonly by: string
      readonly refused?: readonly { readonly change_id: string; readonly reason?: string }[]
      readonly reason?: string
      /** The run that waited for it goes on. */
      readonly resumes?: RunId
    }
  /** The model's checklist from here on; an empty one takes it away. */
  | {
      readonly type: 'plan'
      readonly tool_call_id: ToolCallId
      readonly steps: readonly PlanStep[]
    }
  /** The model asked the person, and the result of its call is the answer; or a call to an MCP server needs a yes. */
  | {
      readonly type: 'question'
      readonly tool_call_id: ToolCallId
      readonly question_id: string
      readonly question: string
      readonly choices: readonly string[]
      /** Of a call to an MCP server outside: the hash of the tool's definition that the person was shown. */
      readonly definition?: string
      /** What a yes does. */
      readonly decides?: Decides
    }
  /** A row of the run that answers a delegated question: it has its own context, and the same log. */
  | {
      readonly type: 'helper'
      readonly tool_call_id: ToolCallId
      readonly line: JournalLine
    }
  /** `message_id`: its name while it waited in the queue. */
  | {
      readonly type: 'steer'
      readonly text: string
      readonly message_id?: MessageId
      readonly images?: readonly ImageName[]
      /** The run that waited goes on. */
      readonly resumes?: RunId
    }
  /** `resumes`: the run waited for a person, and now ends. */
  | { readonly type: 'cancel'; readonly by: string; readonly resumes?: RunId }
  /** The person went back: no model is shown the rows between `to_seq` and this one any more. */
  | {
      readonly type: 'rewind'
      readonly to_seq: number
      readonly by: string
      /** Files whose unpublished changes of those rows left the draft. */
      readonly withdrawn: readonly string[]
      /** Files that were written in those rows: they stay as they are. */
      readonly written: readonly string[]
    }
  | {
      readonly type: 'compaction'
      /** Replaces what came up to the row; absent when only old results were shortened, as a first step. */
      readonly summary?: string
      readonly up_to_seq: number
      /** Room of the person's messages, which stay next to the summary; older logs have them in the summary. */
      readonly words_tokens?: number
      readonly tokens_before: number
      /** What the messages take after it, estimated. */
      readonly tokens_after?: number
      /** The request for the summary. */
      readonly sent?: SentRequest
    }
  | { readonly type: 'usage'; readonly turn_id: TurnId; readonly usage: Usage }
  | { readonly type: 'limit'; readonly what: string; readonly message: string }
  /** What the person should know about the run: an MCP server that does not answer, a tool that is not offered. */
  | { readonly type: 'notice'; readonly message: string }
  | {
      readonly type: 'retry'
      readonly turn_id: TurnId
      readonly attempt: number
      readonly reason: string
      readonly wait_ms: number
    }
  /** A person's decision about a draft, or about files written from it. */
  | {
      readonly type: 'draft'
      readonly draft_id: string
      readonly action: 'published' | 'discarded' | 'undone' | 'redone'
      readonly change_set_id?: string
      readonly files: number
      /** The first of them. */
      readonly paths: readonly string[]
      /** How many of its changes were dropped when it was published. */
      readonly refused?: number
      /** Where the first of those are: file and place. */
      readonly refused_places?: readonly string[]
      /** How many of its changes stay in the draft, which is still open. */
      readonly undecided?: number
      /** What the person said about single changes. */
      readonly comments?: readonly string[]
    }
  | {
      readonly type: 'run-end'
      readonly run_id: RunId
      readonly reason: 'final' | 'cancelled' | 'limit' | 'failed' | 'waiting'
      readonly closing: string
      readonly message?: string
      /** It has changes from calls that the model wrote as text: they are not published without a person. */
      readonly written?: true
      /** For the whole run so far. */
      readonly usage?: Usage
    }

export interface PlanStep {
  readonly text: string
  readonly status: 'open' | 'doing' | 'done' | 'failed'
  /** Why it failed. */
  readonly reason?: string
}

/** A line of one type. */
export type LineOf<Type extends JournalLine['type']> = Extract<JournalLine, { type: Type }>

/** Which data went to which model, and where that model is. */
export interface SentRequest {
  readonly model: string
  /** Scheme, host and path, without credentials; null when nothing left the process. */
  readonly endpoint: string | null
  readonly messages: number
  /** Size of system prompt, tools and messages, before a protocol wraps them. */
  readonly size_bytes: number
}

/** A tool that a request offered, by the names that call it. */
export interface OfferedName {
  readonly name: string
  readonly aliases?: readonly string[]
}

/** The parts of the prompt: enough to rebuild it. */
export interface ContextLayer {
  readonly name: string
  readonly sha256: string
  readonly tokens: number
  /** Version of the manifest. */
  readonly version?: string
  /** `docPath@version` of each file in the layer. */
  readonly files?: readonly string[]
  /** What this request adds to the conversation of a layer outside the system prompt: all of it, or what changed. */
  readonly text?: string
}

/** A file a call changed, in the draft or on disk, counted in the format's own unit. */
export interface Effect {
  readonly docPath: string
  readonly path: string
  readonly where: 'draft' | 'workspace'
  readonly action: 'created' | 'changed' | 'deleted' | 'moved'
  readonly count: number
  /** `files`, `changes`, or the format's own unit: `lines`, `cells`. */
  readonly unit: string
  /** The former docPath of a moved file. */
  readonly from?: string
  /** The draft it is in. */
  readonly draftId?: string
  /** For a file on disk: its bytes before and after, by hash; null: no file. */
  readonly before?: string | null
  readonly after?: string | null
}
