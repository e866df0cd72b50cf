import type { TextDocument } from '../decode/text.ts'
import { describeLines } from '../patch/line-changes.ts'
import { type FoundText, findText } from './find-text.ts'
import { type NearBlock, nearestBlock } from './nearest-block.ts'

const SHOWN_PLACES = 10
const SHOWN_LINES = 3
const SHOWN_WHOLE = 12
const SHOWN_BLOCK = 40
const SHOWN_BEFORE = 10 // lines of a longer block shown before the first difference
/** Lines searched for similar ones; the result is only information, so a limit is harmless. */
const MAX_COMPARED = 20_000

/**
 * Why a search found nothing, with the nearest text. That text is shown and never used. `begun` is the text before the
 * earlier edits of the call.
 */
export function describeNotFound(
  doc: TextDocument,
  search: string,
  begun: TextDocument = doc,
): string {
  const stood = begun === doc ? undefined : firstLineOf(begun, search)
  if (stood)
    return `it was at line ${stood} until an earlier edit in this call changed that text; each edit applies to the result of the ones before it`
  const other = otherForms(search).find(form => firstLineOf(doc, form))
  if (other)
    return `the file does not contain it as sent; at line ${firstLineOf(doc, other)} it is in another Unicode form (${other === search.normalize('NFD') ? 'accents as separate characters' : 'accents as part of their letters'}). Search for a piece without the accented characters, or send it in that form`
  const stripped = search.replace(/^[ \t]*\d+\|/gm, '')
  const [unnumbered] = stripped === search ? [] : findText(doc, stripped, { overlapping: true })
  if (unnumbered)
    return `the file does not contain it as sent; without the \`12|\` prefixes of a read it is at line ${unnumbered.from.line}, so send it without them`
  const lines = search.split(/\r?\n/)
  const block = lines.length > 1 ? nearestBlock(doc, lines) : undefined
  if (block) return describeBlock(doc, block)
  const near = nearestLines(doc, lines.find(line => line.trim() !== '') ?? '')
  if (near.length === 0) return `the file does not contain it; ${describeWhole(doc)}`
  const shown = near.map(n => `${n}|${shorten(doc.line(n))}`).join('\n')
  return `the file does not contain exactly this text. The nearest lines are:\n${shown}\nCopy the text exactly, white space included`
}

/** The lines at the likely place, so that the next attempt can copy from them. */
function describeBlock(doc: TextDocument, { first, last, differsAt }: NearBlock): string {
  const isLong = last - first >= SHOWN_BLOCK
  const from = isLong ? Math.max(first, (differsAt ?? first) - SHOWN_BEFORE) : first
  const to = Math.min(last, from + SHOWN_BLOCK - 1)
  const shown = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    .map(n => `${n}|${shorten(doc.line(n))}`)
    .join('\n')
  const where = differsAt === undefined ? '' : ` and differ first at line ${differsAt}`
  const some = isLong ? ` Lines ${from}-${to} of them:` : ''
  return `the file does not contain exactly this text. ${capitalised(describeLines(first, last))} come nearest${where}.${some}\n${shown}\nCopy the text exactly, white space included and without the numbers`
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

/** A short file is shown whole, so that the next attempt needs no read. */
function describeWhole(doc: TextDocument): string {
  if (doc.lineCount === 0) return 'it is empty, so write it with write_text_file'
  if (doc.lineCount > SHOWN_WHOLE) return 'read the file and copy the text'
  const lines = doc.lines(1, doc.lineCount)
  if (lines.some(isLong)) return 'read the file and copy the text'
  return `it has only:\n${lines.map((line, i) => `${i + 1}|${line}`).join('\n')}\nCopy the text exactly, without the numbers`
}

/** Where a search that must be unique occurs. */
export function describeSeveral(places: readonly FoundText[]): string {
  const lines = new Set(places.slice(0, SHOWN_PLACES).map(({ from }) => from.line))
  const isMany = places.length > SHOWN_PLACES
  const where = `${lines.size === 1 ? 'line' : 'lines'} ${[...lines].join(', ')}`
  return `it occurs ${isMany ? 'many' : places.length} times (${where}${isMany ? ' and more' : ''}); add text around the one you mean until it is unique, or pass all: true to replace every occurrence`
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

/** Pairs of characters, ignoring white space, which is the usual difference. */
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
