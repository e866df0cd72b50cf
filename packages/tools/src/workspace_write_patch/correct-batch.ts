import {
  type FilePatch,
  type LineChange,
  type LinesAround,
  type PatchBatch,
  parseBatch,
} from '@filewright/documents/text'
import {
  type ChangesOnly,
  type DocPath,
  type Fields,
  fail,
  isFields,
  ok,
  parseDocPath,
  parseIfJson,
  type Result,
  toCorrected,
  toVersion,
} from '@filewright/protocol'
import type { ServerContext, SourceFile } from '../server-context.ts'
import { authoritative } from './authoritative.ts'
import { type RepairedFile, repairBatch } from './repair-batch.ts'

/** What the model needs to send a refused batch correctly. */
export interface Help {
  /** The call as it was probably meant; it fits the current files. Never applied unasked. */
  readonly corrected?: Fields | ChangesOnly
  /** The current state of the files with a fault, with the lines around each change. */
  readonly current?: readonly CurrentFile[]
  /** Why searches or hunks that were sent instead of line changes do not fit their files. */
  readonly problems?: readonly string[]
  /** The changes came as searches or as a diff, so nothing need be said about each field. */
  readonly isOtherForm?: boolean
}

export interface CurrentFile extends LinesAround {
  readonly docPath: string
  readonly path: string
  readonly version: string
}

const MOST_FILES = 10
const MOST_PLACES = 20

export async function helpWith(
  input: unknown,
  errors: readonly string[],
  context: ServerContext,
): Promise<Help> {
  const repaired = repairBatch((await context.relative(input)) ?? input)
  if (!repaired) return {}
  const current = await describeFiles(faultyFiles(repaired.files, input, errors), context)
  if (repaired.files.length > MOST_FILES) return { current }
  const { files, problems } = await placeAll(repaired.files, context)
  const isOtherForm = repaired.files.some(file => file.edits ?? file.hunks)
  const help = { current, problems, isOtherForm }
  const parsed = parseBatch({ ...repaired.labels, files })
  if (problems.length > 0 || !parsed.ok) return help
  const corrected: FilePatch[] = []
  for (const file of parsed.value.value.files) {
    const fitting = await correctFile(file, context)
    if (!fitting) return help
    corrected.push(fitting)
  }
  const whole = { ...parsed.value.value, files: corrected }
  return isAsSent(whole, input) ? help : { isOtherForm, corrected: toCorrected(input, whole) }
}

/** Those that an error names, where the files are still those that were sent. */
function faultyFiles(
  files: readonly RepairedFile[],
  input: unknown,
  errors: readonly string[],
): readonly RepairedFile[] {
  const sent = isFields(input) ? parseIfJson(input.files) : undefined
  if (!Array.isArray(sent) || sent.length !== files.length) return files
  return files.filter((_, i) => errors.some(error => error.includes(`files[${i}]`)))
}

/** Every file with line changes, whatever they were sent as. */
async function placeAll(repaired: readonly RepairedFile[], context: ServerContext) {
  const files: Fields[] = []
  const problems: string[] = []
  for (const file of repaired) {
    const placed = await placeChanges(file, context)
    if (placed.ok) files.push(placed.value)
    else problems.push(...placed.failure.errors)
  }
  return { files, problems }
}

/** Searches and hunks become line changes on the file as it is now: they prove their place themselves. */
async function placeChanges(
  { entry, edits, hunks, isWhole }: RepairedFile,
  context: ServerContext,
): Promise<Result<Fields>> {
  const hasPlaces = Array.isArray(entry.changes) && entry.changes.length > 0
  if (!edits && !hunks) return ok(entry)
  if ((edits && hunks) || hasPlaces) return unplaced(entry, [IN_ONE_FORM])
  if (isWhole) return unplaced(entry, [HOW_TO_MAKE])
  const file = await findFile(String(entry.docPath), context)
  const placed = file && (await context.texts.run('place', { edits, hunks }, [file]))
  if (!placed || isBinary(placed)) return unplaced(entry, ['there is no such text file'])
  if (!placed.ok) return unplaced(file, placed.failure.errors)
  return ok({ ...placed.value, ...entry, ...atHead(file), changes: placed.value.changes })
}

function isBinary(result: Result<unknown>): boolean {
  return !result.ok && result.failure.code === 'UNREADABLE_FORMAT'
}

function atHead({ sha256 }: SourceFile) {
  return { originalSha256: toVersion(sha256) }
}

function unplaced({ path, docPath }: Fields | SourceFile, problems: readonly string[]) {
  const errors = problems.map(problem => `"${path ?? docPath}": ${problem}`)
  return fail('INVALID_ARGUMENT', errors.join(' · '), { errors })
}

const IN_ONE_FORM =
  'its changes are searches, parts of a diff and lines with numbers, and each counts from another text; send them in one form'

const HOW_TO_MAKE =
  'a patch changes files that exist; create one with workspace_create_file, and ask the person to delete one'

/** A batch refused for another reason is not worth sending again. */
function isAsSent(batch: PatchBatch, input: unknown): boolean {
  const sent = parseBatch(input)
  return sent.ok && JSON.stringify(sent.value.value) === JSON.stringify(batch)
}

/**
 * The patch on a version that the file has, with each misplaced block at its real place; undefined unless all of it
 * fits.
 */
async function correctFile(
  patch: FilePatch,
  context: ServerContext,
): Promise<FilePatch | undefined> {
  const file = await findFile(patch.docPath, context)
  if (!file) return undefined
  const docPath = file.docPath
  const known = await context.sources.resolveVersion(docPath, patch.originalSha256)
  if (!known.ok && patch.changes.some(isUnproven)) return undefined
  const sha256 = known.ok ? known.value : file.sha256
  const bytes = known.ok ? await context.sources.bytes(known.value) : file.bytes
  if (!bytes) return undefined
  const check = (given: FilePatch) =>
    context.texts.run('check', given, [{ path: file.path, sha256, bytes }])
  const originalSha256 = known.ok ? patch.originalSha256 : toVersion(file.sha256)
  const checked = await check(patch)
  const moved = checked.ok ? patch.changes : placed(patch, checked.failure.details?.problems)
  const fitting = { ...patch, docPath, originalSha256, changes: moved }
  return (await check(fitting)).ok ? fitting : undefined
}

/** An insert without expected neighbours would fit any version. */
function isUnproven(change: LineChange): boolean {
  return change.operation === 'insert' && !change.expectedBefore && !change.expectedAfter
}

/** Replaces each change that has a corrected one. */
function placed(patch: FilePatch, problems: unknown): readonly LineChange[] {
  const found = (problems ?? []) as readonly { at: string; corrected?: LineChange }[]
  return patch.changes.map((change, i) => {
    const own = found.find(({ at }) => at.startsWith(`changes[${i}]`))
    return own?.corrected ?? change
  })
}

/** The file, or the only one with a similar name. */
async function findFile(spelling: string, context: ServerContext): Promise<SourceFile | undefined> {
  const docPath = parseDocPath(spelling)
  if (!docPath.ok) return undefined
  const file = await authoritative(docPath.value, context)
  if (file.ok) return file.value
  const similar = (file.failure.details?.similar ?? []) as readonly string[]
  const other = similar.length === 1 ? parseDocPath(similar[0]!) : undefined
  const found = other?.ok ? await authoritative(other.value as DocPath, context) : undefined
  return found?.ok ? found.value : undefined
}

async function describeFiles(
  files: readonly RepairedFile[],
  context: ServerContext,
): Promise<CurrentFile[]> {
  const described: CurrentFile[] = []
  for (const { entry } of files.slice(0, MOST_FILES)) {
    const file = await findFile(String(entry.docPath), context)
    const changes = Array.isArray(entry.changes) ? entry.changes.slice(0, MOST_PLACES) : []
    const lines = file && (await context.texts.run('around', { changes }, [file]))
    if (!file || !lines?.ok) continue
    described.push({
      docPath: file.docPath,
      path: file.path,
      version: toVersion(file.sha256),
      ...lines.value,
    })
  }
  return described
}
