import { Exit, note, readConfig } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'

/** The exit code of a command that failed, after a note that says why. */
export function exitCodeFor(error: unknown): number {
  if (error instanceof Exit) {
    if (error.message) note(`filewright: ${error.message}`)
    return error.code
  }
  if (isDiskTrouble(error)) {
    note(
      `filewright: the state folder ${readConfig().stateRoot} cannot be used (${error.message}). Free some space or grant permission there, or set FILEWRIGHT_STATE to another folder.`,
    )
    return EXIT_CODES.unavailable
  }
  if (isNoMoreFiles(error)) {
    note(
      `filewright: too many files are open on this machine (${error.message}). Try again when other programs have ended, or raise the limit with ulimit -n.`,
    )
    return EXIT_CODES.unavailable
  }
  note(`filewright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 1
}

function isNoMoreFiles(error: unknown): error is Error {
  return error instanceof Error && /^E[MN]FILE$/.test(String((error as NodeJS.ErrnoException).code))
}

const DISK_CODES = 'ENOSPC EDQUOT EACCES EPERM EROFS ENOTDIR EISDIR EEXIST EIO'.split(' ')
const DISK_WORDS =
  /disk is full|readonly database|unable to open database|disk I\/O error|not a database/ // SQLite's

/** Trouble with the person's files is a failure of a tool; an error that reaches this place came from our own files. */
function isDiskTrouble(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return (
    DISK_CODES.includes(String((error as NodeJS.ErrnoException).code)) ||
    DISK_WORDS.test(error.message)
  )
}
