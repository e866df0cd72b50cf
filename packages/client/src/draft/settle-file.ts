import {
  type DocPath,
  type DraftLine,
  GrowingList,
  type LoggedOperation,
  type Sha256,
} from '@filewright/protocol'
import type { DraftFile } from './draft-file.ts'

type Files = Map<DocPath, DraftFile>
type SettleLine = Extract<DraftLine, { type: 'settle' }>

const NO_OPERATIONS = GrowingList.of<LoggedOperation>()

/** A person decided for a file that was changed, created, deleted or moved on disk meanwhile. */
export function addSettled(files: Files, line: SettleLine): void {
  const file = files.get(line.docPath)
  if (!file) return
  if (line.side === 'theirs') giveUp(files, file)
  else if (line.source) keepMoved(files, file, line.source)
  else files.set(file.docPath, kept(file, line.disk))
}

/** What the draft did with the whole file is gone; edits before a move or a deletion stay. */
function giveUp(files: Files, file: DraftFile): void {
  const { docPath, origin, deletion, under } = file
  const source = origin?.source
  if (deletion?.edited) files.set(docPath, deletion.edited)
  else if (under) files.set(docPath, under)
  else files.delete(docPath)
  if (!source || !files.get(source.docPath)?.isDeleted) return
  if (source.log.length > 0) files.set(source.docPath, source)
  else if (source.docPath !== docPath) files.delete(source.docPath)
}

/** The draft's file, in place of what is on disk now. */
function kept(file: DraftFile, disk: Sha256 | null): DraftFile {
  if (file.isDeleted) return { ...file, disk }
  const { under: _, diskPath: __, ...rest } = file
  return disk === null ? { ...rest, disk } : { ...rest, disk, under: replaced(file, disk) }
}

function replaced({ docPath, path, diskPath, format }: DraftFile, disk: Sha256): DraftFile {
  const name = { docPath, path: diskPath ?? path }
  return { ...name, format, disk, begin: null, log: NO_OPERATIONS, isDeleted: true }
}

/** The file is moved as it is now, or, where it is gone, written at its new place. */
function keepMoved(files: Files, file: DraftFile, now: NonNullable<SettleLine['source']>) {
  const { origin, ...rest } = file
  const source = origin!.source!
  if (now.disk === null) {
    files.delete(source.docPath)
    files.set(file.docPath, { ...rest, enteredBy: file.enteredBy ?? origin!.toolCallId })
    return
  }
  const begin = now.disk
  const log = NO_OPERATIONS.with(now.operations ?? [])
  const before = new Set(source.log.slice().map(keyOf))
  const own = log.slice().filter(logged => before.has(keyOf(logged)))
  const moved = { ...source, disk: now.disk, begin, log: NO_OPERATIONS.with(own) }
  files.set(file.docPath, { ...file, begin, log, origin: { ...origin!, source: moved } })
  const gone = files.get(source.docPath)
  if (gone?.isDeleted) files.set(source.docPath, { ...gone, disk: now.disk })
}

function keyOf({ toolCallId, index }: LoggedOperation): string {
  return `${index} ${toolCallId}`
}
