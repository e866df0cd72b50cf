const WORDS = /[\p{L}\p{N}]+/gu
const ENOUGH = 0.45 // of the words of both; below that a reader sees two texts, not one that was changed

/** Whether a reader would take one text for a later form of the other. */
export function areAlike(before: string, after: string): boolean {
  if (before.trim() === '' || after.trim() === '') return before.trim() === after.trim()
  const counts = new Map<string, number>()
  let total = 0
  for (const [word] of before.matchAll(WORDS)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    total++
  }
  let shared = 0
  for (const [word] of after.matchAll(WORDS)) {
    total++
    const left = counts.get(word) ?? 0
    if (left === 0) continue
    counts.set(word, left - 1)
    shared += 2
  }
  return total > 0 && shared / total >= ENOUGH
}
