import type { ChangeId } from '@filewright/protocol'
import { isRespelled, unspelled } from '../draft/draft.ts'
import { operationKey, operationKeys } from '../review/operation-key.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'
import type { ChosenFile } from './choice.ts'

/** A file without some of its changes; nothing when none are left. */
export function narrowFile(reviewed: ReviewedFile, refused: ReadonlySet<ChangeId>): ChosenFile[] {
  const isWhole = !reviewed.whole || !refused.has(reviewed.whole.id)
  const kept = isWhole ? reviewed : withoutWhole(reviewed)
  if (!kept) return []
  const { file, changes } = kept
  const own = changes.filter(({ id, kind }) => kind !== 'file' && refused.has(id))
  const isUntouched = file.log.length > 0 && file.disk !== null && own.length === changes.length
  if (isUntouched && !file.isDeleted) return []
  const leaves = isWhole ? file.origin?.source : undefined
  return [{ file, refused: new Set(own.map(({ id }) => id)), ...(leaves && { leaves }) }]
}

/** The move or deletion is refused: earlier edits of the file stay, at its original place. */
function withoutWhole(reviewed: ReviewedFile): ReviewedFile | undefined {
  const { file, whole, changes } = reviewed
  const inside = changes.filter(({ id }) => id !== whole?.id)
  if (isRespelled(file)) return { file: unspelled(file), changes: inside }
  if (file.deletion?.edited) return { file: file.deletion.edited, changes: inside }
  const source = file.origin?.source
  if (!source || source.log.length === 0) return undefined
  const before = operationKeys(source.log.slice())
  const own = changes.filter(({ operation }) => before.has(operationKey(operation)))
  return { file: source, changes: own }
}
