import { type Failure, fail, type Result, type Sha256, toVersion } from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import type { ExpectedFile } from './expected-files.ts'

/** Where each change in conflict can be decided. */
export const DECIDE =
  '"filewright review" lists the changes in conflict; a person decides each on the page or with "filewright draft resolve CHANGE_ID… --theirs" (what is on disk stays) or "--ours" (the draft\'s change stays). To publish the other changes without them: "filewright publish --refuse".'

/** For a caller with a one-call change: there is no draft to continue. */
export const READ_AGAIN = 'Read the current version and plan the change on it.'
export const MAKE_ANEW = 'List the current files; if it is still wanted, create it again.'

/** A file that was to be deleted or moved, and has changed. */
export function goneButChanged(
  how: 'deleted' | 'moved',
  file: DraftFile,
  expected: ExpectedFile,
  found: Sha256 | null,
): { readonly ok: false; readonly failure: Failure } {
  const version = found && toVersion(found)
  const now = version ? `it is version ${version} now` : 'it is gone'
  return fail(
    'CONFLICT',
    `Nothing was written: "${file.path}" was to be ${how}, but changed on disk since the draft began (${now}). ${DECIDE}`,
    { details: factsOf(file, expected, found) },
  )
}

/** The file as the draft has it, and as it was found: for messages about the two. */
export interface Drift {
  /** "it is version 1a2b3c4d" */
  readonly found: string
  /** "version 1a2b3c4d" */
  readonly expected: string
  readonly since: string
  readonly details: Readonly<Record<string, unknown>>
}

export function describeDrift(
  { open }: Pick<Draft, 'open'>,
  file: DraftFile,
  {
    expected: known,
    current,
  }: { readonly expected: ExpectedFile; readonly current: Sha256 | null },
): Drift {
  const found = current === null ? 'it is gone' : `it is version ${toVersion(current)}`
  const expected = known.sha256 === null ? 'a new file' : `version ${toVersion(known.sha256)}`
  const since =
    open.purpose === 'workshop'
      ? `since the draft began (the draft is based on ${expected}, ${found})`
      : `since this was planned (on ${expected}, ${found})`
  return { found, expected, since, details: factsOf(file, known, current) }
}

function factsOf(
  { docPath, path }: DraftFile,
  { sha256: expected }: ExpectedFile,
  found: Sha256 | null,
) {
  return { docPath, path, expected, found, ...(found && { version: toVersion(found) }) }
}

/** Reports all at once: a new plan needs to know every changed file. */
export function joinConflicts(conflicts: readonly Failure[]): Result<never> {
  const [first] = conflicts
  if (conflicts.length === 1) return { ok: false, failure: first! }
  const prefix = /^Nothing was written: /
  const found = (message: string) => message.replace(prefix, '').replace(` ${DECIDE}`, '')
  const messages = conflicts.map(({ message }) => found(message))
  if (conflicts.some(({ message }) => message.endsWith(DECIDE))) messages.push(DECIDE)
  return fail(
    'CONFLICT',
    `Nothing was written: ${conflicts.length} files are in conflict. ${messages.join(' ')}`,
    {
      errors: conflicts.flatMap(({ message, errors, details }) =>
        errors[0] === message
          ? [found(message)]
          : errors.map(error => `"${details?.path}": ${error}`),
      ),
      details: { files: conflicts.map(({ details }) => details) },
    },
  )
}
