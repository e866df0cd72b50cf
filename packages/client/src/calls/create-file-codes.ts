import {
  type Answer,
  fail,
  type PublishedFile,
  parseDocPath,
  type Result,
} from '@filewright/protocol'
import type { Tool } from '@filewright/tools'

/** TUL-004's own codes for its tool; everybody else keeps the common ones. */
export function asToolCode(
  tool: Tool,
  { input }: { readonly input: unknown },
  result: Result<Answer<Record<string, unknown>>>,
): typeof result {
  if (result.ok || !isCreateFile(tool)) return result
  const { code, kind, details } = result.failure
  const { path, overwrite = false } = input as { path: string; overwrite?: boolean }
  const own = isOfParentFolder(details, path)
    ? 'DirectoryCreateFailed'
    : code === 'CONFLICT' && details?.expected === null && !overwrite
      ? 'FileExists' // it came while the call waited for a person
      : CREATE_FILE_CODES[code]
  if (own === undefined) return result
  const usual = tool.declaration.failures[own] ?? kind
  const failure = { ...result.failure, code: own, kind: kind === 'denied' ? kind : usual }
  return { ok: false, failure }
}

export function isCreateFile(tool: Tool): boolean {
  return tool.declaration.name === 'workspace_create_file'
}

/** What failed was a folder on the way to the file. */
function isOfParentFolder(
  details: Readonly<Record<string, unknown>> | undefined,
  path: string,
): boolean {
  if (details?.errno === undefined) return false
  if (details.cause === 'folder') return true
  const target = parseDocPath(path)
  const failed = parseDocPath(String(details.path))
  return target.ok && failed.ok && target.value.startsWith(`${failed.value}/`)
}

/** Written, and gone or changed again before its content could be hashed (TUL-004 §5.3). */
export function findUnhashed(
  tool: Tool,
  files: readonly PublishedFile[],
): Result<never> | undefined {
  const file = isCreateFile(tool) ? files.find(each => each.contentHash === null) : undefined
  if (!file) return undefined
  const { path, after: sha256 } = file
  return fail(
    'HashFailed',
    `"${path}" was written, but it could not be read again to compute its content hash: something else changed it meanwhile. Read it before you go on.`,
    { kind: 'internal', details: { path, sha256 } },
  )
}

const CREATE_FILE_CODES: Readonly<Record<string, string>> = {
  WRITE_FAILED: 'WriteFailed',
  LOCKED: 'WriteFailed',
  TOO_LARGE: 'TooLarge',
  INTERNAL_ERROR: 'UnhandledException',
}
