import { type LinePatch, patchBetween, rebaseFilePatch } from '@filewright/documents/text'
import { type FileChange, fail, ok, type Result, toBytes, toVersion } from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import { sha256OfContent } from '../workspace/tree/hash-content.ts'
import { AGAIN, describeDrift, MAKE_ANEW, READ_AGAIN } from './conflicts.ts'
import { isReplaced, type NewContent } from './new-content.ts'
import type { OnDisk } from './on-disk.ts'

export interface RebasedFile {
  readonly change: FileChange
  /** The bytes it was mapped onto. */
  readonly found: Uint8Array
  readonly lineMap?: unknown
}

/** Maps the changes onto what lies on disk now, where that is proven; else a conflict that says what is there. */
export async function rebaseFile(
  draft: Draft,
  file: DraftFile,
  planned: NewContent,
  current: OnDisk,
): Promise<Result<RebasedFile>> {
  const { docPath, path } = file
  const barred = findBar(draft, file, current)
  if (barred) return barred
  const bytes = await current.read()
  if (!bytes.ok) return bytes
  const mapped = mapOnto(draft, file, planned, { current, bytes: bytes.value })
  if (!mapped.ok) return mapped
  const { content, lineMap } = mapped.value
  const sha256 = sha256OfContent(content, bytes.value)
  const change: FileChange = { docPath, path, base: current.sha256, content, sha256 }
  return ok({ change, found: bytes.value, lineMap })
}

/** What no mapping can do: a new file onto one that is there, anything onto nothing, other formats than text. */
function findBar(draft: Draft, file: DraftFile, current: OnDisk): Result<never> | undefined {
  const { path, disk, begin, format } = file
  const { found, since, details } = describeDrift(draft, file, current.sha256)
  if (disk === null)
    return fail(
      'CONFLICT',
      `Nothing was written: "${path}" was to be a new file, and there is a file now (${found}). Choose another name, or edit the file that is there.`,
      { details },
    )
  if (current.sha256 !== null && format === 'text' && begin === disk) return undefined
  const once = current.sha256 === null ? MAKE_ANEW : READ_AGAIN
  return fail(
    'CONFLICT',
    `Nothing was written: "${path}" changed on disk ${since}. ${isWorkshop(draft) ? AGAIN : once}`,
    { details },
  )
}

function mapOnto(
  draft: Draft,
  file: DraftFile,
  planned: NewContent,
  { current, bytes }: { readonly current: OnDisk; readonly bytes: Uint8Array },
) {
  const { path } = file
  const { found, expected, since, details } = describeDrift(draft, file, current.sha256)
  const version = toVersion(current.sha256!)
  const options = { path, version, ...(isWorkshop(draft) && { advice: AGAIN }) }
  const patch = patchOf(file, planned)
  if (!patch)
    return fail(
      'CONFLICT',
      `Nothing was written: "${path}" changed on disk ${since}, and its change cannot be mapped by lines. ${isWorkshop(draft) ? AGAIN : READ_AGAIN}`,
      { details },
    )
  const mapped = rebaseFilePatch(planned.base, bytes, patch, options)
  if (mapped.ok) return mapped
  if (isReplaced(file) && !isWorkshop(draft))
    return fail(
      'CONFLICT',
      `Nothing was written: all of "${path}" was to be replaced, and it changed on disk since then (${found}, and was ${expected}). Read it as it is now; if all of it is still to be replaced, ask for that again.`,
      { details },
    )
  const { code, message, kind, errors } = mapped.failure
  const facts = { ...details, ...mapped.failure.details }
  return fail(code, message, { kind, errors, details: facts })
}

function isWorkshop({ open }: Draft): boolean {
  return open.purpose === 'workshop'
}

/** One patch keeps its own changes and what they expect around them; anything else is the difference it made. */
function patchOf(file: DraftFile, planned: NewContent): LinePatch | undefined {
  const only = file.log.length === 1 ? file.log.at(0)!.operation : undefined
  const isWhole = only?.op === 'line_changes' && !planned.isNarrowed
  if (isWhole) {
    const { op: _, ...patch } = only
    return patch as unknown as LinePatch
  }
  return patchBetween(planned.base, toBytes(planned.content, planned.base))
}
