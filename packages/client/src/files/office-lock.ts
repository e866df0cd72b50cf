const WORD = /\.(docx?|docm|dotx?|dotm|rtf)$/i

/**
 * The names of the file that Office keeps beside a document it has open: `~$` and the name. Word keeps the length of a
 * name within bounds by dropping its first two letters, or one of seven: `~$cument.docx` for `document.docx`.
 */
export function officeLockNames(name: string): string[] {
  const names = [`~$${name}`]
  const ending = WORD.exec(name)
  const dropped = ending ? Math.min(2, Math.max(0, ending.index - 6)) : 0
  if (dropped > 0) names.push(`~$${name.slice(dropped)}`)
  return names
}
