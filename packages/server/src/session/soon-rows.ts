import type { NewLine } from '../log/log.ts'

const SOON_MS = 25
const SOON_ROWS = 400

export type SoonAcknowledge = 'written' | 'durable-soon'

/** Rows that may wait: made after the answer has gone out, and appended many at a time. */
export interface SoonRows {
  isEmpty(): boolean
  /** The strongest that any of them asks for. */
  acknowledge(): SoonAcknowledge
  add(make: () => readonly NewLine[], acknowledge: SoonAcknowledge): void
  take(): { readonly rows: NewLine[]; readonly acknowledge: SoonAcknowledge }
}

/** Calls `onDue` when they have waited long enough or there are many. */
export function createSoonRows(onDue: () => void): SoonRows {
  const unmade: (() => readonly NewLine[])[] = []
  const made: NewLine[] = []
  let strongest: SoonAcknowledge = 'written'
  let timer: NodeJS.Timeout | undefined

  function make() {
    for (const makeRows of unmade.splice(0)) made.push(...makeRows())
  }

  return {
    isEmpty: () => made.length + unmade.length === 0,
    acknowledge: () => strongest,
    add(makeRows, acknowledge) {
      if (acknowledge !== 'written') strongest = acknowledge
      unmade.push(makeRows)
      if (made.length >= SOON_ROWS) return onDue()
      if (unmade.length === 1) setImmediate(make)
      timer ??= setTimeout(onDue, SOON_MS)
    },
    take() {
      clearTimeout(timer)
      timer = undefined
      make()
      const taken = { rows: made.splice(0), acknowledge: strongest }
      strongest = 'written'
      return taken
    },
  }
}
