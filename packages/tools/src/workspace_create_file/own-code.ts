import { type Failure, lookUp, parseDocPath } from '@filewright/protocol'

/** TUL-004's own codes for failures that every writing tool may meet. */
export function toOwnCode(
  { code, details }: Failure,
  { path, overwrite = false }: { readonly path: string; readonly overwrite?: boolean },
) {
  if (isOfParentFolder(details, path)) return 'DirectoryCreateFailed'
  const isThere = code === 'CONFLICT' && details?.expected === null
  if (isThere && !overwrite) return 'FileExists' // it appeared while the call waited for a person
  return lookUp(OWN_CODES, code)
}

/** The failure was in a folder on the way to the file. */
function isOfParentFolder(details: Failure['details'], path: string): boolean {
  if (details?.errno === undefined) return false
  if (details.cause === 'folder') return true
  const target = parseDocPath(path)
  const failed = parseDocPath(String(details.path))
  return target.ok && failed.ok && target.value.startsWith(`${failed.value}/`)
}

const OWN_CODES = {
  WRITE_FAILED: 'WriteFailed',
  LOCKED: 'WriteFailed',
  TOO_LARGE: 'TooLarge',
  INTERNAL_ERROR: 'UnhandledException',
} as const
