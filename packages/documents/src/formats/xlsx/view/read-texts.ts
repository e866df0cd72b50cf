import { counted, ok, type Reading, type Result } from '@filewright/protocol'
import type { ReadOptions } from '../../../format.ts'
import type { Book } from '../book/book.ts'
import { boxName, cellName, placeOf } from '../cell/address.ts'
import type { WorkbookRegion } from '../declared/selectors.ts'
import { resolveRegion } from './region.ts'

/** The distinct texts of a region, each with how often it is there: what a translation or a clean-up starts from. */
export function readTexts(
  book: Book,
  region: WorkbookRegion,
  options: ReadOptions,
): Result<Reading> {
  const place = resolveRegion(book, region)
  if (!place.ok) return place
  if ('empty' in place.value) {
    const { name } = place.value.empty
    return ok({
      text: `${placeOf(name, 'nothing')}: no texts`,
      fields: { sheet: name, texts: [] },
      shown: 'nothing',
      total: 'nothing',
    })
  }
  const { sheet, box } = place.value
  const texts = new Map<string, { count: number; cell: string }>()
  const scanned = book.values.scan(sheet, box, ({ content, formula, row, column }) => {
    if (content.type !== 'text' || formula) return
    const known = texts.get(content.value)
    if (known) known.count++
    else texts.set(content.value, { count: 1, cell: cellName(row, column) })
  })
  if (!scanned.ok) return scanned
  const all = [...texts].sort((a, b) => b[1].count - a[1].count)
  const shown: { text: string; count: number; cell: string }[] = []
  let left = options.maxBytes - 300
  for (const [text, own] of all) {
    left -= Buffer.byteLength(text) + own.cell.length + 12
    if (left < 0) break
    shown.push({ text, ...own })
  }
  const range = boxName(box)
  const rest = all.length - shown.length
  const lines = [
    `${placeOf(sheet.name, range)}: ${counted(all.length, 'distinct text')}; count|text|first cell`,
    ...shown.map(own => `${own.count}|${JSON.stringify(own.text)}|${own.cell}`),
    ...(rest > 0 ? [`and ${counted(rest, 'more text')}; read a smaller range`] : []),
  ]
  return ok({
    text: lines.join('\n'),
    fields: { sheet: sheet.name, range, texts: shown, textCount: all.length },
    shown: range,
    total: range,
  })
}
