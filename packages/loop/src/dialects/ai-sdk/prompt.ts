import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { ToolOffer } from '@filewright/protocol'
import type { ModelMessage, ModelRequest } from '../../port/model.ts'
import type { ReturnedParts } from './parts.ts'

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
    else prompt.push({ role: 'user', content: [{ type: 'text', text: message.text }] })
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

function toAssistant(message: Extract<ModelMessage, { role: 'assistant' }>): AssistantPart[] {
  const back = message.provider as ReturnedParts | undefined
  return [
    ...(back?.reasoning ?? []).map(
      ({ text, options }): AssistantPart => ({ type: 'reasoning', text, providerOptions: options }),
    ),
    ...(message.text === ''
      ? []
      : [{ type: 'text', text: message.text, providerOptions: back?.text } as const]),
    ...message.calls.map(
      (call, index): AssistantPart => ({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.name,
        input: JSON.parse(call.arguments),
        providerOptions: back?.calls[index] ?? undefined,
      }),
    ),
  ]
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
