import type { SentRequest, ToolOffer } from '@filewright/protocol'
import type { Model, ModelMessage, ModelRequest } from '../port/model.ts'

/** For the log, where a person sees what was sent where (CONTRACT §8). */
export function describeRequest(
  { name, endpoint }: Model,
  { system, messages, tools }: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
): SentRequest {
  const sizes = [Buffer.byteLength(system), ...messages.map(messageBytes), ...tools.map(toolBytes)]
  return {
    model: name,
    endpoint: endpoint(),
    messages: messages.length,
    size_bytes: sizes.reduce((total, size) => total + size, 0),
  }
}

/** Each request sends the conversation again, so each count is kept. */
const counted = new WeakMap<object, number>()

function messageBytes(message: ModelMessage): number {
  return countOnce(message, () => {
    const calls = message.role === 'assistant' ? message.calls : []
    const images = message.role === 'tool' ? (message.images ?? []) : []
    const sizes = [
      Buffer.byteLength(message.text),
      ...calls.map(call => Buffer.byteLength(call.name) + Buffer.byteLength(call.arguments)),
      ...images.map(image => image.base64.length),
    ]
    return sizes.reduce((total, size) => total + size, 0)
  })
}

function toolBytes(tool: ToolOffer): number {
  return countOnce(tool, () => Buffer.byteLength(JSON.stringify(tool)))
}

function countOnce(what: object, count: () => number): number {
  const known = counted.get(what)
  if (known !== undefined) return known
  const size = count()
  counted.set(what, size)
  return size
}
