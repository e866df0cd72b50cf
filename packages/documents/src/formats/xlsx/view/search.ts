import { type Box, ok, type Result } from '@filewright/protocol'
import type { SearchHits, SearchQuery } from '../../../format.ts'
import { matcherOf } from '../../../text-matcher.ts'
import type { Book } from '../book/book.ts'
import { renderCell, showCell } from '../book/show.ts'
import { cellName, MAX_COLUMN, placeOf, WHOLE_SHEET } from '../cell/address.ts'
import { commentsOf } from '../parts/sheet-parts.ts'

const ROWS_AT_ONCE = 2_000

/** Searches values as shown and as stored, formulas, comments and sheet names; returns cells that `read` takes. */
export function searchBook(book: Book, query: SearchQuery): Result<SearchHits> {
  const matches = matcherOf(query)
  const hits: SearchHits['hits'][number][] = []
  let total = 0
  const add = (sheet: string, cell: string, text: () => string) => {
    if (total++ >= query.maxHits) return
    hits.push({ region: { sheet, range: cell }, place: placeOf(sheet, cell), text: clip(text()) })
  }
  for (const sheet of book.sheets) {
    if (sheet.kind === 'chartsheet') continue
    const xml = sheet.xml()
    if (!xml.ok) continue
    const { numbers, count } = xml.value.rows
    const last = Math.max(
      count > 0 ? numbers[count - 1]! : 0,
      ...sheet.editedKeys.slice(-1).map(key => Math.floor(key / MAX_COLUMN)),
    )
    for (let top = 1; top <= last; top += ROWS_AT_ONCE) {
      const box: Box = { ...WHOLE_SHEET, top, bottom: Math.min(top + ROWS_AT_ONCE - 1, last) }
      const scanned = book.values.scan(sheet, box, cell => {
        if (cell.content.type === 'empty' && !cell.formula) return
        const shown = showCell(book, cell)
        const found =
          matches(shown.text) ||
          (shown.raw !== undefined && matches(shown.raw)) ||
          (cell.formula !== undefined && matches(`=${cell.formula.text}`))
        if (found) add(sheet.name, cellName(cell.row, cell.column), () => renderCell(book, cell))
      })
      if (!scanned.ok) return scanned
    }
    for (const comment of commentsOf(book.part, sheet))
      if (matches(comment.text)) add(sheet.name, comment.cell, () => `comment: ${comment.text}`)
  }
  return ok({ hits, isTruncated: total > hits.length, total })
}

function clip(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`
}
