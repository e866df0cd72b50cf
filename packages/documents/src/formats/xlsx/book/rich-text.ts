import { bufferOf, decodeText, encodeText } from '../../../opc/index.ts'
import { cellKey } from '../cell/address.ts'
import { CellScan, T_INLINE, T_SHARED } from '../cell/cell-scan.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { decodeEscapes, encodeEscapes } from '../cell/strings.ts'
import type { Book } from './book.ts'
import { runsXml } from './cell-xml.ts'
import type { Sheet } from './sheet.ts'

/** The runs of a cell's text as XML; undefined for plain text. Called only for a cell that changes. */
export function runsOf(book: Book, sheet: Sheet, row: number, column: number): string | undefined {
  const opened = sheet.xml()
  const strings = book.part.strings()
  if (!opened.ok || !strings.ok) return undefined
  const xml = opened.value
  const edit = sheet.cells.get(cellKey(row, column))
  if (edit) {
    if (edit.content?.type !== 'text') return undefined
    return edit.content.xml ?? (edit.content.runs && runsXml(xml.prefix, edit.content.runs))
  }
  if (!strings.value.hasRuns && !hasRuns(xml)) return undefined
  let found: string | undefined
  const cell = new CellScan()
  const { numbers, count } = xml.rows
  for (let index = xml.findRow(row); index < count && numbers[index] === row; index++)
    xml.scanRow(index, cell, own => {
      if (own.column !== column) return
      if (own.type === T_SHARED) found = strings.value.xmlOf(own.sharedIndex())
      else if (own.type === T_INLINE && own.inlineStart >= 0)
        found = bufferOf(own.bytes).toString('utf8', own.inlineStart, own.inlineEnd)
    })
  return found !== undefined && RUN.test(found) ? found : undefined
}

export interface TextPlace {
  readonly start: number
  readonly end: number
  /** Its own new text, where places differ. */
  readonly by?: string
}

/**
 * The runs with the new text at those places: it takes the format of the first character it replaces. Undefined where
 * the markup around the runs is unknown. Phonetic readings are dropped, as in Excel: they belong to the old text.
 */
export function replaceInRuns(
  xml: string,
  prefix: string,
  change: { readonly text: string; readonly places: readonly TextPlace[]; readonly by: string },
): string | undefined {
  const own = withPrefix(xml.replace(PHONETIC, ''), prefix)
  if (own === undefined) return undefined
  const runs = [...own.matchAll(ALL_RUNS)].map(([whole]) => ({ whole, text: textOf(whole) }))
  if (runs.map(({ text }) => text).join('') !== change.text) return undefined
  let at = 0
  const changed = runs.map(({ whole, text }) => {
    const start = at
    at += text.length
    const now = replaced(text, start, change)
    if (now === text) return whole
    if (now === '') return ''
    const tag = `<${prefix}t xml:space="preserve">${encodeText(encodeEscapes(now))}</${prefix}t>`
    return whole.replace(TEXT, () => tag)
  })
  return changed.join('')
}

const RUN = /<(?:[\w.-]+:)?r[\s>]/
const ALL_RUNS = /<((?:[\w.-]+:)?)r(?:\s[^>]*)?>[\s\S]*?<\/\1r\s*>/g
const TEXT = /<((?:[\w.-]+:)?)t(?:\s[^>]*)?(?:\/>|>([^<]*)<\/\1t\s*>)/
const PHONETIC = /<((?:[\w.-]+:)?)(rPh|phoneticPr)(?:\s[^>]*)?(?:\/>|>[\s\S]*?<\/\1\2\s*>)/g

function textOf(run: string): string {
  const bytes = Buffer.from(TEXT.exec(run)?.[2] ?? '')
  return decodeEscapes(decodeText(bytes, 0, bytes.length))
}

/** The part of one run: the new text goes where a place starts, and the rest of the place is dropped. */
function replaced(
  text: string,
  offset: number,
  { places, by }: { readonly places: readonly TextPlace[]; readonly by: string },
): string {
  let out = ''
  let kept = 0
  for (const { start, end, by: own = by } of places) {
    const from = Math.max(start - offset, 0)
    const to = Math.min(end - offset, text.length)
    if (from >= text.length || to <= 0) continue
    out += text.slice(kept, from) + (start >= offset ? own : '')
    kept = to
  }
  return out + text.slice(kept)
}

/** The markup with the prefix of its new part; undefined when some belongs to another vocabulary. */
function withPrefix(xml: string, prefix: string): string | undefined {
  if (xml.includes('<!') || xml.includes('<?')) return undefined
  const own = /<([\w.-]+:)?r[\s>]/.exec(xml)?.[1] ?? ''
  let isKnown = true
  const moved = xml.replace(
    /<(\/?)([\w.-]+:)?([\w.-]+)/g,
    (_, slash: string, mark: string | undefined, local: string) => {
      if ((mark ?? '') !== own) isKnown = false
      return `<${slash}${prefix}${local}`
    },
  )
  return isKnown ? moved : undefined
}

const known = new WeakMap<SheetXml, boolean>()

function hasRuns(xml: SheetXml): boolean {
  let found = known.get(xml)
  if (found === undefined) {
    found = bufferOf(xml.bytes).includes(`<${xml.prefix}r>`)
    known.set(xml, found)
  }
  return found
}
