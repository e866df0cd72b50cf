import { type FaultServer, type Reply, startFaultServer, status } from './fault-server.ts'

/** Why a provider refuses a body; undefined when it is in order. */
// biome-ignore lint/suspicious/noExplicitAny: whatever was sent
export type Rule = (body: any, path: string) => Refusal | undefined

export interface Refusal {
  readonly code: number
  readonly body: object
}

export interface StrictServer extends FaultServer {
  /** What was answered to requests that broke the rule. */
  readonly refusals: readonly Refusal[]
}

/** A provider that enforces a rule: a request in order gets the next reply, another one the provider's own refusal. */
export async function startStrictServer(
  rule: Rule,
  replies: readonly Reply[],
): Promise<StrictServer> {
  const refusals: Refusal[] = []
  let answered = 0
  const judge: Reply = (response, request) => {
    const refusal = rule(request.body, request.path)
    if (refusal) {
      refusals.push(refusal)
      return status(refusal.code, refusal.body)(response, request)
    }
    return replies[Math.min(++answered, replies.length) - 1]!(response, request)
  }
  const server = await startFaultServer([judge])
  return { ...server, refusals }
}

interface ChatMessage {
  readonly role: string
  readonly tool_call_id?: string
  readonly reasoning_content?: unknown
  readonly tool_calls?: readonly { readonly id: string }[]
}

/** mistral-common's validator, with the API's words. */
export const mistral: Rule = ({ messages }: { messages: readonly ChatMessage[] }) => {
  for (const [index, { role, tool_calls = [], tool_call_id }] of messages.entries()) {
    const before = messages[index - 1]?.role
    if (role === 'user' && (before === 'user' || before === 'tool'))
      return toMistral(
        `Unexpected role 'user' after role '${before}'`,
        'invalid_request_message_order',
        '3230',
      )
    const ids = [...tool_calls.map(call => call.id), ...(tool_call_id ? [tool_call_id] : [])]
    const wrong = ids.find(id => !/^[a-zA-Z0-9]{9}$/.test(id))
    if (wrong)
      return toMistral(
        `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`,
        'invalid_function_call',
        '3280',
      )
  }
  const known = new Set(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(call => call.id)))
  const stray = messages.find(({ tool_call_id }) => tool_call_id && !known.has(tool_call_id))
  return stray && toMistral('Unexpected tool call id in tool results', 'invalid_request', '3251')
}

function toMistral(message: string, type: string, code: string): Refusal {
  return { code: 400, body: { object: 'error', message, type, param: null, code } }
}

/** DeepSeek in thinking mode: what was thought goes back with each turn that called tools, word for word. */
export function deepSeek(thoughts: readonly string[]): Rule {
  return ({ messages }: { messages: readonly ChatMessage[] }) => {
    const turns = messages.filter(({ role, tool_calls }) => role === 'assistant' && tool_calls)
    const wrong = turns.findIndex(({ reasoning_content }, index) =>
      thoughts[index] === undefined
        ? reasoning_content === undefined
        : reasoning_content !== thoughts[index],
    )
    if (wrong < 0) return undefined
    const message = `Missing \`reasoning_content\` field in the assistant message at message index ${messages.indexOf(turns[wrong]!)}. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls`
    const code = 'invalid_request_error'
    return { code: 400, body: { error: { message, type: code, param: null, code } } }
  }
}

interface GeminiBody {
  readonly contents: readonly {
    readonly role: string
    readonly parts: readonly {
      readonly functionCall?: { readonly name: string }
      readonly thoughtSignature?: string
    }[]
  }[]
}

const SKIPPED = 'skip_thought_signature_validator' // what Google's documents give for a call of another model

/** Gemini 3: the first call of each answer carries the signature that this very model gave it. */
export const gemini: Rule = ({ contents }: GeminiBody, path) => {
  const model = /models\/([^:]+):/.exec(path)?.[1]
  for (const [index, { role, parts }] of contents.entries()) {
    const call = role === 'model' ? parts.find(part => part.functionCall) : undefined
    if (!call) continue
    const { thoughtSignature } = call
    if (thoughtSignature === `of ${model}` || thoughtSignature === SKIPPED) continue
    const message = thoughtSignature
      ? 'Corrupted thought signature.'
      : `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${call.functionCall!.name}\`, position ${index}.`
    return { code: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }
  }
  return undefined
}

/** Anthropic counts the output that a request allows as part of the context. */
export function anthropic(limit: number, inputOf: (body: unknown) => number): Rule {
  return (body: { max_tokens: number }) => {
    const input = inputOf(body)
    if (input + body.max_tokens <= limit) return undefined
    const message = `input length and \`max_tokens\` exceed context limit: ${input} + ${body.max_tokens} > ${limit}, decrease input length or \`max_tokens\` and try again`
    return {
      code: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message } },
    }
  }
}

interface ResponsesBody {
  readonly input: readonly { readonly type?: string; readonly id?: string; role?: string }[]
}

/** OpenAI's Responses: an item of reasoning is followed by what it led to. `order` is that of the answers so far. */
export function responses(order: readonly string[]): Rule {
  return ({ input }: ResponsesBody) => {
    const items = input.filter(
      ({ type, role }) => type === 'reasoning' || type === 'function_call' || role === 'assistant',
    )
    const names = items.map(({ type, role }) => type ?? role)
    for (const [index, item] of items.entries()) {
      if (names[index] === order[index]) continue
      const message = `Item '${item.id}' of type 'reasoning' was provided without its required following item.`
      const type = 'invalid_request_error'
      return { code: 400, body: { error: { message, type, param: 'input', code: null } } }
    }
    return undefined
  }
}
