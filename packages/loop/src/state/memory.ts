import type { JournalLine } from '@filewright/protocol'
import type { LoopPort } from '../port/loop-port.ts'
import { createTranscript, type Transcript } from '../prompt/transcript.ts'
import { fold } from './fold.ts'
import { type LoopState, NEW_STATE } from './loop-state.ts'

/** The log as the loop holds it: the folded state and the transcript, in step with what was appended. */
export interface Memory {
  readonly state: LoopState
  readonly transcript: Transcript
  /** Aborts when a row could not be kept: nothing may go on from then. */
  readonly lost: AbortSignal
  /** Nothing may go on here from now on, as if a row had not been kept. */
  leave(): void
  /** Folds what others appended since. */
  catchUp(): Promise<void>
  append(lines: readonly JournalLine[], consumed?: readonly string[]): void
  /** Resolves when all that was appended cannot be lost any more; rejects when some of it was not kept. */
  settled(): Promise<void>
}

export function createMemory(port: Pick<LoopPort, 'rows' | 'append'>): Memory {
  let state = NEW_STATE
  let durable: Promise<unknown> = Promise.resolve()
  const transcript = createTranscript()
  const lost = new AbortController()

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
    transcript,
    lost: lost.signal,
    leave: () => lost.abort(new Error('The run was left for another process')),
    catchUp: async () => {
      for (const row of await port.rows(state.seq)) {
        state = fold(state, row)
        transcript.add(row)
      }
    },
    append: (lines, consumed) => {
      if (lines.length === 0 && !consumed) return
      const appended = appendOrLose(lines, consumed)
      for (const row of appended.rows) {
        state = fold(state, row)
        transcript.add(row)
      }
      durable = Promise.all([durable, appended.durable])
      durable.catch(cause => lost.abort(cause)) // a caller that awaits `settled` gets the error there
    },
    settled: async () => {
      await durable
    },
  }
}
