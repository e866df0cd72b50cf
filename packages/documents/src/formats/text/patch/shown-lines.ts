import type { TextDocument } from '../decode/text.ts'

const LONG = 300

/** `12|text`, one a line, as a read shows them; long ones are cut. */
export function numbered(doc: TextDocument, first: number, last: number): string {
  return doc
    .lines(first, last)
    .map((line, i) => `${first + i}|${shorten(line)}`)
    .join('\n')
}

export function isLong(line: string): boolean {
  return line.length > LONG
}

function shorten(line: string): string {
  return isLong(line) ? `${line.slice(0, LONG)}…` : line
}
