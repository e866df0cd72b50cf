import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { ToolOffer } from '@filewright/protocol'
import type { AskedCall, ModelMessage, ModelRequest } from '../../port/model.ts'
import type { ReturnedPart, ReturnedParts } from './parts.ts'

type UserPart = Extract<LanguageModelV3Message, { role: 'user' }>['content'][number]
type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]

/** Our messages in the packages' form; the results of one turn are one message there. Options go on the first and the last. */
export function toPrompt(
  { system, messages }: ModelRequest,
  providerOptions: SharedV3ProviderOptions | undefined,
): LanguageModelV3Message[] {
  const prompt: LanguageModelV3Message[] = [{ role: 'system', content: system, providerOptions }]
  for (const message of messages) {
    const last = prompt.at(-1)
    if (message.role === 'tool' && last?.role === 'tool') last.content.push(toResult(message))
    else if (message.role === 'tool') prompt.push({ role: 'tool', content: [toResult(message)] })
    else if (message.role === 'assistant')
      prompt.push({ role: 'assistant', content: toAssistant(message) })
    else prompt.push({ role: 'user', content: toWords(message) })
  }
  const last = prompt.at(-1)!
  last.providerOptions = providerOptions
  return prompt
}

export function toTools(tools: readonly ToolOffer[]): LanguageModelV3FunctionTool[] | undefined {
  if (tools.length === 0) return undefined
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
  }))
}

function toWords({ text, images = [] }: Extract<ModelMessage, { role: 'user' }>): UserPart[] {
  const pictures = images.map(({ mediaType, base64 }): UserPart => {
    return { type: 'file', data: base64, mediaType }
  })
  return [{ type: 'text', text }, ...pictures]
}

function toAssistant(message: Extract<ModelMessage, { role: 'assistant' }>): AssistantPart[] {
  const { parts = [] } = (message.provider as Partial<ReturnedParts> | undefined) ?? {}
  let said = 0
  let called = 0
  const take = (part: ReturnedPart): AssistantPart[] => {
    const providerOptions = part.options
    if (part.type === 'reasoning') return [{ type: 'reasoning', text: part.text, providerOptions }]
    if (part.type === 'text') {
      const text = message.text.slice(said, said + part.length)
      said += part.length
      return text === '' ? [] : [{ type: 'text', text, providerOptions }]
    }
    const call = message.calls[called++]
    return call ? [toCall(call, providerOptions)] : []
  }
  const ordered = parts.flatMap(take)
  const text = message.text.slice(said)
  const rest = message.calls.slice(called).map(call => toCall(call, undefined))
  return [...ordered, ...(text === '' ? [] : [{ type: 'text', text } as const]), ...rest]
}

function toCall(
  { id, name, arguments: args }: AskedCall,
  providerOptions: SharedV3ProviderOptions | undefined,
): AssistantPart {
  const input: unknown = JSON.parse(args)
  return { type: 'tool-call', toolCallId: id, toolName: name, input, providerOptions }
}

function toResult(message: Extract<ModelMessage, { role: 'tool' }>): LanguageModelV3ToolResultPart {
  const { callId: toolCallId, name: toolName, text, failed, images } = message
  const part = { type: 'tool-result', toolCallId, toolName } as const
  if (images?.length) {
    const pictures = images.map(({ mediaType, base64 }) => ({
      type: 'image-data' as const,
      data: base64,
      mediaType,
    }))
    return { ...part, output: { type: 'content', value: [{ type: 'text', text }, ...pictures] } }
  }
  return { ...part, output: { type: failed ? 'error-text' : 'text', value: text } }
}
