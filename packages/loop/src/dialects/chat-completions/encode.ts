import { hash } from 'node:crypto'
import type { AskedCall, ModelMessage, ModelRequest } from '../../port/model.ts'
import { createGrowingBytes } from '../../wire/growing-bytes.ts'
import { alternate } from './alternate.ts'
import type { Manners } from './manners.ts'

/** What came with an answer and goes back with it. */
export interface ReturnedFields {
  readonly extra_content?: readonly unknown[]
  /** The answer had this field, perhaps an empty one; its text is the message's reasoning. */
  readonly reasoning_content?: true
}

/** Makes the bodies of requests, in pieces. Each message is encoded once and kept: a request costs what is new in it. */
export interface RequestEncoder {
  encode(request: ModelRequest): readonly Buffer[]
}

export interface EncodedModel {
  readonly id: string
  readonly outputTokens?: number
}

type PersonMessage = Extract<ModelMessage, { role: 'user' }>
type PicturedResult = Extract<ModelMessage, { role: 'tool' }>

const COMMA = Buffer.from(',')
const CLOSED = Buffer.from(']')
const END = Buffer.from('}')

export function createRequestEncoder(
  { id, outputTokens }: EncodedModel,
  manners: Manners,
): RequestEncoder {
  const encodedMessages = new WeakMap<ModelMessage, Buffer>()
  const encodedTools = new WeakMap<ModelRequest['tools'], Buffer>()

  const encode = (request: ModelRequest): readonly Buffer[] => {
    const usage = manners.asksForUsage ? ',"stream_options":{"include_usage":true}' : ''
    const output = outputTokens === undefined ? '' : `,"${manners.outputField}":${outputTokens}`
    const effort = request.effort ? `,"reasoning_effort":${JSON.stringify(request.effort)}` : ''
    const system = JSON.stringify({ role: 'system', content: wellFormed(request.system) })
    const messages = manners.isStrictOrder ? alternate(request.messages) : request.messages
    return [
      Buffer.from(
        `{"model":${JSON.stringify(id)},"stream":true${usage}${output}${effort},"messages":[${system}`,
      ),
      conversation.of(messages),
      ...(request.tools.length > 0 ? [CLOSED, encodeTools(request.tools)] : [CLOSED]),
      END,
    ]
  }

  /** Pictures follow the last result of a turn: nothing may come between a call's results. */
  const encodeAt = (messages: readonly ModelMessage[], index: number): Buffer => {
    const encoded = encodeMessage(messages[index]!)
    const isLast = messages[index]!.role === 'tool' && messages[index + 1]?.role !== 'tool'
    if (manners.isStrictOrder || !isLast) return encoded
    const pictured = resultsUpTo(messages, index).filter(hasPictures)
    return pictured.length > 0 ? Buffer.concat([encoded, COMMA, encodePictures(pictured)]) : encoded
  }

  const conversation = createGrowingBytes<ModelMessage>({
    encode: encodeAt,
    looksAhead: (messages, index) =>
      !manners.isStrictOrder && resultsUpTo(messages, index).some(hasPictures),
  })

  /** With the comma before it: half as many pieces to copy. */
  const encodeMessage = (message: ModelMessage): Buffer =>
    keep(encodedMessages, message, () => `,${JSON.stringify(toWire(message, manners))}`)

  const encodeTools = (tools: ModelRequest['tools']): Buffer =>
    keep(encodedTools, tools, () => {
      const wire = tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      }))
      return `,"tools":${JSON.stringify(wire)}`
    })

  return { encode }
}

/** The results of one turn. */
function resultsUpTo(messages: readonly ModelMessage[], index: number): PicturedResult[] {
  const results: PicturedResult[] = []
  for (let at = index; at >= 0; at--) {
    const message = messages[at]!
    if (message.role !== 'tool') break
    results.unshift(message)
  }
  return results
}

function hasPictures({ images }: PicturedResult): boolean {
  return images !== undefined && images.length > 0
}

function keep<Key extends object>(
  kept: WeakMap<Key, Buffer>,
  key: Key,
  encode: () => string,
): Buffer {
  const known = kept.get(key)
  if (known) return known
  const encoded = Buffer.from(encode())
  kept.set(key, encoded)
  return encoded
}

function toWire(message: ModelMessage, manners: Manners): unknown {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: withPictures(message) }
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: idOf(message.callId, manners),
        content: contentOf(message, manners),
      }
    case 'assistant': {
      const content = wellFormed(message.text)
      const reasoning = reasoningOf(message, manners)
      if (message.calls.length === 0) return { role: 'assistant', content, ...reasoning }
      const extras = (message.provider as ReturnedFields | undefined)?.extra_content
      const tool_calls = message.calls.map((call, index) =>
        toWireCall(call, extras?.[index], manners),
      )
      return {
        role: 'assistant',
        content: content === '' ? null : content,
        ...reasoning,
        tool_calls,
      }
    }
  }
}

/** Where no user message may follow a result, its pictures are part of it. */
function contentOf(message: PicturedResult, { isStrictOrder }: Manners): unknown {
  return isStrictOrder ? withPictures(message) : wellFormed(message.text)
}

function withPictures(message: PicturedResult | PersonMessage): unknown {
  const text = wellFormed(message.text)
  return message.images?.length ? [{ type: 'text', text }, ...imagesOf(message)] : text
}

function reasoningOf(
  { provider, reasoning = '', calls }: Extract<ModelMessage, { role: 'assistant' }>,
  manners: Manners,
): { reasoning_content?: string } {
  const came = (provider as ReturnedFields | undefined)?.reasoning_content === true
  const goes =
    manners.reasoning === 'always' || (manners.reasoning === 'given' && came && calls.length > 0)
  return goes ? { reasoning_content: came ? wellFormed(reasoning) : '' } : {}
}

function toWireCall(call: AskedCall, extra: unknown, manners: Manners) {
  return {
    id: idOf(call.id, manners),
    type: 'function',
    function: { name: call.name, arguments: wellFormed(call.arguments) },
    ...(extra !== undefined && extra !== null && { extra_content: extra }),
  }
}

const SHORT_ID = 9

/** A short one is derived, so that a call and its result carry the same in every request. */
function idOf(id: string, { hasShortIds }: Manners): string {
  if (!hasShortIds) return id
  const digits = BigInt(`0x${hash('sha256', id).slice(0, 16)}`).toString(36)
  return digits.padStart(SHORT_ID, '0').slice(-SHORT_ID)
}

function encodePictures(messages: readonly PicturedResult[]): Buffer {
  const content = messages.flatMap(message => [
    { type: 'text', text: `[Filewright] The picture of ${message.name}:` },
    ...imagesOf(message),
  ])
  return Buffer.from(JSON.stringify({ role: 'user', content }))
}

function imagesOf({ images = [] }: PicturedResult | PersonMessage) {
  return images.map(({ mediaType, base64 }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${base64}` },
  }))
}

/** Half a character would be sent as an escape that many servers refuse, with every later request of the conversation. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text
}
