import { getSystemErrorName } from 'node:util'
import { type ErrnoError, errno } from '../../paths/folder.ts'

/** An answer of libc, as Node's own file calls throw it. */
export function toErrno(number: number, what: string): ErrnoError {
  return errno(getSystemErrorName(-number), what)
}
