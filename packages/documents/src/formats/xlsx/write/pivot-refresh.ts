import { attribute, child, fromUtf8, parseXml, Splices, toUtf8 } from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { setAttribute } from '../book/splice-rows.ts'
import { isTrue } from '../book/workbook-part.ts'
import { columnOfKey, contains, parseBox, rowOfKey } from '../cell/address.ts'
import { tablesOf } from '../parts/sheet-parts.ts'

/** Pivot tables whose source was edited are read again when the file is opened. */
export function refreshPivots(book: Book, edits: Map<string, Uint8Array | null>): void {
  const own = book.part.package
  for (const { kind, target } of book.part.relationships) {
    if (kind !== 'pivotCacheDefinition' || !own.has(target)) continue
    const name = own.spellingOf(target)
    const part = edits.get(name) ?? own.part(name)
    const bytes = part instanceof Uint8Array ? part : part?.ok ? part.value : undefined
    const decoded = bytes && toUtf8(bytes)
    const document = decoded && parseXml(decoded.utf8)
    if (!decoded || !document || typeof document === 'string') continue
    const { root } = document
    const source = child(child(root, 'cacheSource'), 'worksheetSource')
    if (!source || isTrue(attribute(root, 'refreshOnLoad'))) continue
    const isEdited = isTouched(book, {
      table: attribute(source, 'name'),
      sheet: attribute(source, 'sheet'),
      ref: attribute(source, 'ref'),
    })
    if (!isEdited) continue
    const splices = new Splices()
    setAttribute(splices, root, 0, 'refreshOnLoad', '1')
    edits.set(name, fromUtf8(splices.apply(decoded.utf8), decoded.encoding))
  }
}

function isTouched(
  book: Book,
  source: {
    readonly table: string | undefined
    readonly sheet: string | undefined
    readonly ref: string | undefined
  },
): boolean {
  return book.sheets.some(sheet => {
    const table = tablesOf(book.part, sheet).find(({ name }) => name === source.table)
    const isOwn = source.table === undefined && source.sheet === book.part.sheets[sheet.id]?.name
    const box = parseBox(table?.ref ?? (isOwn ? (source.ref ?? '') : ''))
    return (
      box !== undefined &&
      keysOf(book, sheet).some(key => contains(box, rowOfKey(key), columnOfKey(key)))
    )
  })
}

/** Cells that were written, and formulas whose results counted no more. */
function keysOf(book: Book, sheet: Sheet): readonly number[] {
  const stale = book.mayBeStale ? book.values.stale.keysOf(sheet.id) : []
  return [...sheet.cells.keys(), ...stale]
}
