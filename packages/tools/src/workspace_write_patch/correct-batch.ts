import {
  checkAgainstBase,
  type FilePatch,
  type LineChange,
  type PatchBatch,
  parseBatch,
} from '@filewright/documents/text'
import { type DocPath, parseDocPath, toVersion } from '@filewright/protocol'
import type { ServerContext, SourceFile } from '../server-context.ts'
import { authoritative } from './authoritative.ts'
import { repairBatch } from './repair-batch.ts'

/** What the model needs to send a refused batch correctly. */
export interface Help {
  /** The whole call as it was probably meant; it fits the current files. Never applied unasked. */
  readonly corrected?: PatchBatch
  /** The current state of the files it names, with the lines around each change. */
  readonly current?: readonly CurrentFile[]
}

export interface CurrentFile {
  readonly docPath: string
  readonly path: string
  readonly version: string
  readonly lineCount: number
  readonly around: readonly { readonly firstLine: number; readonly lines: readonly string[] }[]
}

const MOST_FILES = 10
const MOST_PLACES = 20

export async function helpWith(input: unknown, context: ServerContext): Promise<Help> {
  const repaired = repairBatch(input)
  if (!repaired) return {}
  const current = await describeFiles(repaired, context)
  const parsed = parseBatch(repaired)
  if (!parsed.ok || parsed.value.value.files.length > MOST_FILES) return { current }
  const { files, ...labels } = parsed.value.value
  const corrected: FilePatch[] = []
  for (const file of files) {
    const fitting = await correctFile(file, context)
    if (!fitting) return { current }
    corrected.push(fitting)
  }
  const whole = { ...labels, files: corrected }
  return isAsSent(whole, input) ? { current } : { corrected: whole, current }
}

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
  if (!file || !context.textOf(file)) return undefined
  const docPath = file.docPath
  const known = await context.sources.resolveVersion(docPath, patch.originalSha256)
  if (!known.ok && patch.changes.some(isUnproven)) return undefined
  const base = known.ok ? await context.sources.bytes(known.value) : file.bytes
  const doc = base && context.textOf({ sha256: known.ok ? known.value : file.sha256, bytes: base })
  if (!doc) return undefined
  const originalSha256 = known.ok ? patch.originalSha256 : toVersion(file.sha256)
  const checked = checkAgainstBase(doc, patch)
  const moved = checked.ok ? patch.changes : placed(patch, checked.failure.details?.problems)
  const fitting = { ...patch, docPath, originalSha256, changes: moved }
  return checkAgainstBase(doc, fitting).ok ? fitting : undefined
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
  { files }: Readonly<Record<string, unknown>>,
  context: ServerContext,
): Promise<CurrentFile[]> {
  const described: CurrentFile[] = []
  for (const entry of (files as readonly Record<string, unknown>[]).slice(0, MOST_FILES)) {
    const file = await findFile(String(entry.docPath), context)
    const doc = file && context.textOf(file)
    if (!file || !doc) continue
    const changes = Array.isArray(entry.changes) ? entry.changes : []
    described.push({
      docPath: file.docPath,
      path: file.path,
      version: toVersion(file.sha256),
      lineCount: doc.lineCount,
      around: changes.slice(0, MOST_PLACES).map(change => {
        const [first, last] = placeOf(change, doc.lineCount)
        return { firstLine: first, lines: doc.lines(first, last).map(clip) }
      }),
    })
  }
  return described
}

const MOST_CHARACTERS = 2000

function clip(line: string): string {
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line
}

const AROUND = 3
const MOST_LINES = 40

/** The lines of a change with three on either side; for a place beyond the end, the last lines. */
function placeOf(change: Record<string, unknown>, lineCount: number): [number, number] {
  const start = Number(change.startLine ?? change.afterLine ?? 1)
  const end = Number(change.endLine ?? start)
  const near = Math.min(Math.max(1, Number.isInteger(start) ? start : 1), Math.max(1, lineCount))
  const first = Math.max(1, near - AROUND)
  const wanted = Math.max(near, Number.isInteger(end) ? end : near) + AROUND
  return [first, Math.min(lineCount, wanted, first + MOST_LINES - 1)]
}
