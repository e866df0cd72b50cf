/** Ignores common lines at both ends; the longer side of the rest counts: a new file counts all its lines. */
export function changedLines(before: readonly string[], after: readonly string[]): number {
  const shorter = Math.min(before.length, after.length)
  let first = 0
  while (first < shorter && before[first] === after[first]) first++
  let last = 0
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last++
  return Math.max(1, before.length - first - last, after.length - first - last)
}
