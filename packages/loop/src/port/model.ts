import type { Result, ToolCallId, ToolOffer, Usage } from '@filewright/protocol'

/** One language model behind one endpoint. */
export interface Model {
  /** `provider/id`, as a person names it. */
  readonly name: string
  /** What is known without asking the endpoint. */
  readonly facts: ModelFacts
  /** Where requests go, for the first-use notice; null when nothing leaves this process. */
  readonly destination: string | null
  /** The address of requests, for the log: scheme, host and path, no credentials; null when nothing leaves this process. */
  endpoint(): string | null
  /** Tells the person at the start of a run why this model was picked, if nobody chose it. */
  readonly notice?: string
  /** Must not throw: a refused or broken request ends the stream with a `failure` event. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
  /** Asks the endpoint about the model. Must not throw. It is slow: call it in the background. */
  learn?(signal: AbortSignal): Promise<ModelFacts>
}

export interface ModelFacts {
  readonly contextTokens?: number
  readonly seesImages?: boolean
  /** False where the endpoint says that the model cannot call tools. */
  readonly callsTools?: boolean
  /** The most that one answer may have. */
  readonly outputTokens?: number
  readonly price?: Price
  /** How hard it can be asked to think, in its own words; empty where it cannot be asked. */
  readonly effortLevels?: readonly string[]
}

/** By the model's name, or by its id alone. */
export type FactsByModel = Readonly<Record<string, ModelFacts>>

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cachedInput?: number
}

export interface ModelRequest {
  /** Stable within a conversation, so that a provider's prefix cache holds. */
  readonly system: string
  /** The same object for the same message in every request: adapters keep what they encoded by identity. */
  readonly messages: readonly ModelMessage[]
  /** The same array for the same toolset, for the same reason. */
  readonly tools: readonly ToolOffer[]
  /** How many answers the model has given in this conversation: what a scripted model counts by. */
  readonly step: number
  /** One of the model's own levels; without one it thinks as its provider's own tools let it. */
  readonly effort?: string
  /** The same for requests that repeat each other's prefix: a provider routes them to the cache that has it. */
  readonly cacheKey?: string
  readonly signal: AbortSignal
}

export type ModelMessage =
  | {
      readonly role: 'user'
      readonly text: string
      readonly images?: readonly ImagePart[]
      /** How many pictures the person sent, also where they are not sent on. */
      readonly pictures?: number
    }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly reasoning?: string
      readonly calls: readonly AskedCall[]
      /** What the provider wants back with this message, as it gave it. */
      readonly provider?: unknown
    }
  | {
      readonly role: 'tool'
      readonly callId: ToolCallId
      readonly name: string
      readonly text: string
      readonly failed: boolean
      readonly images?: readonly ImagePart[]
      /** How many pictures the result has, also where they are not sent. */
      readonly pictures?: number
    }

export interface AskedCall {
  readonly id: ToolCallId
  readonly name: string
  /** Always the JSON text of an object; the result shows the model what it sent broken. */
  readonly arguments: string
}

export interface ImagePart {
  readonly mediaType: string
  readonly base64: string
}

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** Complete as far as the provider says; executed only after a clean `finish`. */
  | { readonly type: 'tool-call'; readonly name: string; readonly arguments: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The last event of a stream that ended well; `provider` goes back with the message. */
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly provider?: unknown }
  /** The last event of every other stream. */
  | { readonly type: 'failure'; readonly failure: ModelFailure }

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refused' | 'other'

export interface ModelFailure {
  readonly cause: FailureCause
  /** One sentence for a person: what could not be done, the state found, what would work. */
  readonly message: string
  readonly retry: boolean
  /** What the provider asked us to wait. */
  readonly retryAfterMs?: number
  /** The model's context, where the refusal names it. */
  readonly contextTokens?: number
  /** The request would fit with at most this many tokens of output. */
  readonly outputRoom?: number
  /** The stream had started, so it used uncounted tokens. */
  readonly spent: boolean
}

export type FailureCause =
  | 'rate-limit'
  | 'overloaded' // 5xx
  | 'unreachable' // nothing answered
  | 'cut' // the stream ended before its finish
  | 'timeout' // no first token, or silence within the stream
  | 'malformed' // an answer that is not of the protocol, such as a page of HTML
  | 'empty' // neither text nor a call
  | 'refused' // by the provider's content filter, or by the model
  | 'quota' // used up until a later hour or day
  | 'context' // the request is larger than the model's context
  | 'no-tools' // the model cannot call tools
  | 'denied' // key refused, no credit, no such model
  | 'invalid' // the provider refused the request for another reason
  | 'aborted' // we asked for it

export type ModelResult = Result<Model, 'INVALID_ARGUMENT' | 'NOT_FOUND'>
