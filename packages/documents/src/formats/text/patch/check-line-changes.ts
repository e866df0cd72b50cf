import { fail, ok, type Result } from '@filewright/protocol'
import { NUL_IS_BINARY } from '../decode/binary.ts'
import { findUnencodable, roundTrips } from '../decode/codec.ts'
import { bomOf } from '../decode/encoding.ts'
import type { TextDocument } from '../decode/text.ts'
import { join } from './arguments.ts'
import { findBlock } from './find-block.ts'
import {
  describeLines,
  type InsertChange,
  type LineChange,
  type LinePatch,
  type RangeChange,
} from './line-changes.ts'
import { describeNear, nearestBlock } from './nearest-block.ts'
import { mayHaveNumbers, stripNumbers } from './number-prefixes.ts'

/** One reason for a refusal, with what would work where that is known. */
export interface Problem {
  /** The place in the arguments. */
  readonly at: string
  readonly message: string
  /** The change that would succeed instead. */
  readonly corrected?: LineChange
}

/**
 * Every check that needs the base: ranges within the file, expected lines verbatim, characters that the encoding can
 * represent. Reports all problems at once. Nothing is matched by similarity; if a block occurs unchanged at exactly one
 * other place, the corrected change is offered, not applied. `indices`: if some of the changes sent could not be read,
 * the places of the remaining ones.
 */
export function checkAgainstBase(
  doc: TextDocument,
  patch: LinePatch,
  at = '',
  indices?: readonly number[],
): Result<{ warnings: readonly string[] }, 'INVALID_ARGUMENT'> {
  const warnings: string[] = []
  const problems: Problem[] = []
  for (const [i, change] of patch.changes.entries()) {
    if (isPlainlyRight(doc, change)) continue
    const place = join(at, `changes[${indices?.[i] ?? i}]`)
    if (problems.length >= MOST_PROBLEMS) {
      problems.push({ at: place, message: UNCHECKED })
      break
    }
    problems.push(
      ...(change.operation === 'insert'
        ? checkInsert(doc, change, place)
        : checkRange(doc, change, place, warnings)),
    )
  }
  if (!indices) problems.push(...checkWholeFile(doc, patch, at))
  if (problems.length === 0) return ok({ warnings })
  const errors = problems.map(problem => `${problem.at}: ${problem.message}`)
  return fail('INVALID_ARGUMENT', `Nothing was written: ${errors.join(' · ')}`, {
    errors,
    details: { problems },
  })
}

const MOST_PROBLEMS = 20 // each block is looked for in the whole text
const UNCHECKED = 'from here on the changes were not checked; correct these first'

/** Fast path: most changes are right, so there is nothing to search or explain. */
function isPlainlyRight(doc: TextDocument, change: LineChange): boolean {
  if (change.operation === 'insert') return false
  const { startLine, endLine, expectedOriginalLines: expected } = change
  if (endLine > doc.lineCount || mayHaveNumbers(expected)) return false
  for (let i = 0; i < expected.length; i++)
    if (doc.line(startLine + i) !== expected[i]) return false
  if (change.operation === 'delete') return true
  return (
    !mayHaveNumbers(change.newLines) &&
    change.newLines.every(line => !/[\0\ufffd]/.test(line) && doc.codec.encode(line) !== null)
  )
}

function checkInsert(doc: TextDocument, change: InsertChange, at: string): Problem[] {
  const { afterLine, newLines, expectedBefore = [], expectedAfter = [] } = change
  const pasted = stripNumbers(doc, change)
  if (pasted) return [pastedNumbers(at, 'newLines', pasted)]
  const old = { first: afterLine, lines: [] }
  const problems = checkNewLines(doc, newLines, old, join(at, 'newLines'))
  const neighbours = [...expectedBefore, ...expectedAfter]
  const misplaced = (field: string, message: string): Problem[] => {
    const { only, where } = findElsewhere(doc, neighbours, afterLine - expectedBefore.length + 1)
    const corrected = only && { ...change, afterLine: only + expectedBefore.length - 1 }
    return [
      ...problems,
      { at: join(at, field), message: `${message}${where}`, ...(corrected && { corrected }) },
    ]
  }
  if (afterLine > doc.lineCount)
    return misplaced('afterLine', `is ${afterLine}, but ${linesOf(doc)}`)
  const first = afterLine - expectedBefore.length + 1
  const above = first < 1 ? 'the file begins there' : differing(doc, first, expectedBefore)
  if (above)
    return misplaced('expectedBefore', `does not match the lines above the place (${above})`)
  const below = differing(doc, afterLine + 1, expectedAfter)
  if (below)
    return misplaced('expectedAfter', `does not match the lines below the place (${below})`)
  return problems
}

function checkRange(
  doc: TextDocument,
  change: RangeChange,
  at: string,
  warnings: string[],
): Problem[] {
  const { startLine, endLine, expectedOriginalLines: expected } = change
  const pasted = stripNumbers(doc, change)
  if (pasted) {
    const isQuoted =
      'expectedOriginalLines' in pasted && !isSame(pasted.expectedOriginalLines, expected)
    return [pastedNumbers(at, isQuoted ? 'expectedOriginalLines' : 'newLines', pasted)]
  }
  const newLines = change.operation === 'replace' ? change.newLines : []
  const lines = endLine <= doc.lineCount ? doc.lines(startLine, endLine) : []
  const old = { first: startLine, lines }
  const problems = checkNewLines(doc, newLines, old, join(at, 'newLines'))
  const misplaced = (field: string, message: string): Problem[] => {
    const { only, where } = findElsewhere(doc, expected, startLine)
    const corrected = only && { ...change, startLine: only, endLine: only + expected.length - 1 }
    return [
      ...problems,
      { at: join(at, field), message: `${message}${where}`, ...(corrected && { corrected }) },
    ]
  }
  if (endLine > doc.lineCount) return misplaced('endLine', `is ${endLine}, but ${linesOf(doc)}`)
  const hasLineEnd = expected.map((line, i) => isWithLineEnd(doc, startLine + i, line))
  const bare = expected.map((line, i) => (hasLineEnd[i] ? line.slice(0, -1) : line))
  const difference = differing(doc, startLine, bare)
  if (difference) {
    const range = describeLines(startLine, endLine)
    return misplaced('expectedOriginalLines', `does not match ${range} (${difference})`)
  }
  if (hasLineEnd.includes(true))
    warnings.push(
      `${join(at, 'expectedOriginalLines')}: contained the carriage returns of the line ends; they are not part of a line`,
    )
  return problems
}

/** `foo\r` for a line that ends with CRLF: the line with part of its end. */
function isWithLineEnd(doc: TextDocument, n: number, line: string): boolean {
  return line.endsWith('\r') && doc.terminator(n) === 'crlf' && doc.line(n) === line.slice(0, -1)
}

function checkNewLines(
  doc: TextDocument,
  newLines: readonly string[],
  old: { readonly first: number; readonly lines: readonly string[] },
  at: string,
): Problem[] {
  const holdsBroken = () =>
    old.lines.some((_, i) => !roundTrips(doc.codec, doc.lineBytes(old.first + i)))
  return newLines.flatMap((line, i) => {
    if (line === old.lines[i]) return []
    if (doc.codec.encode(line) === null) {
      const char = nameOf(findUnencodable(doc.codec, line) ?? line)
      const message = `holds ${char}, which the file's encoding ${doc.encoding} cannot represent; use a character that it has`
      return [{ at: `${at}[${i}]`, message }]
    }
    if (line.includes('\0') && !old.lines.some(before => before.includes('\0')))
      return [{ at: `${at}[${i}]`, message: NUL_IS_BINARY }]
    if (!line.includes('\ufffd') || !holdsBroken()) return []
    const message = `holds U+FFFD, which a read shows for bytes that are not ${doc.encoding}; writing it would destroy them. Leave that line as it is, or send it without the character`
    return [{ at: `${at}[${i}]`, message }]
  })
}

function checkWholeFile(
  doc: TextDocument,
  { bom, finalNewline, changes }: LinePatch,
  at: string,
): Problem[] {
  const problems: Problem[] = []
  if (bom === true && !bomOf(doc.encoding))
    problems.push({
      at: join(at, 'bom'),
      message: `cannot be true: the encoding ${doc.encoding} has no BOM`,
    })
  if (bom === false && doc.codec.unit === 2)
    problems.push({
      at: join(at, 'bom'),
      message: `cannot be false: a ${doc.encoding} file is known by its BOM`,
    })
  if (finalNewline === false && lastLineIsEmpty(doc, changes))
    problems.push({
      at: join(at, 'finalNewline'),
      message:
        'cannot be false: the last line is empty, so the file always ends with a newline; delete that line in the same patch',
    })
  return problems
}

function lastLineIsEmpty(doc: TextDocument, changes: readonly LineChange[]): boolean {
  let end = doc.lineCount // the old lines that may still be last
  for (;;) {
    const appended = changes.findLast(
      change => change.operation === 'insert' && change.afterLine === end,
    )
    if (appended?.operation === 'insert') return appended.newLines.at(-1) === ''
    const change = changes.find(other => other.operation !== 'insert' && other.endLine === end)
    if (!change || change.operation === 'insert') break
    if (change.operation === 'replace' && change.newLines.length > 0)
      return change.newLines.at(-1) === ''
    end = change.startLine - 1
  }
  return end > 0 && doc.lineBytes(end).length === 0
}

function pastedNumbers(at: string, field: string, corrected: LineChange): Problem {
  return {
    at: join(at, field),
    message:
      'holds the `12|` prefixes of a read, which are not part of the lines; send the corrected change',
    corrected,
  }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((line, i) => line === others[i])
}

/** The first line that differs from the expected one; undefined if none does. */
function differing(
  doc: TextDocument,
  first: number,
  expected: readonly string[],
): string | undefined {
  for (let i = 0; i < expected.length; i++) {
    const n = first + i
    if (n > doc.lineCount) return `${linesOf(doc)}`
    const line = doc.line(n)
    if (line !== expected[i]) return `line ${n} is ${quote(line)}, expected ${quote(expected[i]!)}`
  }
  return undefined
}

/** Where a block occurs that is not at its place; `only` if that is one place, and never the first of several. */
function findElsewhere(
  doc: TextDocument,
  block: readonly string[],
  looked: number,
): { readonly only?: number; readonly where: string } {
  const places = findBlock(doc, block, 6)
  const [first] = places
  if (first === undefined) return { where: describeNearest(doc, block, looked) }
  if (places.length === 1)
    return { only: first, where: `; it is at ${describeLines(first, first + block.length - 1)}` }
  const more = places.length > 5 ? ' and more' : ''
  return {
    where: `; it occurs several times, starting at lines ${places.slice(0, 5).join(', ')}${more}: name the right one`,
  }
}

/** Shown, so that the next attempt needs no read, and never used: what differs may matter. */
function describeNearest(doc: TextDocument, block: readonly string[], looked: number): string {
  const near = nearestBlock(doc, block)
  const isQuoted = near?.first === looked && near.last === looked // the one line that differs
  return near && !isQuoted ? `. ${describeNear(doc, near)}` : ''
}

function linesOf(doc: TextDocument): string {
  if (doc.lineCount === 0) return 'the file has no lines'
  return doc.lineCount === 1 ? 'the file has 1 line' : `the file has ${doc.lineCount} lines`
}

function quote(line: string): string {
  return JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line)
}

function nameOf(char: string): string {
  const code = `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(char) ? `"${char}" (${code})` : code
}
