/** How many lines a unified diff changes: of each run, the longer side. */
export function countChangedLines(unified: string): number {
  let total = 0
  let removed = 0
  let added = 0
  const lines = unified.split('\n')
  for (const line of lines.slice(lines.findIndex(each => each.startsWith('@@')))) {
    if (line.startsWith('-')) removed++
    else if (line.startsWith('+')) added++
    else if (!line.startsWith('\\')) {
      total += Math.max(removed, added)
      removed = 0
      added = 0
    }
  }
  return total + Math.max(removed, added)
}
