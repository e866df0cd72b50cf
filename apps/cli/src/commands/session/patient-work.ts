import type { Work } from '@filewright/host'
import type { Console } from '../../terminal/console.ts'

/** What a person waits for, by the route that does it. */
const DOING: Readonly<Record<string, string>> = {
  sendMessage: 'Sending',
  review: 'Looking into the draft',
  publish: 'Publishing',
  discard: 'Throwing the draft away',
  undo: 'Undoing',
  redo: 'Redoing',
  rewind: 'Taking it back',
  resume: 'Going on',
}

interface PatientOptions {
  /** A run has a line of its own. */
  readonly isShown: () => boolean
}

/** What a command of the person waits for is seen while it takes. */
export function patientWork(work: Work, console: Console, { isShown }: PatientOptions): Work {
  const { connection } = work
  const call: typeof connection.call = async (name, ...asked) => {
    const doing = DOING[name]
    if (doing === undefined || !isShown()) return connection.call(name, ...asked)
    const since = performance.now()
    const say = () => {
      const seconds = Math.round((performance.now() - since) / 1000)
      if (isShown()) console.status(seconds > 0 ? `${doing} · ${seconds} s` : doing)
    }
    say()
    const ticking = setInterval(say, 1000)
    try {
      return await connection.call(name, ...asked)
    } finally {
      clearInterval(ticking)
      if (isShown()) console.status(undefined)
    }
  }
  return { ...work, connection: { ...connection, call } }
}
