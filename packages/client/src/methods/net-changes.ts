import { findFormat } from '@filewright/documents'
import { countChangedLines } from '@filewright/documents/text'
import { type Change, type Effect, ok, type Result } from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import { type Desk, draftedBytes } from '../draft/draft-view.ts'
import { type Expected, expectedFiles } from '../publish/expected-files.ts'
import { diffLines } from '../review/diffs.ts'
import { reviewFiles } from '../review/review-files.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'

/** What a draft would change if it were published now: an edit that a later one took back does not count. */
export async function netChanges(desk: Desk, draft: Draft): Promise<Result<readonly Effect[]>> {
  const reviewed = await reviewFiles(desk, draft)
  if (!reviewed.ok) return reviewed
  const expected = await expectedFiles(desk, draft)
  if (!expected.ok) return expected
  const net: Effect[] = []
  for (const each of reviewed.value) net.push(...(await netOf(desk, draft, each, expected.value)))
  return ok(net)
}

/** Whether the edits of a file cancel out. A file that is created, moved or deleted is a change whatever is in it. */
export async function cancelsOut(
  desk: Desk,
  draft: Draft,
  { file, whole, changes }: ReviewedFile,
  expected: Expected,
): Promise<boolean> {
  if (whole || file.isDeleted || changes.length < 2) return false
  return (await countNet(desk, draft, file, { changes, expected })) === 0
}

async function netOf(
  desk: Desk,
  draft: Draft,
  { file, whole, changes }: ReviewedFile,
  expected: Expected,
): Promise<Effect[]> {
  const { docPath, path, origin, format } = file
  const action = whole ? actionOf(file) : 'changed'
  const from = whole && origin?.how === 'move' ? { from: origin.from } : {}
  const effect = { docPath, path, where: 'draft', action, draftId: draft.id, ...from } as const
  if (file.isDeleted) return [{ ...effect, count: 1, unit: 'files' }]
  const count = await countNet(desk, draft, file, { changes, expected })
  if (count > 0) return [{ ...effect, count, unit: unitOf(format) }]
  return whole ? [{ ...effect, count: 1, unit: 'files' }] : []
}

function actionOf({ isDeleted, origin, disk }: DraftFile): Effect['action'] {
  if (isDeleted) return 'deleted'
  if (origin?.how === 'move') return 'moved'
  return disk === null ? 'created' : 'changed'
}

function unitOf(format: string): string {
  return findFormat(format)?.editing?.unit?.name ?? 'changes'
}

/** Lines by comparing the texts; other places by their first and their last state. */
async function countNet(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  { changes, expected }: { readonly changes: readonly Change[]; readonly expected: Expected },
): Promise<number> {
  const lines = await countLines(desk, draft, file, expected)
  return lines ?? countPlaces(changes.filter(({ kind }) => kind !== 'file'))
}

async function countLines(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  expected: Expected,
): Promise<number | undefined> {
  if (findFormat(file.format)?.has.diff !== 'lines') return undefined
  const source = file.origin?.source ?? file
  const { written } = expected(file)
  const base = source.disk ?? file.begin
  const before = written ?? (base === null ? null : ((await desk.blobs.get(base)) ?? null))
  const after = await draftedBytes(desk, draft, file)
  if (!after.ok) return undefined
  const diff = await diffLines(desk, file, { before, after: after.value })
  return diff === undefined ? undefined : countChangedLines(diff)
}

function countPlaces(changes: readonly Change[]): number {
  const first = new Map<string, Change['before']>()
  const last = new Map<string, Change['after']>()
  for (const { place, before, after } of changes) {
    if (!first.has(place)) first.set(place, before)
    last.set(place, after)
  }
  const isNet = ([place, after]: [string, Change['after']]) =>
    JSON.stringify(after) !== JSON.stringify(first.get(place))
  return [...last].filter(isNet).length
}
