import type { SentRequest, ToolOffer } from '@filewright/protocol'
import type { Model, ModelMessage, ModelRequest } from '../port/model.ts'
import { sharedBeginning } from '../port/shared-beginning.ts'

/** For the log, where a person sees what was sent where (CONTRACT §8). `news` follows the messages. */
export function describeRequest(
  { name, endpoint }: Model,
  { system, messages, tools }: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
  news: readonly ModelMessage[] = [],
): SentRequest {
  const others = [Buffer.byteLength(system), ...news.map(messageBytes), ...tools.map(toolBytes)]
  return {
    model: name,
    endpoint: endpoint(),
    messages: messages.length + news.length,
    size_bytes: others.reduce((total, size) => total + size, bytesOf(messages)),
  }
}

/** By their first message: a conversation that only grew is counted on from where it was. */
const totals = new WeakMap<ModelMessage, { messages: readonly ModelMessage[]; bytes: number }>()

function bytesOf(messages: readonly ModelMessage[]): number {
  const [first] = messages
  if (!first) return 0
  const before = totals.get(first)
  const hasGrown = before && sharedBeginning(before.messages, messages) === before.messages.length
  let bytes = hasGrown ? before.bytes : 0
  for (let index = hasGrown ? before.messages.length : 0; index < messages.length; index++)
    bytes += messageBytes(messages[index]!)
  totals.set(first, { messages, bytes })
  return bytes
}

/** Each request sends the conversation again, so each count is kept. */
const counted = new WeakMap<object, number>()

function messageBytes(message: ModelMessage): number {
  return countOnce(message, () => {
    const calls = message.role === 'assistant' ? message.calls : []
    const images = message.role === 'assistant' ? [] : (message.images ?? [])
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
