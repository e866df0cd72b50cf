import { findText, type Place } from './find-text.ts'
import type { TextDocument } from './text.ts'

const SHOWN_PLACES = 10
const SHOWN_LINES = 3
/** Lines looked through for similar ones; information only, so a bound costs nothing. */
const MAX_COMPARED = 20_000

/** Why a search that stands nowhere was not found, with what comes nearest. It is shown and never taken. */
export function describeNotFound(doc: TextDocument, search: string): string {
  const stripped = search.replace(/^\s*\d+\|/gm, '')
  const [unnumbered] = stripped === search ? [] : findText(doc, stripped, { overlapping: true })
  if (unnumbered)
    return `it stands nowhere as sent; without the \`12|\` prefixes of a read it stands at line ${unnumbered.from.line}, so send it without them`
  const wanted = search.split(/\r?\n/).find(line => line.trim() !== '') ?? ''
  const near = nearestLines(doc, wanted)
  if (near.length === 0) return 'it stands nowhere in the file; read the file and copy the text'
  const shown = near.map(n => `${n}|${shorten(doc.line(n))}`).join('\n')
  return `it stands nowhere in the file exactly. The nearest lines are:\n${shown}\nCopy the text as it stands there, white space included`
}

/** Where a search that must be unique stands. */
export function describeSeveral(places: readonly Place[]): string {
  const lines = places.slice(0, SHOWN_PLACES).map(({ from }) => from.line)
  const more = places.length > SHOWN_PLACES ? ' and more' : ''
  return `it stands at ${places.length > SHOWN_PLACES ? 'many' : places.length} places (lines ${lines.join(', ')}${more}); add the lines around the one you mean until it is unique, or pass all: true for every place`
}

function nearestLines(doc: TextDocument, wanted: string): number[] {
  const grams = gramsOf(wanted)
  if (grams.size === 0) return []
  const scored: { n: number; score: number }[] = []
  for (let n = 1; n <= Math.min(doc.lineCount, MAX_COMPARED); n++) {
    const line = doc.line(n)
    if (line.length > 10 * wanted.length + 200) continue
    const score = similarity(grams, gramsOf(line))
    if (score >= 0.5) scored.push({ n, score })
  }
  return scored
    .sort((a, b) => b.score - a.score || a.n - b.n)
    .slice(0, SHOWN_LINES)
    .map(({ n }) => n)
}

/** Pairs of characters without white space: the usual difference. */
function gramsOf(text: string): Set<string> {
  const dense = text.replace(/\s+/g, '').toLowerCase()
  const grams = new Set<string>()
  for (let i = 0; i + 1 < dense.length; i++) grams.add(dense.slice(i, i + 2))
  if (dense.length === 1) grams.add(dense)
  return grams
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const gram of a) if (b.has(gram)) shared++
  return (2 * shared) / (a.size + b.size)
}

function shorten(line: string): string {
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
