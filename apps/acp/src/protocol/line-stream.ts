import type { Readable } from 'node:stream'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { takeLines } from '@filewright/host'

export interface LineStreamOptions {
  readonly input: Readable
  /** Writes a line, in order; keeps what the pipe does not take. */
  readonly write: (pieces: Iterable<string | Buffer>) => void
  /** Of one message. */
  readonly maxBytes: number
}

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600

/** One message a line. What is no message gets an error, and the next line is read: the library's own stream ends there. */
export function createLineStream({ input, write, maxBytes }: LineStreamOptions): Stream {
  const send = (message: object) => write([`${JSON.stringify(message)}\n`])
  const refuse = (code: number, message: string) =>
    send({ jsonrpc: '2.0', id: null, error: { code, message } })
  let take: (chunk: Buffer) => void

  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      take = takeLines({
        maxBytes,
        onLine(bytes) {
          const line = bytes.toString('utf8').trim()
          if (line === '') return
          const read = readMessage(line)
          if ('message' in read) controller.enqueue(read.message)
          else refuse(read.code, read.problem)
        },
        onTooLong: bytes =>
          refuse(
            INVALID_REQUEST,
            `A message has ${bytes} bytes, and at most ${maxBytes} are read. Send less at once.`,
          ),
      })
      let isClosed = false
      const close = () => {
        if (isClosed) return
        isClosed = true
        input.off('data', take)
        controller.close()
      }
      input.on('data', take)
      for (const event of ['end', 'close', 'error']) input.on(event, close)
    },
    cancel: () => void input.off('data', take),
  })
  return { readable, writable: new WritableStream<AnyMessage>({ write: send }) }
}

type Read = { readonly message: AnyMessage } | { readonly code: number; readonly problem: string }

function readMessage(line: string): Read {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return { code: PARSE_ERROR, problem: `The line is not JSON: ${(error as Error).message}` }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { message: value as AnyMessage }
  return { code: INVALID_REQUEST, problem: 'Send each message as an object on a line of its own.' }
}
