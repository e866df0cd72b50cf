import { isMainThread, SHARE_ENV, Worker } from 'node:worker_threads'
import { readFrames, writeFrame } from './frames.ts'
import type { LoadFormat } from './load-format.ts'
import { buffersOf, type MessageParts, toParts } from './parts.ts'

const SAMPLE_MS = 20 // at 1 GB/s of allocation the bound is passed by 20 MB
const REPORT_BYTES = 16 * 2 ** 20 // the parent hears of every change by this much
const HEAP_SHARE = 0.8 // of the memory bound: the rest is for what lies outside the heap

/** The child's report about its own end, separate from the answers. */
export interface ChildEnding {
  readonly type: 'ending'
  readonly cause: 'memory' | 'crash'
  readonly detail: string
}

/** How much memory the child takes, for the parent, which adds up all its children. */
export interface ChildUsage {
  readonly type: 'usage'
  readonly usedBytes: number
}

export interface HostOptions {
  /** Called in the child and in its thread, each of which may be killed as soon as the result is out. */
  readonly beforeFirstResult?: () => void
}

/**
 * The child process, until its parent goes. The work runs in a thread; the main thread carries frames, samples memory
 * and sees the parent go, however busy the work is. The entry file that calls this is the thread's entry too, so it
 * should import nothing large: each thread would pay for it.
 */
export async function runEngineHost(
  loadFormat: LoadFormat,
  { beforeFirstResult = () => {} }: HostOptions = {},
): Promise<void> {
  if (isMainThread) return superviseThread(beforeFirstResult)
  const { answerRequests } = await import('./answer-requests.ts')
  answerRequests(loadFormat, beforeFirstResult)
}

function superviseThread(beforeFirstAnswer: () => void): void {
  const memoryBytes = Number(process.argv.at(-1))
  const thread = new Worker(process.argv[1]!, {
    argv: process.argv.slice(2),
    env: SHARE_ENV,
    stdout: true,
    trackUnmanagedFds: false,
    resourceLimits: { maxOldGenerationSizeMb: Math.round((memoryBytes * HEAP_SHARE) / 2 ** 20) },
  })
  thread.stdout.pipe(process.stderr) // stdout carries frames only

  let sampling: NodeJS.Timeout | undefined
  let unanswered = 0
  readFrames(process.stdin, parts => {
    unanswered++
    sampling ??= setInterval(sampleMemory, SAMPLE_MS)
    thread.postMessage(parts, buffersOf(parts))
  })
  thread.once('message', beforeFirstAnswer)
  thread.on('message', (parts: MessageParts) => {
    if (--unanswered === 0) {
      clearInterval(sampling)
      sampling = undefined
    }
    writeFrame(process.stdout, parts)
  })

  let reported = 0
  function sampleMemory(): void {
    const used = process.memoryUsage.rss()
    if (used > memoryBytes) return end('memory', `${used} bytes resident`)
    if (Math.abs(used - reported) < REPORT_BYTES) return
    reported = used
    const usage: ChildUsage = { type: 'usage', usedBytes: used }
    writeFrame(process.stdout, toParts(usage))
  }
  thread.on('error', error => {
    const isHeap = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    end(isHeap ? 'memory' : 'crash', error?.stack ?? String(error))
  })
  thread.on('exit', code => end('crash', `the thread ended with ${code}`))

  for (const event of ['end', 'close', 'error']) process.stdin.on(event, die)
  process.stdout.on('error', die)
  process.on('SIGINT', () => {}) // ^C is for the parent, which may go on
}

function end(cause: ChildEnding['cause'], detail: string): void {
  const ending: ChildEnding = { type: 'ending', cause, detail }
  writeFrame(process.stdout, toParts(ending), die)
}

/** Nothing needs saving here, and `process.exit` would wait for a thread that may never yield. */
function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
