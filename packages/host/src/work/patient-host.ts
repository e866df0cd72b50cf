import { startWaiting, whileWaiting } from '../show/waiting-line.ts'
import type { Host } from './host.ts'

/** On a terminal a command that takes over a second says so, whatever it waits for. */
export function patientHost(host: Host, label: string): Host {
  return {
    ...host,
    inWorkspace(options, work) {
      const opening = startWaiting(label)
      const opened = host.inWorkspace(options, given => {
        opening.end()
        const { connection } = given
        const call: typeof connection.call = (name, ...asked) =>
          whileWaiting(label, () => connection.call(name, ...asked))
        return work({ ...given, connection: { ...connection, call } })
      })
      return opened.finally(() => opening.end())
    },
  }
}
