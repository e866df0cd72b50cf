import type { Change, ChangeId } from '@filewright/protocol'
import { operationKey, operationKeys } from './operation-key.ts'
import type { ReviewedFile } from './reviewed-file.ts'

/**
 * A copy depends on the operations that made its content, an operation on those that made its inputs; a file in the
 * place of a moved one depends on that move.
 */
export function addDependencies(files: readonly ReviewedFile[]): readonly ReviewedFile[] {
  const all = files.flatMap(reviewed => reviewed.changes)
  return files.map(reviewed => withInputs(withOrigin(reviewed, files, all), all))
}

function withOrigin(
  reviewed: ReviewedFile,
  files: readonly ReviewedFile[],
  all: readonly Change[],
): ReviewedFile {
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
  const { whole } = reviewed
  if (!whole)
    return { ...reviewed, changes: reviewed.changes.map(change => standing(change, needed)) }
  const changed = standing(whole, needed)
  return { ...reviewed, whole: changed, changes: [changed, ...reviewed.changes.slice(1)] }
}

/** Operations that took something from files that the draft changes too. */
function withInputs(reviewed: ReviewedFile, all: readonly Change[]): ReviewedFile {
  const takers = reviewed.file.log.slice().filter(({ takes }) => takes !== undefined)
  if (takers.length === 0) return reviewed
  const needed = new Map(
    takers.map(logged => {
      const made = operationKeys(logged.takes!)
      const ids = all
        .filter(({ operation }) => made.has(operationKey(operation)))
        .map(({ id }) => id)
      return [operationKey(logged), ids]
    }),
  )
  const changes = reviewed.changes.map(change => {
    const ids = needed.get(operationKey(change.operation))
    return ids ? standing(change, ids) : change
  })
  return { ...reviewed, ...(reviewed.whole && { whole: changes[0] }), changes }
}

function standing(change: Change, needed: readonly ChangeId[]): Change {
  const more = needed.filter(id => id !== change.id && !change.dependsOn.includes(id))
  return { ...change, dependsOn: [...change.dependsOn, ...more] }
}
