import type { Readable } from 'node:stream'
import { takeLines } from '@filewright/host'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { createFrameLine } from './frame-line.ts'

export interface LineTransportOptions {
  readonly input: Readable
  /** Writes a line, in order; keeps what the pipe does not take. */
  readonly write: (pieces: Iterable<string | Buffer>) => void
  /** A message came, or was answered. */
  readonly onWork?: (event: 'asked' | 'answered') => void
  /** Of one message. */
  readonly maxBytes: number
}

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600

/**
 * One message a line. What is no message gets an error, and the next line is read: the library's own transport answers
 * nothing there, and closes when a message is too long.
 */
export function createLineTransport(options: LineTransportOptions): Transport {
  const { input, maxBytes, onWork } = options
  const toLine = createFrameLine()
  let isClosed = false
  const take = takeLines({
    maxBytes,
    onLine: handle,
    onTooLong: bytes =>
      refuse(
        INVALID_REQUEST,
        `A message has ${bytes} bytes, and at most ${maxBytes} are read. Send less at once.`,
      ),
  })
  const transport: Transport = {
    async start() {
      input.on('data', take)
      for (const event of ['end', 'close', 'error']) input.on(event, close)
      if (input.readableEnded || input.destroyed) setImmediate(close)
    },
    send: async message => write(message),
    close: async () => close(),
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    input.off('data', take)
    input.pause()
    transport.onclose?.()
  }

  function handle(bytes: Buffer): void {
    onWork?.('asked')
    const line = bytes.toString('utf8').trim()
    if (line === '' || isClosed) return
    const message = parse(line)
    if ('problem' in message) return refuse(message.code, message.problem, message.id)
    transport.onmessage?.(message.value)
  }

  /** Without an id where none can be read: the schemas know no null. */
  function refuse(code: number, message: string, id?: MessageId): void {
    write({ jsonrpc: '2.0', id, error: { code, message } })
  }

  function write(message: object): void {
    if (isClosed) return
    options.write(toLine(message))
    onWork?.('answered')
  }

  return transport
}

type MessageId = string | number

type Parsed =
  | { readonly value: JSONRPCMessage }
  | { readonly code: number; readonly problem: string; readonly id?: MessageId }

function parse(line: string): Parsed {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    const problem = `The line is not JSON: ${(error as Error).message}`
    return { code: PARSE_ERROR, problem }
  }
  if (Array.isArray(value))
    return refused('Send each message on a line of its own: lists of messages are not read.')
  const { jsonrpc, id, method, params } = Object(value) as Record<string, unknown>
  const known = typeof id === 'string' || Number.isInteger(id) ? (id as MessageId) : undefined
  if (jsonrpc !== '2.0') return refused('A message needs "jsonrpc": "2.0".', known)
  if (id !== undefined && known === undefined)
    return refused('An "id" must be a string or a whole number.')
  const isAnswer = method === undefined && known !== undefined && isAnswerOf(value as object)
  if (typeof method !== 'string' && !isAnswer)
    return refused(
      'A message needs a "method", or is an answer with a "result" or an "error".',
      known,
    )
  if (
    params !== undefined &&
    (typeof params !== 'object' || params === null || Array.isArray(params))
  )
    return refused('"params" must be an object.', known)
  return { value: value as JSONRPCMessage }
}

function isAnswerOf(value: object): boolean {
  return 'result' in value !== 'error' in value
}

function refused(problem: string, id?: MessageId): Parsed {
  return { code: INVALID_REQUEST, problem, id }
}
