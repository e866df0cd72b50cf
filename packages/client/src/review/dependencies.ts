import type { Change } from '@filewright/protocol'
import { operationKey, operationKeys } from './operation-key.ts'
import type { ReviewedFile } from './reviewed-file.ts'

/** A copy depends on the operations that made its content; a file in the place of a moved one depends on that move. */
export function addDependencies(files: readonly ReviewedFile[]): readonly ReviewedFile[] {
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
