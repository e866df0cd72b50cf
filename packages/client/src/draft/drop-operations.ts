import {
  type ChangeId,
  type DocPath,
  GrowingList,
  type OperationRef,
  toChangeId,
} from '@filewright/protocol'
import type { DraftFile } from './draft-file.ts'

/** Names a whole operation where a change is named: one that cannot be done again makes no change of its own. */
export function operationIdOf({ toolCallId, index }: OperationRef): ChangeId {
  return toChangeId(toolCallId, index, 'the operation')
}

/** Takes operations out of the drafted files; true: some were there. */
export function dropOperations(
  files: Map<DocPath, DraftFile>,
  changeIds: readonly ChangeId[],
): boolean {
  const ids = new Set(changeIds)
  let found = false
  for (const [docPath, file] of files) {
    const left = without(file, ids)
    if (left === file) continue
    found = true
    const isAsOnDisk =
      left.log.length === 0 && left.begin === left.disk && !left.origin && !left.under
    if (isAsOnDisk && !left.isDeleted) files.delete(docPath)
    else files.set(docPath, left)
  }
  return found
}

/** Its edits before it was moved or deleted too. */
function without(file: DraftFile, ids: ReadonlySet<ChangeId>): DraftFile {
  const { log, origin, deletion } = file
  const left = log.slice().filter(logged => !ids.has(operationIdOf(logged)))
  const source = origin?.source && without(origin.source, ids)
  const edited = deletion?.edited && without(deletion.edited, ids)
  const isSame = left.length === log.length && source === origin?.source
  if (isSame && edited === deletion?.edited) return file
  return {
    ...file,
    log: GrowingList.of(left),
    ...(origin && source && { origin: { ...origin, source } }),
    ...(deletion && edited && { deletion: { ...deletion, edited } }),
  }
}
