import { fail, type Result } from '@filewright/protocol'
import { isErrno } from '../workspace/paths/folder.ts'

const REASONS = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EIO: 'the disk answered with an error',
} as const

const NO_MORE_FILES = ['EMFILE', 'ENFILE']

/** Our state could not be written: not a bug, and a person can help. Undefined for any other cause. */
export function toUnkept(what: string, cause: unknown): Result<never> | undefined {
  if (isErrno(cause, ...NO_MORE_FILES))
    return fail(
      'LIMIT_REACHED',
      `${what} could not be finished: too many files are open on this machine (${cause.code}). Try again in a moment; if this continues, ask the person to allow more open files. Check the files before you try again.`,
      { kind: 'unavailable' },
    )
  if (!isErrno(cause, ...Object.keys(REASONS))) return undefined
  const reason = REASONS[cause.code as keyof typeof REASONS]
  return fail(
    'WRITE_FAILED',
    `${what} could not be stored in the state folder: ${reason} (${cause.code}). Ask the person to make room or to set FILEWRIGHT_STATE elsewhere; check the files before you try again.`,
  )
}
