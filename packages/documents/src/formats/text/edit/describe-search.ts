import type { TextDocument } from '../decode/text.ts'
import { describeNear, nearestBlock } from '../patch/nearest-block.ts'
import { isLong, numbered } from '../patch/shown-lines.ts'
import { type FoundText, findText } from './find-text.ts'

const SHOWN_PLACES = 10
const SHOWN_AROUND = 5 // of those places, with the lines around
const AROUND = 3 // lines on either side
const SHOWN_OF_PLACE = 10 // lines of a long search that occurs several times
const SHOWN_LINES = 3
const SHOWN_WHOLE = 12
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
  const block = lines.length > 1 ? nearestBlock(doc, lines, { inLines: true }) : undefined
  if (block) return `the file does not contain exactly this text. ${describeNear(doc, block)}`
  const near = nearestLines(doc, lines.find(line => line.trim() !== '') ?? '')
  if (near.length === 0) return `the file does not contain it; ${describeWhole(doc)}`
  const shown = near.map(n => numbered(doc, n, n)).join('\n')
  return `the file does not contain exactly this text. The nearest lines are:\n${shown}\nCopy the text exactly, white space included`
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
  return `it has only:\n${numbered(doc, 1, doc.lineCount)}\nCopy the text exactly, without the numbers`
}

/** Where a search that must be unique occurs, with the lines around, so that the next attempt needs no read. */
export function describeSeveral(doc: TextDocument, places: readonly FoundText[]): string {
  const lines = [...new Set(places.slice(0, SHOWN_PLACES).map(({ from }) => from.line))]
  const isMany = places.length > SHOWN_PLACES
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`
  const around = runsAround(places.slice(0, SHOWN_AROUND), doc.lineCount)
  const shown = around.map(([first, last]) => numbered(doc, first, last)).join('\n…\n')
  return `it occurs ${isMany ? 'many' : places.length} times (${where}${isMany ? ' and more' : ''}); add text around the one you mean until it is unique, or pass all: true to replace every occurrence. The lines around${places.length > SHOWN_AROUND ? ` the first ${SHOWN_AROUND}` : ''}:\n${shown}\nCopy them without the numbers`
}

/** Three lines on either side of each place; what touches is shown once. */
function runsAround(places: readonly FoundText[], lineCount: number): [number, number][] {
  const runs: [number, number][] = []
  for (const { from, to } of places) {
    const first = Math.max(1, from.line - AROUND)
    const last = Math.min(lineCount, Math.min(to.line, from.line + SHOWN_OF_PLACE) + AROUND)
    const open = runs.at(-1)
    if (open && first <= open[1] + 1) open[1] = Math.max(open[1], last)
    else runs.push([first, last])
  }
  return runs
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
