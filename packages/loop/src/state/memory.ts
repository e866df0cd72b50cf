import { isRewind, type JournalLine, type LogRow, rowsInView } from '@filewright/protocol'
import type { LoopPort } from '../port/loop-port.ts'
import { createTranscript, type Transcript } from '../prompt/transcript.ts'
import { fold } from './fold.ts'
import { type LoopState, NEW_STATE } from './loop-state.ts'
import { withPauseEnded } from './pause.ts'

/** The log as the loop holds it: the folded state and the transcript, in step with what was appended. */
export interface Memory {
  readonly state: LoopState
  readonly transcript: Transcript
  /** Aborts when a row could not be written: nothing may continue after that. */
  readonly lost: AbortSignal
  /** Stops everything here, as if a row could not be written. */
  leave(cause?: Error): void
  /** Folds what others appended since. */
  catchUp(): Promise<void>
  append(lines: readonly JournalLine[], consumed?: readonly string[]): void
  /** Resolves when all that was appended cannot be lost any more; rejects when some of it was not kept. */
  settled(): Promise<void>
}

export function createMemory(port: Pick<LoopPort, 'rows' | 'append'>): Memory {
  let state = NEW_STATE
  let durable: Promise<unknown> = Promise.resolve()
  let transcript = createTranscript()
  const lost = new AbortController()

  const add = (rows: readonly LogRow[]) => {
    for (const row of rows) {
      state = fold(state, row)
      transcript.add(row)
    }
  }

  const appendOrLose: LoopPort['append'] = (lines, consumed) => {
    try {
      return port.append(lines, consumed)
    } catch (cause) {
      lost.abort(cause)
      throw cause
    }
  }

  return {
    get state() {
      return state
    },
    get transcript() {
      return transcript
    },
    lost: lost.signal,
    leave: (cause = new Error('The run was left for another process')) => lost.abort(cause),
    catchUp: async () => {
      const rows = await port.rows(state.seq)
      if (!rows.some(isRewind)) return add(rows)
      const all = state.seq === 0 ? rows : await port.rows(0)
      state = NEW_STATE
      transcript = createTranscript()
      add(rowsInView(all))
    },
    append: (lines, consumed) => {
      if (lines.length === 0 && !consumed) return
      const appended = appendOrLose(withPauseEnded(state, lines), consumed)
      add(appended.rows)
      durable = Promise.all([durable, appended.durable])
      durable.catch(cause => lost.abort(cause)) // a caller that awaits `settled` gets the error there
    },
    settled: () => {
      const settled = durable.then(() => {})
      settled.catch(() => {}) // `lost` tells those who no longer wait
      return settled
    },
  }
}
