import type { SearchHits, SearchQuery } from '../../../format.ts'
import type { TextDocument } from '../decode/text.ts'
import { withinLines } from './within-lines.ts'

/** Characters shown around a hit. */
const AROUND = 120
const BLOCK = 1024 * 1024

/** Every line that contains the text or matches the expression, with its number; each line is one hit. */
export function searchText(doc: TextDocument, query: SearchQuery): SearchHits {
  const finder = finderOf(query)
  const hits: SearchHits['hits'][number][] = []
  let total = 0
  for (const block of finder ? blocksOf(doc) : [])
    for (const start of linesWith(block.text, finder!)) {
      const at = finder!.inLine(lineAt(block.text, start))
      if (!at) continue
      total++
      if (hits.length >= query.maxHits) continue
      block.line += newlinesIn(block.text, block.counted, start)
      block.counted = start
      hits.push(toHit(doc, block.line, at, query.context ?? 0))
    }
  return { hits, isTruncated: total > hits.length, total }
}

interface Match {
  readonly index: number
  readonly length: number
}

/** Looks through whole blocks, which is many times faster than line by line, then at the line it found. */
interface Finder {
  /** A place at or after `from` whose line may match; -1 when there is none. */
  inBlock(text: string, from: number): number
  inLine(line: string): Match | undefined
}

function finderOf({ text = '', regex, caseSensitive }: SearchQuery): Finder | undefined {
  if (regex) return finderByExpression(regex.source, regex.flags.replace(/[gmsy]/g, ''))
  const sought = text.replace(/\r?\n[\s\S]*/, '')
  if (sought === '') return undefined // it would match every line
  if (!caseSensitive)
    return finderByExpression(
      sought.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
      isAsciiText(sought) ? 'i' : 'iu',
    )
  return {
    inBlock: (block, from) => block.indexOf(sought, from),
    inLine(line) {
      const index = line.indexOf(sought)
      return index < 0 ? undefined : { index, length: sought.length }
    },
  }
}

function finderByExpression(source: string, flags: string): Finder | undefined {
  if (source === '(?:)') return undefined
  const ofLine = new RegExp(source, flags)
  const inside = withinLines(source)
  const ofBlock = inside === undefined ? undefined : new RegExp(inside, `${flags}gm`)
  return {
    inBlock(text, from) {
      if (!ofBlock) return from < text.length ? from : -1
      ofBlock.lastIndex = from
      return ofBlock.exec(text)?.index ?? -1
    },
    inLine(line) {
      const found = ofLine.exec(line)
      return found ? { index: found.index, length: found[0].length } : undefined
    },
  }
}

function isAsciiText(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

interface Block {
  readonly text: string
  /** The number of the line at `counted`. */
  line: number
  counted: number
}

function* blocksOf(doc: TextDocument): Generator<Block> {
  for (let first = 1; first <= doc.lineCount; ) {
    const start = doc.startOf(first)
    const isRest = start + BLOCK >= doc.sizeBytes
    const last = isRest ? doc.lineCount : Math.max(first, doc.lineAt(start + BLOCK) - 1)
    yield { text: doc.slice(first, last - first + 1).content, line: first, counted: 0 }
    first = last + 1
  }
}

/** The starts of lines that may match. */
function* linesWith(text: string, finder: Finder): Generator<number> {
  for (let from = 0; from < text.length; ) {
    const found = finder.inBlock(text, from)
    if (found < 0 || (found === text.length && text.endsWith('\n'))) return
    const start = found === 0 ? 0 : text.lastIndexOf('\n', found - 1) + 1
    yield start
    const end = text.indexOf('\n', found)
    if (end < 0) return
    from = end + 1
  }
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  if (end < 0) return text.slice(start)
  return text.slice(start, end > start && text[end - 1] === '\r' ? end - 1 : end)
}

function newlinesIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1))
    count++
  return count
}

function toHit(doc: TextDocument, line: number, at: Match, context: number) {
  const from = Math.max(1, line - context)
  const to = Math.min(doc.lineCount, line + context)
  return {
    region: { line_start: line, line_count: 1 },
    place: `line ${line}`,
    text: excerpt(doc.line(line), at),
    ...(context > 0 && {
      before: doc.lines(from, line - 1).map(clipped),
      after: doc.lines(line + 1, to).map(clipped),
    }),
  }
}

function excerpt(line: string, { index, length }: Match): string {
  const start = Math.max(0, index - AROUND)
  const end = Math.min(line.length, index + Math.min(length, AROUND) + AROUND)
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`
}

function clipped(line: string): string {
  return line.length <= 2 * AROUND ? line : `${line.slice(0, 2 * AROUND)}…`
}
