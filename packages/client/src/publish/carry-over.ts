import { factsOf, findFormat, type Rebased } from '@filewright/documents'
import {
  type Change,
  type ChangeId,
  inline,
  ok,
  type Result,
  type Sha256,
  toBytes,
  toVersion,
} from '@filewright/protocol'
import { type Draft, type DraftFile, isMadeHere } from '../draft/draft.ts'
import { type Desk, engineFor } from '../draft/draft-view.ts'
import { inputBytes } from '../draft/pinned-bytes.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import { describeDrift } from './conflicts.ts'
import { asItWas, type ExpectedFile } from './expected-files.ts'
import { contentOf } from './new-content.ts'
import { currentOnDisk } from './on-disk.ts'

/** A file that somebody else saved while the draft changes it. */
export interface SavedFile {
  readonly sha256: Sha256
  readonly bytes: Uint8Array
}

/** Undefined: it is as the draft expects it, or nothing could carry the draft over. */
export async function findSaved(
  desk: Desk,
  file: DraftFile,
  expected: ExpectedFile,
): Promise<Result<SavedFile | undefined>> {
  const isPlain = !file.isDeleted && !isMadeHere(file) && file.begin === file.disk
  if (!isPlain || !findFormat(file.format)?.has.rebase) return ok(undefined)
  const current = await currentOnDisk(desk, file)
  if (!current.ok) return current
  const { sha256, read } = current.value
  if (sha256 === null || sha256 === expected.sha256) return ok(undefined)
  const bytes = await read()
  return bytes.ok ? ok({ sha256, bytes: bytes.value }) : bytes
}

/** What a person decided: changes that are given up, and changes that are kept whatever their place holds. */
export interface Sides {
  readonly theirs?: ReadonlySet<ChangeId>
  readonly ours?: ReadonlySet<ChangeId>
  /** The file is published in part: its bytes with that part, and the changes that are left. */
  readonly rest?: { readonly written: Uint8Array; readonly changes: readonly Change[] }
}

/** The draft's changes of a file on other bytes than its base. */
export async function carryOver(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  { sha256, bytes }: SavedFile,
  { theirs = new Set(), ours, rest }: Sides = {},
): Promise<Result<Rebased>> {
  const made = await contentOf(desk, draft, file, theirs)
  if (!made.ok) return made
  const { base, content } = made.value
  const { docPath, path, format, log } = file
  const logged = log.slice()
  const inputs = await inputBytes(desk, path, logged)
  if (!inputs.ok) return inputs
  const asWritten = rest && { ...asItWas(file), sha256: sha256Of(rest.written) }
  const expected = asWritten ?? asItWas(file)
  return engineFor(desk, format).rebase(factsOf(format).id, {
    name: { docPath, path },
    base: rest ? rest.written : base,
    current: bytes,
    log: logged,
    inputs: inputs.value,
    ...(rest && { left: rest.changes.filter(({ id }) => !theirs.has(id)) }),
    refused: theirs,
    planned: rest ? inline(toBytes(content, base)) : content,
    version: toVersion(sha256),
    since: describeDrift(draft, file, { expected, current: sha256 }).since,
    advice: '',
    isDraft: true,
    ...(ours && { ours }),
  })
}
