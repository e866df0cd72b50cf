import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFrames, writeFrame } from './frames.ts'
import type { HostAnswer, HostRequest } from './messages.ts'
import { fromParts, type MessageParts, toParts } from './parts.ts'
import type { ChildEnding, ChildUsage } from './run-host.ts'
import { isStreamed, type StreamedParts, toStreamedParts, writeStreamedFrame } from './streamed.ts'

export type ExchangeOutcome =
  | { readonly type: 'answer'; readonly answer: HostAnswer }
  | { readonly type: 'ended'; readonly cause: Cause; readonly detail: string }

/**
 * Why a child is gone; `pressure`: all children together took too much memory; `outside`: another program killed it;
 * `unstarted`: the system gave no process.
 */
export type Cause =
  | 'time'
  | 'memory'
  | 'pressure'
  | 'cancelled'
  | 'crash'
  | 'outside'
  | 'unstarted'
  /** A file that was sent changed on the way. */
  | 'changed'

export interface Child {
  readonly pid: number | undefined
  readonly isAlive: boolean
  /** How many requests it has answered. With none, all memory it takes is due to the current one. */
  readonly served: number
  /** One at a time. */
  exchange(
    request: HostRequest,
    bounds: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<ExchangeOutcome>
  /** What needs no answer, and may come in the midst of an exchange. */
  tell(request: HostRequest & { readonly type: 'forget' }): void
  /** Ends the exchange under way, and the child with it. */
  stop(cause: Cause): void
  /** Ends it; resolves when it is gone. */
  kill(): Promise<void>
}

const STDERR_TAIL = 4096 // characters kept for a report
const OUT_OF_MEMORY = /out of memory|allocation failed/i // what V8 prints before it aborts

export function startChild(
  command: readonly string[],
  memoryBytes: number,
  onUsage: (usedBytes: number) => void,
): Child {
  const [file = '', ...args] = command
  // An empty environment keeps our keys away from a hostile file.
  const child = spawn(file, [...args, String(memoryBytes)], { env: {}, windowsHide: true })
  if (!hasPipes(child)) return unstarted(child)
  // A child's pipes are sockets, though their type does not say so. While idle, none of them keeps the parent alive.
  const handles = [child, child.stdin, child.stdout, child.stderr] as unknown as NodeJS.RefCounted[]
  for (const handle of handles) handle.unref()

  let isAlive = true
  let served = 0
  let isAwaited = false
  let stderr = ''
  let settle: ((outcome: ExchangeOutcome) => void) | undefined

  function end(cause: Cause, detail: string): void {
    if (!isAlive) return
    isAlive = false
    child.kill('SIGKILL')
    settle?.({ type: 'ended', cause, detail: [detail, stderr.trim()].filter(Boolean).join('\n') })
  }

  /** One frame at a time: a streamed one takes a while. */
  let streaming: Promise<void> | undefined
  function send(parts: StreamedParts): void {
    if (!isStreamed(parts)) return writeFrame(child.stdin, parts as MessageParts)
    streaming = writeStreamedFrame(child.stdin, parts)
      .catch(error => end('changed', String(error)))
      .finally(() => {
        streaming = undefined
      })
  }

  readFrames(child.stdout, parts => {
    const message = fromParts(parts) as HostAnswer | ChildEnding | ChildUsage
    if (message.type === 'ending') end(message.cause, message.detail)
    else if (message.type === 'usage') onUsage(message.usedBytes)
    else if (message.type !== 'forgotten') settle?.({ type: 'answer', answer: message })
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL)
  })
  child.stdin.on('error', () => {}) // its reader is gone, and `close` reports that too
  const gone = new Promise<void>(resolve => {
    child.on('error', error => {
      end(isShortage(error) ? 'unstarted' : 'crash', toDetail(error))
      resolve()
    })
    child.on('close', (code, signal) => {
      if (OUT_OF_MEMORY.test(stderr)) end('memory', '')
      else if (signal === 'SIGKILL' || signal === 'SIGTERM') end('outside', signal)
      else end('crash', signal ?? `exit code ${code}`)
      resolve()
    })
  })

  return {
    pid: child.pid,
    get isAlive() {
      return isAlive
    },
    get served() {
      return served
    },
    async exchange(request, { timeoutMs, signal }) {
      const parts = toStreamedParts(request)
      const onAbort = () => end('cancelled', '')
      const timer = setTimeout(end, timeoutMs, 'time', '')
      signal?.addEventListener('abort', onAbort)
      for (const handle of handles) handle.ref()
      const outcome = await new Promise<ExchangeOutcome>(resolve => {
        settle = resolve
        send(parts)
      })
      settle = undefined
      if (!isAwaited) for (const handle of handles) handle.unref()
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      if (outcome.type === 'answer' && outcome.answer.type === 'result') served++
      return outcome
    },
    tell(request) {
      const parts = toParts(request)
      if (streaming) void streaming.then(() => writeFrame(child.stdin, parts))
      else writeFrame(child.stdin, parts)
    },
    stop: cause => end(cause, ''),
    kill() {
      isAwaited = true // the exchange that ends with it must not let the parent go first
      end('cancelled', '')
      for (const handle of handles) handle.ref()
      return gone
    },
  }
}

/** There are none when no more files can be opened, though the type does not say so. */
function hasPipes(child: { readonly stdin: unknown }): boolean {
  return Boolean(child.stdin)
}

function unstarted(child: ChildProcess): Child {
  const failed = once(child, 'error') as Promise<[Error]>
  return {
    pid: undefined,
    isAlive: false,
    served: 0,
    async exchange() {
      const [error] = await failed
      return { type: 'ended', cause: 'unstarted', detail: toDetail(error) }
    },
    tell: () => {},
    stop: () => {},
    kill: async () => void (await failed),
  }
}

/** Of open files, processes or memory: it may be over soon. */
function isShortage(error: NodeJS.ErrnoException): boolean {
  return ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes(error.code ?? '')
}

function toDetail(error: Error): string {
  return `it could not be started: ${error.message}`
}
