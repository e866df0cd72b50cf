import type { ChangeSide } from './change.ts'

/** Ignores common lines at both ends; the longer side of the rest counts: a new file counts all its lines. */
export function changedLines(from: ChangeSide | null, to: ChangeSide | null): number {
  if (to?.lineCount !== undefined) return to.lineCount
  const before = from?.lines ?? []
  const after = to?.lines ?? []
  const shorter = Math.min(before.length, after.length)
  let first = 0
  while (first < shorter && before[first] === after[first]) first++
  let last = 0
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last++
  return Math.max(1, before.length - first - last, after.length - first - last)
}
