import type { Fields } from '@filewright/protocol'
import type { TextDocument } from '../decode/text.ts'
import { nearestBlock } from '../patch/nearest-block.ts'

export interface AskedAround {
  /** Line changes as they were sent, whatever their shape. */
  readonly changes: readonly Fields[]
}

export interface LinesAround {
  readonly lineCount: number
  readonly around: readonly { readonly firstLine: number; readonly lines: readonly string[] }[]
}

const MOST_PLACES = 20

/** The lines at the place of each change, or at the place it probably meant, with three on either side. */
export function linesAround(doc: TextDocument, { changes }: AskedAround): LinesAround {
  return {
    lineCount: doc.lineCount,
    around: changes.slice(0, MOST_PLACES).map(change => {
      const [first, last] = placeOf(likelyPlace(change, doc), doc.lineCount)
      return { firstLine: first, lines: doc.lines(first, last).map(clip) }
    }),
  }
}

/** The lines that come nearest to the expected ones, where these are not at the place that the change names. */
function likelyPlace(change: Fields, doc: TextDocument): Fields {
  const { startLine, expectedOriginalLines: expected } = change
  if (!Array.isArray(expected) || !expected.every(line => typeof line === 'string')) return change
  const start = Number(startLine)
  const isThere = expected.every((line, i) => isLine(doc, start + i, line))
  const near = isThere ? undefined : nearestBlock(doc, expected)
  return near ? { startLine: near.first, endLine: near.last } : change
}

function isLine(doc: TextDocument, n: number, line: string): boolean {
  return n >= 1 && n <= doc.lineCount && doc.line(n) === line
}

const MOST_CHARACTERS = 2000

function clip(line: string): string {
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line
}

const AROUND = 3
const MOST_LINES = 40

/** The lines of a change with three on either side; for a place beyond the end, the last lines. */
function placeOf(change: Fields, lineCount: number): [number, number] {
  const start = Number(change.startLine ?? change.afterLine ?? 1)
  const end = Number(change.endLine ?? start)
  const near = Math.min(Math.max(1, Number.isInteger(start) ? start : 1), Math.max(1, lineCount))
  const first = Math.max(1, near - AROUND)
  const wanted = Math.max(near, Number.isInteger(end) ? end : near) + AROUND
  return [first, Math.min(lineCount, wanted, first + MOST_LINES - 1)]
}
