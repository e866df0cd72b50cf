import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MOST_BYTES = 16 * 1024 * 1024 // some months of use; the part before it is kept next to it

/** The log for diagnosis, in the state folder; it keeps the newest lines, up to a bound. */
export function openLogFile(stateRoot: string, mostBytes = MOST_BYTES): (line: string) => void {
  const folder = join(stateRoot, 'logs')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'filewright.log')
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return line => {
    try {
      if (size >= mostBytes) {
        renameSync(file, `${file}.1`)
        size = 0
      }
      appendFileSync(file, line, { mode: 0o600 })
      size += Buffer.byteLength(line)
    } catch {
      // a log that cannot be written must not stop the work
    }
  }
}
