import { fail, ok, type Result } from './result.ts'

/** SHA-256 over the exact bytes, lower-case hex. It alone guards a write. */
export type Sha256 = string & { readonly __brand: 'Sha256' }

/** A prefix of at least 8 hex digits of a file's sha256: five tokens where the whole hash costs 37. */
export type Version = string & { readonly __brand: 'Version' }

/** TUL-004 §4.3's `hash`: over the text with CRLF and CR as LF, in UTF-8. It never guards a write. */
export type ContentHash = string & { readonly __brand: 'ContentHash' }

export const VERSION_LENGTH = 8

export function toVersion(sha256: Sha256): Version {
  return sha256.slice(0, VERSION_LENGTH) as Version
}

/** A full sha256 or a version, in lower case; the length shows which. */
export function parseVersion(text: string): Result<Version | Sha256, 'INVALID_ARGUMENT'> {
  const lower = text.trim().toLowerCase()
  if (/^[0-9a-f]{8,64}$/.test(lower)) return ok(lower as Version)
  return fail(
    'INVALID_ARGUMENT',
    `Cannot use ${JSON.stringify(text.slice(0, 80))} as a version: it must be 8 to 64 hex digits, copied from the "version" or "sha256" of a read.`,
  )
}

/** Finds the one hash that a version abbreviates, among the known hashes of its docPath. */
export function resolveVersion(
  version: Version | Sha256,
  known: readonly Sha256[],
  docPath: string,
): Result<Sha256, 'AMBIGUOUS_VERSION' | 'CONFLICT'> {
  const matches = [...new Set(known.filter(hash => hash.startsWith(version)))]
  if (matches.length === 1) return ok(matches[0]!)
  if (matches.length > 1)
    return fail(
      'AMBIGUOUS_VERSION',
      `Cannot tell which version of "${docPath}" is meant by ${version}: it matches ${matches.join(', ')}. Send one of them in full.`,
      { details: { candidates: matches } },
    )
  const shown = known.slice(0, 5).map(toVersion)
  return fail(
    'CONFLICT',
    shown.length > 0
      ? `No version ${version} of "${docPath}" is known; known versions are ${shown.join(', ')} (newest first).`
      : `No version ${version} of "${docPath}" is known. Read the file and use its version.`,
    { details: { candidates: known.slice(0, 5) } },
  )
}
