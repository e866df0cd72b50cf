import { decodeText, type TextDocument } from '../decode/text.ts'
import { diffDocuments } from './document-diff.ts'
import type { Hunk } from './line-diff.ts'

const CONTEXT = 3

/**
 * For a person, and for `git apply`: derived from the two contents, line ends included. `before` null is a new file,
 * `after` null a deleted one. Empty when no line differs: an empty file that is created or deleted has no hunk, and
 * `patch` would take its header for that of the next file.
 */
export function unifiedDiff(
  before: Uint8Array | null,
  after: Uint8Array | null,
  path: string,
): string {
  const old = decodeText(before ?? new Uint8Array())
  const now = decodeText(after ?? new Uint8Array())
  const groups = isBareMark(old) || isBareMark(now) ? replaceAll(old, now) : inHunks(old, now)
  if (groups.length === 0) return ''
  const head = [
    `--- ${before === null ? '/dev/null' : nameOf(`a/${path}`)}\n`,
    `+++ ${after === null ? '/dev/null' : nameOf(`b/${path}`)}\n`,
  ]
  return [...head, ...groups].join('')
}

/**
 * Follows git: a tab closes a name with spaces, which `patch` would cut; characters that end a line or a name are
 * quoted.
 */
function nameOf(path: string): string {
  const quoted = path.replace(QUOTED, quote)
  if (quoted !== path) return `"${quoted}"`
  return path.includes(' ') ? `${path}\t` : path
}

const QUOTED = /[\x00-\x1f\x7f"\\]/g

function quote(char: string): string {
  if (char === '"' || char === '\\') return `\\${char}`
  return `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`
}

function inHunks(old: TextDocument, now: TextDocument): string[] {
  const groups = groupHunks(diffDocuments(old, now, { lineEnds: true }))
  return groups.flatMap(group => writeGroup(group, old, now))
}

/** A BOM alone is not a line to us, but it is one to a diff, which has no notion of a BOM. */
function isBareMark(doc: TextDocument): boolean {
  return doc.bom && doc.lineCount === 0
}

function replaceAll(old: TextDocument, now: TextDocument): string[] {
  const [out, into] = [allRows('-', old), allRows('+', now)]
  if (isBareMark(old) && isBareMark(now)) return []
  return [`@@ -${rangeOf(0, out.length)} +${rangeOf(0, into.length)} @@\n`, ...out, ...into]
}

function allRows(sign: string, doc: TextDocument): string[] {
  if (isBareMark(doc)) return [`${sign}\ufeff${NO_NEWLINE}`]
  return Array.from({ length: doc.lineCount }, (_, i) => row(sign, doc, i + 1))
}

function groupHunks(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const last = groups.at(-1)
    const isNear = last && hunk.aStart <= last.at(-1)!.aEnd + 2 * CONTEXT
    if (isNear) last.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

function writeGroup(group: readonly Hunk[], old: TextDocument, now: TextDocument): string[] {
  const first = group[0]!
  const last = group.at(-1)!
  const lead = Math.min(CONTEXT, first.aStart)
  const tail = Math.min(CONTEXT, old.lineCount - last.aEnd)
  const aStart = first.aStart - lead
  const aEnd = last.aEnd + tail
  const newRange = rangeOf(first.bStart - lead, last.bEnd + tail)
  const rows = [`@@ -${rangeOf(aStart, aEnd)} +${newRange} @@\n`]
  const add = (sign: string, doc: TextDocument, from: number, to: number) => {
    for (let n = from + 1; n <= to; n++) rows.push(row(sign, doc, n))
  }
  let next = aStart
  for (const hunk of group) {
    add(' ', old, next, hunk.aStart)
    add('-', old, hunk.aStart, hunk.aEnd)
    add('+', now, hunk.bStart, hunk.bEnd)
    next = hunk.aEnd
  }
  add(' ', old, next, aEnd)
  return rows
}

function rangeOf(start: number, end: number): string {
  if (end === start) return `${start},0`
  return end - start === 1 ? `${start + 1}` : `${start + 1},${end - start}`
}

const ENDS = { lf: '\n', crlf: '\r\n' }
const NO_NEWLINE = '\n\\ No newline at end of file\n'

function row(sign: string, doc: TextDocument, n: number): string {
  const bom = n === 1 && doc.bom ? '\ufeff' : ''
  const end = doc.terminator(n)
  return `${sign}${bom}${doc.line(n)}${end ? ENDS[end] : NO_NEWLINE}`
}
