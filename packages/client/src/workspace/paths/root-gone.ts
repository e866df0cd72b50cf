import { type Failure, fail } from '@filewright/protocol'
import type { ErrnoError } from './folder.ts'

/** The workspace's own folder cannot be opened. Its `code` is the system's answer, as for any step on a disk. */
export class RootGone extends Error {
  readonly code: string
  readonly failure: Failure<'WORKSPACE_GONE'>

  constructor(root: string, { code }: ErrnoError) {
    const { failure } = ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)
      ? fail(
          'WORKSPACE_GONE',
          `The folder of the workspace, "${root}", is gone: it was deleted, moved, renamed or replaced by a link (${code}). No file in it can be read or written. Tell the person, who can put it back, or open it where it is now.`,
        )
      : fail(
          'WORKSPACE_GONE',
          `The folder of the workspace, "${root}", cannot be opened: the system answered ${code}. Try again; if this continues, tell the person.`,
          { kind: 'unavailable' },
        )
    super(failure.message)
    this.code = code
    this.failure = failure
  }
}
