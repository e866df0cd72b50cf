import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  SHARE_ENV,
  Worker,
} from 'node:worker_threads'
import type { Evaluated, Evaluation, Evaluator } from '@filewright/documents'

/** What the thread is started with. */
export interface EvaluatorThread {
  readonly port: MessagePort
  /** 1 once the answer is in the port; then how many cells it came to. */
  readonly signal: Int32Array
}

/** What it is asked: positions of cells that took too long are not computed again. */
export interface EvaluationAsked {
  readonly evaluation: Evaluation
  readonly late: readonly number[]
}

const TIME_MS = 10_000 // for one computation; a call that edits a workbook may take several times that
const CELL_MS = 3_000 // for one formula, so that a slow one does not take the others along
const LOOK_MS = 250
const MOST_LATE = 3
const HEAP_MB = 512

export interface EvaluatorOptions {
  /** The program of the thread. */
  readonly file?: string
  readonly timeMs?: number
  readonly cellMs?: number
}

/**
 * Computes formulas in a thread of its own, which is ended when it takes too long or too much memory: then the cells
 * have no values, and the edit stands. A formula that takes too long has none, and the others have theirs. The caller waits, as it works on one request at a time anyway. The thread and
 * the library in it start with the first formula.
 */
export function createEvaluator({
  file = programOf(fileURLToPath(import.meta.url)),
  timeMs = TIME_MS,
  cellMs = CELL_MS,
}: EvaluatorOptions = {}): Evaluator {
  let thread: (EvaluatorThread & { end(): void }) | undefined
  return evaluation => {
    const late: number[] = []
    const until = performance.now() + timeMs
    for (;;) {
      thread ??= startThread(file)
      const { port, signal, end } = thread
      Atomics.store(signal, 0, 0)
      Atomics.store(signal, 1, 0)
      port.postMessage({ evaluation, late } satisfies EvaluationAsked)
      const stuckAt = waitFor(signal, until, cellMs)
      const answer = receiveMessageOnPort(port)
      if (answer) return answer.message as Evaluated
      end()
      thread = undefined
      if (stuckAt === undefined || late.length === MOST_LATE) return { problem: 'time' }
      late.push(stuckAt)
    }
  }
}

/** Until it is done, or too late; the position of a cell that takes too long. */
function waitFor(signal: Int32Array, until: number, cellMs: number): number | undefined {
  let [seen, since] = [0, performance.now()]
  // the thread may still be about to notify of the answer before
  while (Atomics.load(signal, 0) === 0) {
    Atomics.wait(signal, 0, 0, Math.min(LOOK_MS, cellMs, Math.max(1, until - performance.now())))
    const now = performance.now()
    const at = Atomics.load(signal, 1)
    if (now >= until) return undefined
    if (at !== seen) [seen, since] = [at, now]
    else if (at > 0 && now - since > cellMs) return at - 1
  }
  return undefined
}

function startThread(file: string): EvaluatorThread & { end(): void } {
  const { port1, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(8))
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
