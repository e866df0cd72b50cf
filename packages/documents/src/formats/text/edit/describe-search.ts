import type { TextDocument } from '../decode/text.ts'
import { describeLines } from '../patch/line-changes.ts'
import { type FoundText, findText } from './find-text.ts'
import { type NearBlock, nearestBlock } from './nearest-block.ts'

const SHOWN_PLACES = 10
const SHOWN_LINES = 3
const SHOWN_WHOLE = 12
const SHOWN_BLOCK = 40
const SHOWN_BEFORE = 10 // of a longer block, ahead of the first line that differs
/** Lines looked through for similar ones; information only, so a bound costs nothing. */
const MAX_COMPARED = 20_000

/**
 * Why a search that stands nowhere was not found, with what comes nearest. It is shown and never taken. `begun` is the
 * text before the edits that came ahead of it.
 */
export function describeNotFound(
  doc: TextDocument,
  search: string,
  begun: TextDocument = doc,
): string {
  const stood = begun === doc ? undefined : firstLineOf(begun, search)
  if (stood)
    return `it stood at line ${stood} until an edit before it in this call changed that text; each edit is made on what the ones before it left`
  const other = otherForms(search).find(form => firstLineOf(doc, form))
  if (other)
    return `it stands nowhere as sent; at line ${firstLineOf(doc, other)} it stands in another Unicode form (${other === search.normalize('NFD') ? 'accents as characters of their own' : 'accents within their characters'}). Search for a piece beside the accented characters, or send it in that form`
  const stripped = search.replace(/^[ \t]*\d+\|/gm, '')
  const [unnumbered] = stripped === search ? [] : findText(doc, stripped, { overlapping: true })
  if (unnumbered)
    return `it stands nowhere as sent; without the \`12|\` prefixes of a read it stands at line ${unnumbered.from.line}, so send it without them`
  const lines = search.split(/\r?\n/)
  const block = lines.length > 1 ? nearestBlock(doc, lines) : undefined
  if (block) return describeBlock(doc, block)
  const near = nearestLines(doc, lines.find(line => line.trim() !== '') ?? '')
  if (near.length === 0) return `it stands nowhere in the file; ${describeWhole(doc)}`
  const shown = near.map(n => `${n}|${shorten(doc.line(n))}`).join('\n')
  return `it stands nowhere in the file exactly. The nearest lines are:\n${shown}\nCopy the text as it stands there, white space included`
}

/** What stands where the text was meant to, so that the next try can be made from it. */
function describeBlock(doc: TextDocument, { first, last, differsAt }: NearBlock): string {
  const isLong = last - first >= SHOWN_BLOCK
  const from = isLong ? Math.max(first, (differsAt ?? first) - SHOWN_BEFORE) : first
  const to = Math.min(last, from + SHOWN_BLOCK - 1)
  const shown = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    .map(n => `${n}|${shorten(doc.line(n))}`)
    .join('\n')
  const where = differsAt === undefined ? '' : ` and differ first at line ${differsAt}`
  const some = isLong ? ` Of them lines ${from}-${to}:` : ''
  return `it stands nowhere in the file exactly. ${capitalised(describeLines(first, last))} come nearest${where}.${some}\n${shown}\nCopy the text as it stands there, white space included and without the numbers`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function firstLineOf(doc: TextDocument, search: string): number | undefined {
  for (const { from } of findText(doc, search, { overlapping: true })) return from.line
  return undefined
}

function otherForms(text: string): string[] {
  return [text.normalize('NFC'), text.normalize('NFD')].filter(form => form !== text)
}

/** A short file is shown, so that it need not be read for the next try. */
function describeWhole(doc: TextDocument): string {
  if (doc.lineCount === 0) return 'it is empty, so write it with write_text_file'
  if (doc.lineCount > SHOWN_WHOLE) return 'read the file and copy the text'
  const lines = doc.lines(1, doc.lineCount)
  if (lines.some(isLong)) return 'read the file and copy the text'
  return `it has only:\n${lines.map((line, i) => `${i + 1}|${line}`).join('\n')}\nCopy the text as it stands there, without the numbers`
}

/** Where a search that must be unique stands. */
export function describeSeveral(places: readonly FoundText[]): string {
  const lines = new Set(places.slice(0, SHOWN_PLACES).map(({ from }) => from.line))
  const isMany = places.length > SHOWN_PLACES
  const where = `${lines.size === 1 ? 'line' : 'lines'} ${[...lines].join(', ')}`
  return `it stands at ${isMany ? 'many' : places.length} places (${where}${isMany ? ' and more' : ''}); add the text around the one you mean until it is unique, or pass all: true for every place`
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

const LONG = 300

function isLong(line: string): boolean {
  return line.length > LONG
}

function shorten(line: string): string {
  return isLong(line) ? `${line.slice(0, LONG)}…` : line
}
