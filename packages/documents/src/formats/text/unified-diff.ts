import { diffDocuments } from './document-diff.ts'
import type { Hunk } from './line-diff.ts'
import { decodeText, type TextDocument } from './text.ts'

const CONTEXT = 3

/**
 * For a person, and for `git apply`: derived from the two contents, line ends included. `before` null is a new file,
 * `after` null a deleted one. Empty when nothing differs.
 */
export function unifiedDiff(
  before: Uint8Array | null,
  after: Uint8Array | null,
  path: string,
): string {
  const old = decodeText(before ?? new Uint8Array())
  const now = decodeText(after ?? new Uint8Array())
  const groups = groupHunks(diffDocuments(old, now, { lineEnds: true }))
  if (groups.length === 0 && before !== null && after !== null) return ''
  const head = [
    `--- ${before === null ? '/dev/null' : `a/${path}`}\n`,
    `+++ ${after === null ? '/dev/null' : `b/${path}`}\n`,
  ]
  return [...head, ...groups.flatMap(group => writeGroup(group, old, now))].join('')
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

function row(sign: string, doc: TextDocument, n: number): string {
  const bom = n === 1 && doc.bom ? '\ufeff' : ''
  const end = doc.terminator(n)
  return `${sign}${bom}${doc.line(n)}${end ? ENDS[end] : '\n\\ No newline at end of file\n'}`
}
