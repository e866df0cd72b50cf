import type { TextDocument } from '../decode/text.ts'
import type { LineChange } from './line-changes.ts'

const PREFIX = /^\s*(\d+)\|/

/** False: `stripNumbers` finds nothing in them. */
export function mayHaveNumbers(lines: readonly string[]): boolean {
  const first = lines[0] ?? ''
  return first.includes('|') && PREFIX.test(first)
}

/**
 * The change without the line numbers of a read pasted into its lines, or undefined if there are none. Lines of a file
 * may begin like that themselves: numbers count as pasted only where the base shows that they are not its own.
 */
export function stripNumbers(doc: TextDocument, change: LineChange): LineChange | undefined {
  if (change.operation === 'insert') {
    const isPasted = isCountedFrom(change.newLines, [change.afterLine, change.afterLine + 1])
    if (!isPasted || doc.lineCount === 0 || hasOwnNumbers(doc, change.afterLine)) return undefined
    return { ...change, newLines: change.newLines.map(strip) }
  }
  const { startLine, expectedOriginalLines: expected } = change
  if (isCountedFrom(expected, [startLine]) && isStripped(doc, startLine, expected)) {
    const clean = { ...change, expectedOriginalLines: expected.map(strip) }
    return clean.operation === 'replace' ? { ...clean, newLines: clean.newLines.map(strip) } : clean
  }
  if (change.operation === 'delete' || !isCountedFrom(change.newLines, [startLine]))
    return undefined
  const isOwn = expected.some(line => PREFIX.test(line)) || hasOwnNumbers(doc, startLine)
  return isOwn ? undefined : { ...change, newLines: change.newLines.map(strip) }
}

function strip(line: string): string {
  return line.replace(PREFIX, '')
}

/** Whether the lines without their numbers are those of the base. */
function isStripped(doc: TextDocument, first: number, lines: readonly string[]): boolean {
  return lines.every((line, i) => isLine(doc, first + i, strip(line)))
}

/** Whether every line has a number, each one higher than the last, beginning with one of `starts`. */
function isCountedFrom(lines: readonly string[], starts: readonly number[]): boolean {
  const first = numberOf(lines[0] ?? '')
  return (
    first > 0 && starts.includes(first) && lines.every((line, i) => numberOf(line) === first + i)
  )
}

function numberOf(line: string): number {
  return Number(PREFIX.exec(line)?.[1] ?? Number.NaN)
}

function isLine(doc: TextDocument, n: number, text: string): boolean {
  return n <= doc.lineCount && doc.line(n) === text
}

function hasOwnNumbers(doc: TextDocument, around: number): boolean {
  const first = Math.max(1, around - 1)
  const last = Math.min(doc.lineCount, around + 1)
  return doc.lines(first, last).some(line => PREFIX.test(line))
}
