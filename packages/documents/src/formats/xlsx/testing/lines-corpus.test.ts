import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import {
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { usedBox } from '../book/used.ts'
import { openWorkbook } from '../book/workbook-part.ts'
import { cellName, MAX_ROW, WHOLE_SHEET } from '../cell/address.ts'
import type { CellData } from '../cell/cells.ts'
import { xlsxFormat } from '../format.ts'
import { findStale } from '../formula/dependants.ts'
import { findReferences, type Reference } from '../formula/references.ts'
import { structureFaults } from './structure.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const files = corpusFiles(file => file.category === 'xlsx')
const SMALL = 60_000 // bytes
const sample = IS_FULL
  ? files
  : sampleOf(
      files.filter(file => file.size < SMALL),
      6,
    )
const ALLOWED = { allowProtected: true, allowBreakSignature: true }
/** Why a row cannot be inserted; anything else is a fault of ours. */
const DEFINED =
  /one formula|pivot table|the table |beyond the last|programs disagree|not well-formed|one and the same part|holds no part/

describe.skipIf(!hasCorpus)('rows inserted in the middle of every sheet', () => {
  test.each(sample)(
    '$file: every cell is where it went, every formula names the same cells, and back',
    file => {
      const bytes = readCorpusFile(file)
      const before = openBook(bytes)
      const faults = structureFaults(bytes)
      for (const sheet of before.sheets.filter(own => own.kind === 'worksheet' && own.isInFile)) {
        const used = usedBox(sheet)
        if (!used.ok || !used.value) continue
        const at = Math.ceil((used.value.top + used.value.bottom) / 2)
        const document = unwrap(xlsxFormat.open(bytes, NAME))
        const insert = { op: 'insert_rows', sheet: sheet.name, at }
        const applied = document.apply(logged([insert], 'tc_1'), ALLOWED)
        if (!applied.ok) {
          expect(applied.failure.message).toMatch(DEFINED)
          continue
        }
        const inserted = toBytes(unwrap(document.content()), bytes)
        expect(structureFaults(inserted).filter(fault => !faults.includes(fault))).toEqual([])
        expectMoved(before, openBook(inserted), sheet.name, at)
        const undo = { op: 'delete_rows', sheet: sheet.name, rows: String(at) }
        unwrap(document.apply(logged([undo], 'tc_2'), ALLOWED))
        const back = openBook(toBytes(unwrap(document.content()), bytes))
        expectMoved(before, back, sheet.name, MAX_ROW)
      }
    },
    240_000,
  )
})

function openBook(bytes: Uint8Array): Book {
  return new Book(unwrap(openWorkbook(bytes)), { findStale })
}

/** Every cell of every sheet, with the rows of one sheet from `at` on one further down. */
function expectMoved(before: Book, after: Book, name: string, at: number): void {
  for (const sheet of before.sheets) {
    if (sheet.kind !== 'worksheet' || !sheet.isInFile) continue
    const now = after.sheet(sheet.name)!
    const cells = cellsOf(after, now)
    for (const [place, cell] of cellsOf(before, sheet)) {
      const isMoved = sheet.name === name && cell.row >= at
      const there = cells.get(isMoved ? cellName(cell.row + 1, cell.column) : place)
      if (!there) {
        expect(cell.content.type === 'empty' && !cell.formula, `${sheet.name}!${place}`).toBe(true)
        continue
      }
      expect(there.style, place).toBe(cell.style)
      if (cell.formula)
        expect(areasOf(there), `${sheet.name}!${place} ${cell.formula.text}`).toEqual(
          areasOf(cell, area => moved(area, sheet.name, name, at)),
        )
      else if (there.content.type !== 'empty') expect(there.content, place).toEqual(cell.content)
    }
  }
}

function cellsOf(book: Book, sheet: Sheet): Map<string, CellData> {
  const found = unwrap(book.values.in(sheet, WHOLE_SHEET))
  return new Map([...found.values()].map(cell => [cellName(cell.row, cell.column), cell]))
}

function areasOf(
  { formula }: CellData,
  map: (area: Reference) => Reference = area => area,
): readonly Reference[] {
  return formula?.kind === 'dataTable' ? [] : findReferences(formula?.text ?? '').areas.map(map)
}

/** By plain arithmetic, on what a parser other than the one that moved it reads. */
function moved(area: Reference, own: string, name: string, at: number): Reference {
  const [sheet = own, last] = area.sheets ?? []
  if (last !== undefined || sheet.toLowerCase() !== name.toLowerCase()) return area
  if (area.top === 1 && area.bottom === MAX_ROW) return area
  const by = (row: number) => (row >= at ? row + 1 : row)
  return { ...area, top: by(area.top), bottom: Math.min(MAX_ROW, by(area.bottom)) }
}
