import { type Failure, fail } from '@filewright/protocol'
import { isErrno } from '../workspace/paths/folder.ts'
import { RootGone } from '../workspace/paths/root-gone.ts'
import { sayNothingWritten } from './nothing-written.ts'
import type { ApplyCode, ConflictingFile } from './ports.ts'

/** Thrown inside the engine to leave it at once; `apply` takes everything back and answers with the failure. */
export class ApplyStop extends Error {
  readonly failure: Failure<ApplyCode>

  constructor(failed: { readonly failure: Failure<ApplyCode> }) {
    super(failed.failure.message)
    this.failure = failed.failure
  }
}

/** Names the file that a system error is about; its own message names descriptors. */
export async function about<Value>(path: string, step: Promise<Value>): Promise<Value> {
  try {
    return await step
  } catch (error) {
    if (isErrno(error) && !paths.has(error)) paths.set(error, path)
    throw error
  }
}

const paths = new WeakMap<Error, string>()

export function conflict(files: readonly (ConflictingFile & { readonly why: string })[]) {
  const errors = files.map(({ path, why }) => `"${path}" ${why}`)
  const isTaken = files.every(({ expected, found }) => expected === null && found === null)
  const advice = isTaken
    ? 'Choose another name, or ask the person to free this one.'
    : 'Read the current content and base the change on it.'
  return fail(
    'CONFLICT',
    `Nothing was written: ${errors[0]}${errors.length > 1 ? `, and ${errors.length - 1} more files of the change set have changed` : ''}. ${advice}`,
    { errors, details: { files } },
  )
}

/** Explains the system's answer to the person or model that asked. A bug is rethrown. */
export function toApplyFailure(error: unknown): Failure<ApplyCode> {
  if (error instanceof ApplyStop) return error.failure
  if (error instanceof RootGone) return sayNothingWritten(error.failure)
  if (!isErrno(error)) throw error
  const path = paths.get(error) ?? 'a file of the change set'
  const details = { path, errno: error.code }
  const cannot = `Nothing was written: "${path}" could not be written, because`
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return fail('WRITE_FAILED', `${cannot} the disk is full. Free some space, then try again.`, {
        details,
      }).failure
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return fail(
        'WRITE_FAILED',
        `${cannot} permissions do not allow it (${error.code}). A person must allow writing there.`,
        { kind: 'denied', details },
      ).failure
    case 'EBUSY':
    case 'ETXTBSY':
    case 'EAGAIN':
      return fail(
        'LOCKED',
        `${cannot} another program holds it (${error.code}). Close it there, then try again.`,
        { details },
      ).failure
    case 'ELOOP':
    case 'ENOTDIR':
      return fail(
        'InvalidPath',
        `${cannot} a folder on its path is a link or is no longer a folder. Use a path without links.`,
        { details },
      ).failure
    case 'ENAMETOOLONG':
      return fail('InvalidPath', `${cannot} its path is too long for this disk.`, { details })
        .failure
    case 'EEXIST':
    case 'ENOTEMPTY':
    case 'EISDIR':
      return fail('CONFLICT', `${cannot} something else is in its place (${error.code}).`, {
        details,
      }).failure
    case 'ENOENT':
      return fail(
        'CONFLICT',
        `${cannot} the file or its folder has since disappeared. Read the folder again.`,
        { details },
      ).failure
    default:
      return fail('WRITE_FAILED', `${cannot} the disk answered ${error.code}.`, { details }).failure
  }
}
