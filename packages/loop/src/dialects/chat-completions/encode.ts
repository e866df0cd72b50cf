import type { AskedCall, ModelMessage, ModelRequest } from '../../port/model.ts'

export interface EncodeOptions {
  readonly model: string
  /** Some older servers refuse `stream_options`. */
  readonly withUsage: boolean
}

/** What the provider gave with a call and wants back with it. */
export interface CallExtras {
  readonly extra_content?: readonly unknown[]
}

const encodedMessages = new WeakMap<ModelMessage, Buffer>()
const encodedTools = new WeakMap<ModelRequest['tools'], Buffer>()
const COMMA = Buffer.from(',')

/**
 * The body of a chat-completions request. Each message is encoded once and kept: a request with a long history costs one copy
 * of bytes, not another walk through all of it.
 */
export function encodeRequest(request: ModelRequest, options: EncodeOptions): Buffer {
  const usage = options.withUsage ? ',"stream_options":{"include_usage":true}' : ''
  const system = JSON.stringify({ role: 'system', content: wellFormed(request.system) })
  const parts: Buffer[] = [
    Buffer.from(
      `{"model":${JSON.stringify(options.model)},"stream":true${usage},"messages":[${system}`,
    ),
  ]
  let pictures: ModelMessage[] = []
  for (const [index, message] of request.messages.entries()) {
    parts.push(COMMA, encodeMessage(message))
    if (message.role === 'tool' && message.images?.length) pictures.push(message)
    // Pictures follow the last result of a turn: nothing may come between a call's results.
    if (pictures.length > 0 && request.messages[index + 1]?.role !== 'tool') {
      parts.push(COMMA, encodePictures(pictures))
      pictures = []
    }
  }
  parts.push(Buffer.from(']'))
  if (request.tools.length > 0) parts.push(encodeTools(request.tools))
  parts.push(Buffer.from('}'))
  return Buffer.concat(parts)
}

function encodeMessage(message: ModelMessage): Buffer {
  const known = encodedMessages.get(message)
  if (known) return known
  const encoded = Buffer.from(JSON.stringify(toWire(message)))
  encodedMessages.set(message, encoded)
  return encoded
}

function encodeTools(tools: ModelRequest['tools']): Buffer {
  const known = encodedTools.get(tools)
  if (known) return known
  const wire = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  const encoded = Buffer.from(`,"tools":${JSON.stringify(wire)}`)
  encodedTools.set(tools, encoded)
  return encoded
}

function toWire(message: ModelMessage): unknown {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: wellFormed(message.text) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: wellFormed(message.text) }
    case 'assistant': {
      const content = wellFormed(message.text)
      if (message.calls.length === 0) return { role: 'assistant', content }
      const extras = (message.provider as CallExtras | undefined)?.extra_content
      const tool_calls = message.calls.map((call, index) => toWireCall(call, extras?.[index]))
      return { role: 'assistant', content: content === '' ? null : content, tool_calls }
    }
  }
}

function toWireCall(call: AskedCall, extra: unknown) {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: wellFormed(call.arguments) },
    ...(extra !== undefined && extra !== null && { extra_content: extra }),
  }
}

function encodePictures(messages: readonly ModelMessage[]): Buffer {
  const content = messages.flatMap(message => {
    if (message.role !== 'tool') return []
    const images = message.images!.map(({ mediaType, base64 }) => ({
      type: 'image_url',
      image_url: { url: `data:${mediaType};base64,${base64}` },
    }))
    return [{ type: 'text', text: `[Filewright] The picture of ${message.name}:` }, ...images]
  })
  return Buffer.from(JSON.stringify({ role: 'user', content }))
}

/** Half a character would be sent as an escape that many servers refuse, with every later request of the conversation. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text
}
