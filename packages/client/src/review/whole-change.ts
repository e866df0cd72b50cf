import { findFormat, type Preview } from '@filewright/documents'
import { type Change, type ChangeId, changedLines, toChangeId } from '@filewright/protocol'
import { type Draft, type DraftFile, isRespelled } from '../draft/draft.ts'
import { type Desk, draftedRef, engineFor } from '../draft/draft-view.ts'
import { isWholeWrite } from '../draft/whole-write.ts'
import { operationKey } from './operation-key.ts'

/** The change that is the file itself, if any. */
export async function wholeChange(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
): Promise<Change | undefined> {
  if (file.isDeleted) return { ...frameOf(file), ...deletionIn(file) }
  if (file.origin) return { ...frameOf(file), ...arrivalIn(file, file.origin) }
  const made = makingOf(file)
  if (!made) return undefined
  const shown = await previewOf(desk, draft, file)
  return { ...made, after: { path: file.path, ...(shown && { ...shown, firstLine: 1 }) } }
}

/** The id of a created, copied or moved file as a change. */
export function wholeIdOf(file: DraftFile): ChangeId | undefined {
  return (file.origin ? arrivalIn(file, file.origin) : makingOf(file))?.id
}

function frameOf({ docPath, path }: DraftFile) {
  return { docPath, path, kind: 'file' as const, dependsOn: [], atomic: true }
}

function deletionIn({ docPath, path, deletion }: DraftFile) {
  const { toolCallId, index, sizeBytes } = deletion!
  return {
    id: toChangeId(toolCallId, index, `delete ${docPath}`),
    place: 'file deleted',
    before: { path, sizeBytes },
    after: null,
    operation: { toolCallId, index, op: 'delete' },
  }
}

const ARRIVALS = { move: 'moved', copy: 'copied', export: 'exported' } as const

/** Moved or copied to its place, or made of another file. */
function arrivalIn(file: DraftFile, origin: NonNullable<DraftFile['origin']>) {
  const { how, fromPath, toolCallId, index } = origin
  const { docPath, path, disk } = file
  const isInPlace = disk !== null && !isRespelled(file)
  return {
    id: toChangeId(toolCallId, index, `${how} ${docPath}`),
    place: `${ARRIVALS[how]} from ${fromPath}${isInPlace ? ', in place of the file that was here' : ''}`,
    before: how === 'move' ? { path: fromPath } : disk === null ? null : { path },
    after: { path },
    operation: { toolCallId, index, op: how },
  }
}

/** A call's changes in a file, by the ids of a review. */
export function toldChanges(file: DraftFile, changes: readonly Change[]): readonly Change[] {
  const made = findFormat(file.format)?.editing?.wholeOperation ? makingOf(file) : undefined
  if (!made || !changes.every(change => isMaking(change, file))) return changes
  const lines = changes.flatMap(({ after }) => after?.lines ?? [])
  const lineCount = changes.reduce((sum, { before, after }) => sum + changedLines(before, after), 0)
  const isCut = changes.some(({ after }) => after?.lineCount !== undefined)
  const after = { path: file.path, lines, firstLine: 1, ...(isCut && { lineCount }) }
  return [{ ...made, after }]
}

/** The initial text of a new file is the file itself, not a second change. */
export function isMaking(change: Change, { origin, format, log }: DraftFile): boolean {
  const first = log.at(0)
  return (
    !origin &&
    isWholeWrite(format, change.operation.op) &&
    !!first &&
    operationKey(change.operation) === operationKey(first)
  )
}

/** The change that is a file created in the draft, without its lines. */
export function makingOf(file: DraftFile): Change | undefined {
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
    place: `${isNew ? 'new file' : 'file rewritten'}${file.copyOf ? `, a copy of ${file.copyOf}` : ''}`,
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

async function previewOf(desk: Desk, draft: Draft, file: DraftFile): Promise<Preview | undefined> {
  if (!findFormat(file.format)?.has.preview) return undefined
  const shown = await engineFor(desk, file.format).preview(draftedRef(desk, draft, file))
  return shown.ok ? shown.value : undefined
}
