import { fail, ok, type Result } from '@filewright/protocol'
import type { TextDocument } from '../decode/text.ts'
import type { DiffHunk, DiffRow } from '../diff/parse-diff.ts'
import { findBlock } from './find-block.ts'
import type { LineChange, LinePatch } from './line-changes.ts'
import { describeNear, nearestBlock } from './nearest-block.ts'

/**
 * The line changes that hunks mean on this text. The old lines of each must occur verbatim: at the line it names, or at
 * exactly one place. The failure names each hunk that does not fit, with the nearest lines.
 */
export function placeHunks(
  doc: TextDocument,
  hunks: readonly DiffHunk[],
): Result<LinePatch, 'INVALID_ARGUMENT'> {
  const changes: LineChange[] = []
  const errors: string[] = []
  for (const [i, hunk] of hunks.entries()) {
    if (errors.length === MOST_FAULTS) {
      errors.push(`from part ${i + 1} on the diff was not looked at; correct these first`)
      break
    }
    const placed = placeHunk(doc, hunk)
    if (typeof placed === 'string') errors.push(placed)
    else changes.push(...toChanges(placed.rows, placed.first, doc))
  }
  if (errors.length > 0) return fail('INVALID_ARGUMENT', errors.join(' · '), { errors })
  const finalNewline = finalNewlineOf(hunks.at(-1)?.rows ?? [])
  return ok({ changes, ...(finalNewline !== undefined && { finalNewline }) })
}

const MOST_FAULTS = 20 // each is looked for in the whole text

interface Placed {
  /** The first line of the hunk in the text. */
  readonly first: number
  readonly rows: readonly DiffRow[]
}

/** A sentence where it does not fit. */
function placeHunk(doc: TextDocument, hunk: DiffHunk): Placed | string {
  const whole = tryPlace(doc, hunk)
  const shorter = typeof whole === 'string' ? withoutEmptyEnd(hunk) : undefined
  const retried = shorter && tryPlace(doc, shorter)
  return retried === undefined || typeof retried === 'string' ? whole : retried
}

function tryPlace(doc: TextDocument, { start, rows }: DiffHunk): Placed | string {
  const old = rows.filter(({ sign }) => sign !== '+').map(({ text }) => text)
  if (old.length === 0)
    return start !== undefined && start <= doc.lineCount + 1
      ? { first: start, rows }
      : 'a part of the diff has no old lines and so no place; add lines around the new ones'
  if (start !== undefined && isAt(doc, old, start)) return { first: start, rows }
  const places = findBlock(doc, old, 6)
  const [only] = places
  if (only !== undefined && places.length === 1) return { first: only, rows }
  return describeMisfit(doc, old, places)
}

function isAt(doc: TextDocument, lines: readonly string[], first: number): boolean {
  return (
    first >= 1 &&
    first + lines.length - 1 <= doc.lineCount &&
    lines.every((line, i) => doc.line(first + i) === line)
  )
}

function describeMisfit(doc: TextDocument, old: readonly string[], places: readonly number[]) {
  if (places.length > 1)
    return `the old lines occur several times, starting at ${describeStarts(places)}; add lines around them until they are unique`
  const near = nearestBlock(doc, old)
  return `the old lines do not occur in the file as sent${near ? `. ${describeNear(doc, near)}` : ''}`
}

function describeStarts(places: readonly number[]): string {
  const more = places.length > 5 ? ' and more' : ''
  return `lines ${places.slice(0, 5).join(', ')}${more}`
}

/** Without the empty lines at its end, which a model often adds. */
function withoutEmptyEnd({ start, rows }: DiffHunk): DiffHunk | undefined {
  const end = rows.findLastIndex(({ sign, text }) => sign !== ' ' || text !== '') + 1
  if (end === rows.length) return undefined
  return { ...(start !== undefined && { start }), rows: rows.slice(0, end) }
}

/** One change for each run of removed and added lines. An insert names its neighbours, which prove its place. */
function toChanges(rows: readonly DiffRow[], first: number, doc: TextDocument): LineChange[] {
  const changes: LineChange[] = []
  let line = first
  for (let i = 0; i < rows.length; ) {
    if (rows[i]!.sign === ' ') {
      line++
      i++
      continue
    }
    const old: string[] = []
    const newLines: string[] = []
    for (; i < rows.length && rows[i]!.sign !== ' '; i++)
      (rows[i]!.sign === '-' ? old : newLines).push(rows[i]!.text)
    changes.push(toChange(line, old, newLines, doc))
    line += old.length
  }
  return changes
}

function toChange(
  line: number,
  old: readonly string[],
  newLines: string[],
  doc: TextDocument,
): LineChange {
  if (old.length === 0) return insertAt(line - 1, newLines, doc)
  const range = {
    startLine: line,
    endLine: line + old.length - 1,
    expectedOriginalLines: [...old],
  }
  return newLines.length === 0
    ? { operation: 'delete', ...range }
    : { operation: 'replace', ...range, newLines }
}

export function insertAt(afterLine: number, newLines: string[], doc: TextDocument): LineChange {
  return {
    operation: 'insert',
    afterLine,
    newLines,
    ...(afterLine > 0 && { expectedBefore: [doc.line(afterLine)] }),
    ...(afterLine < doc.lineCount && { expectedAfter: [doc.line(afterLine + 1)] }),
  }
}

/** Only where the mark is on one side: then the final newline comes or goes. */
function finalNewlineOf(rows: readonly DiffRow[]): boolean | undefined {
  const [wasUnended, isUnended] = ['-', '+'].map(sign =>
    rows.some(row => row.isUnended && (row.sign === sign || row.sign === ' ')),
  )
  return wasUnended === isUnended ? undefined : !isUnended
}
