import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  SHARE_ENV,
  Worker,
} from 'node:worker_threads'
import type { Evaluated, Evaluator } from '@filewright/documents'

/** What the thread is started with. */
export interface EvaluatorThread {
  readonly port: MessagePort
  /** 1 once the answer is in the port. */
  readonly signal: Int32Array
}

const TIME_MS = 10_000 // for one computation; a call that edits a workbook may take several times that
const HEAP_MB = 512

export interface EvaluatorOptions {
  /** The program of the thread. */
  readonly file?: string
  readonly timeMs?: number
}

/**
 * Computes formulas in a thread of its own, which is ended when it takes too long or too much memory: then the cells
 * have no values, and the edit stands. The caller waits, as it works on one request at a time anyway. The thread and
 * the library in it start with the first formula.
 */
export function createEvaluator({
  file = programOf(fileURLToPath(import.meta.url)),
  timeMs = TIME_MS,
}: EvaluatorOptions = {}): Evaluator {
  let thread: (EvaluatorThread & { end(): void }) | undefined
  return evaluation => {
    thread ??= startThread(file)
    const { port, signal, end } = thread
    Atomics.store(signal, 0, 0)
    port.postMessage(evaluation)
    // the thread may still be about to notify of the answer before
    while (Atomics.load(signal, 0) === 0 && Atomics.wait(signal, 0, 0, timeMs) !== 'timed-out');
    const answer = receiveMessageOnPort(port)
    if (answer) return answer.message as Evaluated
    end()
    thread = undefined
    return { problem: 'time' }
  }
}

function startThread(file: string): EvaluatorThread & { end(): void } {
  const { port1, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(file, {
    workerData: { port: port2, signal } satisfies EvaluatorThread,
    transferList: [port2],
    env: SHARE_ENV,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  worker.on('error', () => {}) // its computation then has no answer
  worker.unref()
  port1.unref()
  return { port: port1, signal, end: () => void worker.terminate() }
}

/** Built into one file: beside the bundled command, or in the package's `dist` for code that runs from there or `src`. */
function programOf(here: string): string {
  const folder = dirname(here)
  const home = basename(folder) === 'formulas' ? join(folder, '../../dist') : folder
  return join(home, 'formula-evaluator.cjs')
}
