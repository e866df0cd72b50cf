import { type Box, ok, type Result } from '@filewright/protocol'
import type { SearchHits, SearchQuery } from '../../../format.ts'
import type { Book } from '../book/book.ts'
import { renderCell, showCell } from '../book/show.ts'
import { cellName, MAX_COLUMN, placeOf, WHOLE_SHEET } from '../cell/address.ts'
import { commentsOf } from '../parts/sheet-parts.ts'

const ROWS_AT_ONCE = 2_000

/** Searches values as shown and as stored, formulas, comments and sheet names; returns cells that `read` takes. */
export function searchBook(book: Book, query: SearchQuery): Result<SearchHits> {
  const matches = matcherOf(query)
  const hits: SearchHits['hits'][number][] = []
  const add = (sheet: string, cell: string, text: string) =>
    hits.push({ region: { sheet, range: cell }, place: placeOf(sheet, cell), text: clip(text) })
  for (const sheet of book.sheets) {
    if (sheet.kind === 'chartsheet') continue
    const xml = sheet.xml()
    if (!xml.ok) continue
    const { numbers, count } = xml.value.rows
    const last = Math.max(
      count > 0 ? numbers[count - 1]! : 0,
      ...sheet.editedKeys.slice(-1).map(key => Math.floor(key / MAX_COLUMN)),
    )
    for (let top = 1; top <= last && hits.length <= query.maxHits; top += ROWS_AT_ONCE) {
      const box: Box = { ...WHOLE_SHEET, top, bottom: Math.min(top + ROWS_AT_ONCE - 1, last) }
      const scanned = book.scan(sheet, box, cell => {
        if (cell.content.type === 'empty' && !cell.formula) return
        if (hits.length > query.maxHits) return
        const shown = showCell(book, cell)
        const found =
          matches(shown.text) ||
          (shown.raw !== undefined && matches(shown.raw)) ||
          (cell.formula !== undefined && matches(`=${cell.formula.text}`))
        if (found) add(sheet.name, cellName(cell.row, cell.column), renderCell(book, cell))
      })
      if (!scanned.ok) return scanned
    }
    for (const comment of commentsOf(book.part, sheet))
      if (matches(comment.text)) add(sheet.name, comment.cell, `comment: ${comment.text}`)
    if (hits.length > query.maxHits) break
  }
  return ok({ hits: hits.slice(0, query.maxHits), isTruncated: hits.length > query.maxHits })
}

export function matcherOf(
  query: Pick<SearchQuery, 'text' | 'regex' | 'caseSensitive'>,
): (text: string) => boolean {
  const { text, regex, caseSensitive } = query
  if (regex) {
    const own = new RegExp(regex.source, regex.flags.replace(/[gy]/g, ''))
    return candidate => own.test(candidate)
  }
  if (caseSensitive) return candidate => candidate.includes(text ?? '')
  const folded = (text ?? '').toLowerCase()
  return candidate => candidate.toLowerCase().includes(folded)
}

function clip(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`
}
