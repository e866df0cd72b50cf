import type { ChildProcess } from 'node:child_process'
import type { Sandbox } from '../cli.ts'
import { checkFrame, type HostOptions, type Message, openingOf, withEnvelope } from './frames.ts'

export interface StdioClient {
  readonly child: ChildProcess
  /** What the server said of itself. */
  readonly opened: Message
  /** The result; throws the error. */
  ask(method: string, params?: object): Promise<Message>
  call(name: string, args?: object, more?: object): Promise<Message>
  tell(method: string, params?: object): void
  /** A line as it is, and the next message without a known id. */
  raw(line: string): Promise<Message>
  /** Notifications so far. */
  readonly told: Message[]
  /** The id of the last request. */
  lastId(): number
}

export interface StdioOptions extends HostOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Answers what the server asks of the host. */
  readonly onRequest?: (request: Message) => Message | Promise<Message>
}

export class RpcFailure extends Error {
  readonly code: number
  readonly data: unknown
  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** A client without a library: lines in, lines out, every frame checked. Anything else on stdout fails the test. */
export async function connectStdio(box: Sandbox, options: StdioOptions): Promise<StdioClient> {
  const child = box.start(['mcp', ...(options.args ?? [])], { env: options.env })
  const waiting = new Map<number, { method: string; resolve(message: Message): void }>()
  const strays: ((message: Message) => void)[] = []
  const told: Message[] = []
  let id = 0
  let rest = ''
  let broken: Error | undefined
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', text => (stderr += text))
  child.stdin!.on('error', () => {}) // it ended, as the test sees elsewhere

  const write = (message: object) => child.stdin!.write(`${JSON.stringify(message)}\n`)
  const fail = (cause: unknown) => {
    broken ??= cause instanceof Error ? cause : new Error(String(cause))
    for (const { resolve } of waiting.values())
      resolve({ error: { code: 0, message: `${broken.message}\n${stderr}` } })
  }
  child.on('exit', code => fail(new Error(`it ended with ${code}`)))
  child.stdout!.setEncoding('utf8').on('data', text => {
    rest += text
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 1)
      try {
        take(JSON.parse(line))
      } catch (cause) {
        fail(new Error(`a wrong frame: ${line.slice(0, 500)}`, { cause }))
      }
    }
  })

  function take(message: Message): void {
    const asked = message.method === undefined ? waiting.get(message.id) : undefined
    checkFrame(message, asked?.method)
    if (asked) {
      waiting.delete(message.id)
      asked.resolve(message)
    } else if (message.method !== undefined && message.id !== undefined) void answer(message)
    else if (message.method !== undefined) told.push(message)
    else strays.shift()?.(message)
  }

  async function answer(request: Message): Promise<void> {
    const result = await options.onRequest?.(request)
    if (result !== undefined) write({ jsonrpc: '2.0', id: request.id, result })
  }

  async function ask(method: string, params: object = {}): Promise<Message> {
    if (broken) throw broken
    const own = ++id
    const message = await new Promise<Message>(resolve => {
      waiting.set(own, { method, resolve })
      write({ jsonrpc: '2.0', id: own, method, params: withEnvelope(options, params) })
    })
    if (message.error) throw new RpcFailure(message.error)
    return message.result
  }

  const { method, params } = openingOf(options)
  const opened = await ask(method, params)
  const tell = (name: string, given: object = {}) =>
    void write({ jsonrpc: '2.0', method: name, params: given })
  if (options.era !== '2026-07-28') tell('notifications/initialized')
  return {
    child,
    opened,
    ask,
    call: (name, args = {}, more = {}) => ask('tools/call', { name, arguments: args, ...more }),
    tell,
    raw: line =>
      new Promise(resolve => {
        strays.push(resolve)
        child.stdin!.write(`${line}\n`)
      }),
    told,
    lastId: () => id,
  }
}
