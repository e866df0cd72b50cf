import { factsOf, findFormat, type Rebased } from '@filewright/documents'
import { type FileChange, fail, ok, type Result, toVersion } from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import { type Desk, engineFor } from '../draft/draft-view.ts'
import { inputBytes } from '../draft/pinned-bytes.ts'
import { sha256OfContent } from '../workspace/tree/hash-content.ts'
import { DECIDE, describeDrift, MAKE_ANEW, READ_AGAIN } from './conflicts.ts'
import type { ExpectedFile } from './expected-files.ts'
import { isReplaced, type NewContent } from './new-content.ts'
import type { OnDisk } from './on-disk.ts'

/** A place on disk that has other bytes than the draft expects there. */
export interface DiskState {
  readonly current: OnDisk
  readonly expected: ExpectedFile
}

export interface RebasedFile {
  readonly change: FileChange
  /** The bytes it was mapped onto. */
  readonly found: Uint8Array
  readonly lineMap?: unknown
}

/** Maps the changes onto the current disk content where that is proven; else a conflict that describes that content. */
export async function rebaseFile(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  planned: NewContent,
  disk: DiskState,
): Promise<Result<RebasedFile>> {
  const { docPath, path } = file
  const barred = findBar(draft, file, disk)
  if (barred) return barred
  const { current } = disk
  const bytes = await current.read()
  if (!bytes.ok) return bytes
  const mapped = await mapOnto(desk, draft, file, planned, { ...disk, bytes: bytes.value })
  if (!mapped.ok) return mapped
  const { content, lineMap } = mapped.value
  const sha256 = sha256OfContent(content, bytes.value)
  const change: FileChange = { docPath, path, base: current.sha256, content, sha256 }
  return ok({ change, found: bytes.value, lineMap })
}

/** Cases no mapping can solve: a new file where one exists, any change without a file, a format that cannot rebase. */
function findBar(
  draft: Draft,
  file: DraftFile,
  { current, expected }: DiskState,
): Result<never> | undefined {
  const { path, disk, begin, format } = file
  const { found, since, details } = describeDrift(draft, file, {
    expected,
    current: current.sha256,
  })
  if (expected.sha256 === null)
    return fail(
      'CONFLICT',
      `Nothing was written: "${path}" was to be a new file, but exists now (${found}). ${isWorkshop(draft) ? DECIDE : 'Choose another name, or edit the existing file.'}`,
      { details },
    )
  const isMappable = findFormat(format)?.has.rebase && (expected.written || begin === disk)
  if (current.sha256 !== null && isMappable) return undefined
  const once = current.sha256 === null ? MAKE_ANEW : READ_AGAIN
  return fail(
    'CONFLICT',
    `Nothing was written: "${path}" changed on disk ${since}. ${isWorkshop(draft) ? DECIDE : once}`,
    { details },
  )
}

async function mapOnto(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  { base, content, refused }: NewContent,
  { current: { sha256 }, expected: known, bytes }: DiskState & { readonly bytes: Uint8Array },
): Promise<Result<Rebased>> {
  const { docPath, path, format, log } = file
  const { found, expected, since, details } = describeDrift(draft, file, {
    expected: known,
    current: sha256,
  })
  const logged = known.written ? [] : log.slice() // of a part, only the difference it makes
  const inputs = await inputBytes(desk, path, logged)
  if (!inputs.ok) return inputs
  const mapped = await engineFor(desk, format).rebase(factsOf(format).id, {
    name: { docPath, path },
    base: known.written ?? base,
    current: bytes,
    log: logged,
    inputs: inputs.value,
    refused,
    planned: content,
    version: toVersion(sha256!),
    since,
    advice: isWorkshop(draft) ? DECIDE : READ_AGAIN,
    isDraft: isWorkshop(draft),
  })
  if (mapped.ok) return mapped
  if (isReplaced(file) && !isWorkshop(draft))
    return fail(
      'CONFLICT',
      `Nothing was written: all of "${path}" was to be replaced, but it changed on disk since then (${found}, and was ${expected}). Read the current version; if you still want to replace all of it, ask for that again.`,
      { details },
    )
  const { code, message, kind, errors } = mapped.failure
  const facts = { ...details, ...mapped.failure.details }
  return fail(code, message, { kind, errors, details: facts })
}

function isWorkshop({ open }: Draft): boolean {
  return open.purpose === 'workshop'
}
