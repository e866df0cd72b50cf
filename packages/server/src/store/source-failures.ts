import { type DocPath, fail, type Sha256, toVersion } from '@filewright/protocol'

export interface MovedHead {
  readonly docPath: DocPath
  /** The current hash; null: there is none. */
  readonly sha256: Sha256 | null
}

export function headsMoved(moved: readonly MovedHead[]) {
  const list = moved.map(
    ({ docPath, sha256 }) =>
      `"${docPath}" is now ${sha256 ? `at version ${toVersion(sha256)}` : 'absent'}`,
  )
  return fail(
    'CONFLICT',
    `Nothing was stored: ${list.slice(0, 10).join(', ')}${list.length > 10 ? ` and ${list.length - 10} more` : ''}. Start from the current versions.`,
    { details: { moved } },
  )
}

export function blobsMissing(missing: readonly Sha256[]) {
  return fail(
    'NOT_FOUND',
    `Nothing was stored: the bytes of ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''} have not arrived. Upload them first.`,
    { details: { missing } },
  )
}
