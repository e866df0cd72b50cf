import { attribute, descendants } from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { tablesOf } from './sheet-parts.ts'

const CACHES = new Set(['slicerCache', 'timelineCacheDefinition'])

/** The name of a slicer or timeline that filters a pivot table or a table of the sheet. */
export function findSlicer(book: Book, sheet: Sheet): string | undefined {
  const own = book.part.package
  const caches = book.part.relationships.filter(({ kind }) => CACHES.has(kind))
  if (caches.length === 0 || sheet.source.from !== 'part') return undefined
  const tabId = String(book.part.sheets[sheet.id]?.sheetId)
  const tableIds = tablesOf(book.part, sheet).map(({ part }) => {
    const table = own.xml(part)
    return table.ok ? attribute(table.value.root, 'id') : undefined
  })
  for (const { target } of caches) {
    const cache = own.xml(target)
    if (!cache.ok) continue
    const { root } = cache.value
    const isOnIt =
      [...descendants(root, 'pivotTable')].some(pivot => attribute(pivot, 'tabId') === tabId) ||
      [...descendants(root, 'tableSlicerCache')].some(table =>
        tableIds.includes(attribute(table, 'tableId')),
      )
    if (isOnIt) return attribute(root, 'name') ?? target
  }
  return undefined
}
