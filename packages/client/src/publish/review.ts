import { decodeText, isBinary, unifiedDiff } from '@filewright/documents/text'
import {
  type Change,
  type ChangeId,
  type ChangeSide,
  type DocPath,
  type DraftFileSummary,
  type DraftSummary,
  ok,
  type Result,
  toChangeId,
} from '@filewright/protocol'
import { type Draft, type DraftFile, isRespelled, type OperationRef } from '../draft/draft.ts'
import { type Desk, draftedBytes, draftedRef, engineFor } from '../draft/draft-view.ts'

/** A drafted file with everything a person decides on. */
export interface ReviewedFile {
  readonly file: DraftFile
  /** The change that is the file itself: made, copied, moved or deleted. Refused, everything in the file goes. */
  readonly whole?: Change
  /** `whole` first. */
  readonly changes: readonly Change[]
}

/** The changes of a draft in the order of its files. */
export async function reviewFiles(
  desk: Desk,
  draft: Draft,
): Promise<Result<readonly ReviewedFile[]>> {
  const reviewed: ReviewedFile[] = []
  for (const file of draft.files.values()) {
    if (file.isDeleted && !file.deletion) continue // moved away: shown where it went
    if (file.isDeleted && file.disk === null) continue // made and deleted within the draft
    const changes = await changesOf(desk, draft, file)
    if (!changes.ok) return changes
    reviewed.push(changes.value)
  }
  return ok(addDependencies(reviewed))
}

async function changesOf(desk: Desk, draft: Draft, file: DraftFile): Promise<Result<ReviewedFile>> {
  const whole = await wholeChange(desk, draft, file)
  const edited = file.deletion?.edited
  if (whole && edited) return deletionOf(desk, draft, { file, whole, edited })
  if (file.log.length === 0) return ok({ file, whole, changes: whole ? [whole] : [] })
  const listed = await engineFor(desk, file.format).changes(draftedRef(desk, draft, file))
  if (!listed.ok) return listed
  if (!whole) return ok({ file, changes: listed.value })
  const before = operationKeys(file.origin?.source?.log.slice() ?? [])
  const folded = new Set(
    listed.value.filter(change => isMaking(change, file)).map(change => change.id),
  )
  const inside = listed.value
    .filter(change => !folded.has(change.id))
    .map(change => {
      const needed = change.dependsOn.filter(id => !folded.has(id) && id !== whole.id)
      const isEarlier = isRespelled(file) || before.has(operationKey(change.operation))
      return { ...change, dependsOn: isEarlier ? needed : [whole.id, ...needed] }
    })
  return ok({ file, whole, changes: [whole, ...inside] })
}

/** What was edited before the deletion is there to be decided on too: it stays when the deletion is refused. */
async function deletionOf(
  desk: Desk,
  draft: Draft,
  { file, whole, edited }: Record<'file' | 'edited', DraftFile> & { whole: Change },
): Promise<Result<ReviewedFile>> {
  const before = await changesOf(desk, draft, edited)
  if (!before.ok) return before
  const changes = before.value.changes.map(change => ({
    ...change,
    place: `${change.place}, if the file is kept`,
  }))
  return ok({ file, whole, changes: [whole, ...changes] })
}

async function wholeChange(desk: Desk, draft: Draft, file: DraftFile): Promise<Change | undefined> {
  const frame = {
    docPath: file.docPath,
    path: file.path,
    kind: 'file' as const,
    dependsOn: [],
    atomic: true,
  }
  if (file.isDeleted) {
    const { toolCallId, index, sizeBytes } = file.deletion!
    const operation = { toolCallId, index, op: 'delete' }
    return {
      ...frame,
      id: toChangeId(toolCallId, index, `delete ${file.docPath}`),
      place: 'file deleted',
      before: { path: file.path, sizeBytes },
      after: null,
      operation,
    }
  }
  if (file.origin) {
    const { how, fromPath, toolCallId, index } = file.origin
    const operation = { toolCallId, index, op: how }
    return {
      ...frame,
      id: toChangeId(toolCallId, index, `${how} ${file.docPath}`),
      place: `${how === 'move' ? 'moved' : 'copied'} from ${fromPath}${file.disk === null || isRespelled(file) ? '' : ', in place of the file that was here'}`,
      before: how === 'move' ? { path: fromPath } : file.disk === null ? null : { path: file.path },
      after: { path: file.path },
      operation,
    }
  }
  const made = makingOf(file)
  if (!made) return undefined
  const lines = file.format === 'text' ? await previewLines(desk, draft, file) : undefined
  return { ...made, after: { path: file.path, ...(lines && { ...lines, firstLine: 1 }) } }
}

/** What a call changed in a file, by the ids that a review has. */
export function toldChanges(file: DraftFile, changes: readonly Change[]): readonly Change[] {
  const made = file.format === 'text' ? makingOf(file) : undefined
  if (!made || !changes.every(change => isMaking(change, file))) return changes
  const lines = changes.flatMap(({ after }) => after?.lines ?? [])
  return [{ ...made, after: { path: file.path, lines, firstLine: 1 } }]
}

/** The text a new file was made with is the file itself, not a second change. */
function isMaking(change: Change, { origin, log }: DraftFile): boolean {
  const first = log.at(0)
  return !origin && change.operation.op === 'write_text' && !!first && isOperation(change, first)
}

/** The change that is a file made in the draft; its lines are left out. */
function makingOf(file: DraftFile): Change | undefined {
  const first = makerOf(file)
  const isNew = file.disk === null
  if (!first || !(isNew || file.under)) return undefined
  const { docPath, path } = file
  return {
    docPath,
    path,
    kind: 'file',
    dependsOn: [],
    atomic: true,
    id: toChangeId(first.toolCallId, first.index, `new ${docPath}`),
    place: `${isNew ? 'new file' : 'file written anew'}${file.copyOf ? `, a copy of ${file.copyOf}` : ''}`,
    before: isNew ? null : { path },
    after: { path },
    operation: first,
  }
}

/** The first operation of a new file; a call that asked for an empty file or a mere copy has none. */
function makerOf({ log, enteredBy, copyOf }: DraftFile): Change['operation'] | undefined {
  const first = log.at(0)
  if (first && (enteredBy === undefined || first.toolCallId === enteredBy))
    return { toolCallId: first.toolCallId, index: first.index, op: first.operation.op }
  return enteredBy === undefined
    ? undefined
    : { toolCallId: enteredBy, index: 0, op: copyOf ? 'copy' : 'create' }
}

/** Enough to read; the diff beside it has everything. */
const PREVIEW_LINES = 10_000
const PREVIEW_BYTES = 1024 * 1024

async function previewLines(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
): Promise<Pick<ChangeSide, 'lines' | 'lineCount'> | undefined> {
  const bytes = await draftedBytes(desk, draft, file)
  if (!bytes.ok || isBinary(bytes.value)) return undefined
  const beginning = decodeText(bytes.value.subarray(0, PREVIEW_BYTES))
  const lines = beginning.lines(1, Math.min(beginning.lineCount, PREVIEW_LINES))
  if (bytes.value.length <= PREVIEW_BYTES && lines.length === beginning.lineCount) return { lines }
  return { lines, lineCount: decodeText(bytes.value).lineCount }
}

/** A copy stands on what had made its content; what took the place of a moved file stands on that move. */
function addDependencies(files: readonly ReviewedFile[]): readonly ReviewedFile[] {
  const all = files.flatMap(reviewed => reviewed.changes)
  return files.map(reviewed => {
    const { docPath, takes = [] } = reviewed.file
    const takenFrom = operationKeys(takes)
    const taken =
      takes.length === 0 ? [] : all.filter(change => takenFrom.has(operationKey(change.operation)))
    const movedAway = files.flatMap(({ file, whole }) =>
      whole && file.origin?.source?.docPath === docPath ? [whole] : [],
    )
    if (taken.length === 0 && movedAway.length === 0) return reviewed
    const own = new Set(reviewed.changes.map(change => change.id))
    const needed = [...taken, ...movedAway].map(change => change.id).filter(id => !own.has(id))
    if (needed.length === 0) return reviewed
    const standing = (change: Change) => ({
      ...change,
      dependsOn: [...change.dependsOn, ...needed],
    })
    const { whole } = reviewed
    if (!whole) return { ...reviewed, changes: reviewed.changes.map(standing) }
    const changed = standing(whole)
    return { ...reviewed, whole: changed, changes: [changed, ...reviewed.changes.slice(1)] }
  })
}

export function operationKeys(operations: readonly OperationRef[]): ReadonlySet<string> {
  return new Set(operations.map(operationKey))
}

export function operationKey({ toolCallId, index }: OperationRef): string {
  return `${index} ${toolCallId}`
}

function isOperation(change: Change, operation: OperationRef): boolean {
  return (
    change.operation.toolCallId === operation.toolCallId &&
    change.operation.index === operation.index
  )
}

/** The refused changes and whatever cannot stand without them. */
export function closeOverDependants(
  changes: readonly Change[],
  refused: Iterable<ChangeId>,
): { readonly refused: ReadonlySet<ChangeId>; readonly dropped: readonly ChangeId[] } {
  const gone = new Set(refused)
  const given = new Set(gone)
  if (gone.size === 0) return { refused: gone, dropped: [] }
  const cut = new Set<string>()
  const drop = (change: Change) => {
    gone.add(change.id)
    if (isPlaceOfAtomic(change)) cut.add(atomicKey(change))
  }
  for (const change of changes) if (gone.has(change.id)) drop(change)
  const isCut = (change: Change) => isPlaceOfAtomic(change) && cut.has(atomicKey(change))
  for (let grew = true; grew; ) {
    grew = false
    for (const change of changes)
      if (!gone.has(change.id) && (isCut(change) || change.dependsOn.some(id => gone.has(id)))) {
        drop(change)
        grew = true
      }
  }
  return { refused: gone, dropped: [...gone].filter(id => !given.has(id)) }
}

/** All places of an atomic operation go together. */
function atomicKey({ docPath, operation }: Change): string {
  return `${operationKey(operation)} ${docPath}`
}

function isPlaceOfAtomic({ atomic, kind }: Change): boolean {
  return atomic === true && kind !== 'file'
}

/** The other changes without which these cannot stand. */
export function neededBy(changes: readonly Change[], ids: readonly ChangeId[]): ChangeId[] {
  const byId = new Map(changes.map(change => [change.id, change]))
  const places = new Map<string, Change[]>()
  for (const change of changes.filter(isPlaceOfAtomic)) {
    const together = places.get(atomicKey(change))
    if (together) together.push(change)
    else places.set(atomicKey(change), [change])
  }
  const asked = new Set(ids)
  const needed = new Set(ids)
  for (const id of needed) {
    const change = byId.get(id)!
    for (const other of change.dependsOn) if (byId.has(other)) needed.add(other)
    if (!isPlaceOfAtomic(change)) continue
    for (const other of places.get(atomicKey(change)) ?? []) needed.add(other.id)
    places.delete(atomicKey(change)) // once is enough for all of them
  }
  return changes.map(({ id }) => id).filter(id => needed.has(id) && !asked.has(id))
}

/** Unified diffs of the text files in a draft. */
export async function diffsOf(desk: Desk, draft: Draft): Promise<{ path: string; diff: string }[]> {
  const diffs: { path: string; diff: string }[] = []
  for (const file of draft.files.values()) {
    if (file.format !== 'text' || (file.isDeleted && !file.deletion)) continue
    const base = file.origin?.source?.disk ?? file.disk
    const before = base === null ? undefined : await desk.state.getBlob(base)
    const after = file.isDeleted ? undefined : await draftedBytes(desk, draft, file)
    if (after && !after.ok) continue
    diffs.push({
      path: file.path,
      diff: unifiedDiff(before ?? null, after?.value ?? null, file.path),
    })
  }
  return diffs
}

/** A draft in one look: its files with counts, and where the disk has moved on. */
export async function summarise(
  desk: Desk,
  draft: Draft,
  reviewed?: readonly ReviewedFile[],
): Promise<DraftSummary> {
  const counts = new Map<DocPath, number>(
    (reviewed ?? []).map(({ file, changes }) => [file.docPath, changes.length]),
  )
  const files: DraftFileSummary[] = []
  for (const file of draft.files.values()) {
    if (file.isDeleted && (!file.deletion || file.disk === null)) continue
    const drifted = draft.state === 'open' && (await hasDrifted(desk, file))
    files.push({
      path: file.path,
      docPath: file.docPath,
      action: file.isDeleted
        ? 'deleted'
        : file.origin?.how === 'move'
          ? 'moved'
          : file.disk === null
            ? 'created'
            : 'changed',
      ...(file.origin && { from: file.origin.fromPath }),
      changes: counts.get(file.docPath) ?? countChanges(file),
      base: file.disk,
      ...(drifted && { drifted }),
    })
  }
  return {
    id: draft.id,
    sessionId: draft.sessionId,
    state: draft.state,
    purpose: draft.open.purpose,
    ...(draft.open.label && { label: draft.open.label }),
    opened: draft.open.time,
    touched: draft.touched,
    revision: draft.revision,
    files,
  }
}

/** As many as a review would list, without one. */
function countChanges(file: DraftFile): number {
  const inside = (file.deletion?.edited ?? file).changeCount ?? 0
  const isWhole = file.isDeleted || file.origin !== undefined || makingOf(file) !== undefined
  if (!isWhole) return inside
  const isMade = !file.origin && file.log.at(0)?.operation.op === 'write_text'
  return isMade ? Math.max(1, inside) : inside + 1
}

/** Also where it was moved from: it cannot be taken away there any more. */
async function hasDrifted(desk: Desk, file: DraftFile): Promise<boolean> {
  const source = file.origin?.source
  if (source && !isRespelled(file) && (await hasDrifted(desk, source))) return true
  const hashed = await desk.workspace.hash(file.docPath)
  if (hashed.ok) return hashed.value.sha256 !== file.disk
  return hashed.failure.code === 'NOT_FOUND' ? file.disk !== null : true
}
