import { ok, type Result } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import {
  boxName,
  cellKey,
  cellName,
  columnNumber,
  contains,
  intersects,
  WHOLE_SHEET,
} from '../cell/address.ts'
import type { CellNow } from '../cell/cells.ts'
import { findReferences, type Reference } from '../formula/references.ts'

/** Places of a sheet that deserve a look, each with what is odd about it. */
export interface SheetCheck {
  readonly kind: (typeof KINDS)[number]
  readonly cell: string
  readonly note: string
}

const KINDS = [
  'error',
  'formula differs from its neighbours',
  'number stored as text',
  'range stops short',
  'counted twice',
  'number inside a formula',
] as const

const MOST_CELLS = 100_000 // a larger sheet is not checked
const MOST_OF_A_KIND = 20

/** Undefined: the sheet is too large to look at every cell. */
export function checkSheet(
  book: Book,
  sheet: Sheet,
  cellCount: number,
): Result<readonly SheetCheck[] | undefined> {
  if (cellCount > MOST_CELLS) return ok(undefined)
  const cells = new Map<number, CellNow>()
  const scanned = book.values.scan(sheet, WHOLE_SHEET, cell => {
    if (cell.content.type !== 'empty' || cell.formula)
      cells.set(cellKey(cell.row, cell.column), cell)
  })
  if (!scanned.ok) return scanned
  const found = new Found()
  const totals: Total[] = []
  for (const cell of cells.values()) {
    checkValue(found, cells, cell)
    if (!cell.formula) continue
    const areas = findReferences(cell.formula.text).areas.filter(own => !own.sheets)
    checkNeighbours(found, cells, cell)
    checkNumbers(found, cell)
    checkTotal(found, cells, cell, areas, totals)
  }
  checkTwice(found, totals)
  return ok(found.list)
}

class Found {
  readonly list: SheetCheck[] = []
  readonly #counts = new Map<string, number>()

  add(
    kind: SheetCheck['kind'],
    { row, column }: Pick<CellNow, 'row' | 'column'>,
    note: string,
  ): void {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    if (count <= MOST_OF_A_KIND) this.list.push({ kind, cell: cellName(row, column), note })
  }
}

function checkValue(found: Found, cells: ReadonlyMap<number, CellNow>, cell: CellNow): void {
  const { content, formula, row, column } = cell
  if (content.type === 'error') found.add('error', cell, content.value)
  else if (formula && /#REF!/.test(formula.text)) found.add('error', cell, `=${formula.text}`)
  if (content.type !== 'text' || formula || !/^\s*-?(?!0\d)\d[\d.,]*%?\s*$/.test(content.value))
    return
  const near = [cells.get(cellKey(row - 1, column)), cells.get(cellKey(row + 1, column))]
  if (near.some(own => own?.content.type === 'number'))
    found.add('number stored as text', cell, JSON.stringify(content.value))
}

/** A formula or a number between two cells whose formulas are the same but for their row, or their column. */
function checkNeighbours(found: Found, cells: ReadonlyMap<number, CellNow>, cell: CellNow): void {
  for (const [rows, columns] of [
    [1, 0],
    [0, 1],
  ] as const) {
    const middle = cells.get(cellKey(cell.row + rows, cell.column + columns))
    const after = cells.get(cellKey(cell.row + 2 * rows, cell.column + 2 * columns))
    if (!middle || !after?.formula || relative(after) !== relative(cell)) continue
    if (middle.formula ? relative(middle) !== relative(cell) : middle.content.type === 'number') {
      const own = middle.formula ? `=${middle.formula.text}` : String(middle.content.value)
      found.add(
        'formula differs from its neighbours',
        middle,
        `${own} between =${cell.formula!.text} and =${after.formula.text}`,
      )
    }
  }
}

/** The formula with its relative references as distances; equal ones were copied from each other. */
function relative({ formula, row, column }: CellNow): string {
  return formula!.text.replace(
    /(\$?)\b([A-Za-z]{1,3})(\$?)(\d{1,7})\b(?!\()/g,
    (_, columnMark: string, letters: string, rowMark: string, digits: string) =>
      `C${columnMark ? letters : `[${columnNumber(letters) - column}]`}R${rowMark ? digits : `[${Number(digits) - row}]`}`,
  )
}

const USUAL = new Set([
  '0',
  '1',
  '2',
  '7',
  '10',
  '12',
  '24',
  '30',
  '52',
  '60',
  '100',
  '360',
  '365',
  '1000',
])

function checkNumbers(found: Found, cell: CellNow): void {
  const plain = cell
    .formula!.text.replace(/"[^"]*"/g, '')
    .replace(/'[^']*'!/g, '')
    .replace(/\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}\$?\d+)?/g, 'ref')
  if (!plain.includes('ref')) return
  const numbers = [...plain.matchAll(/(?<=[-+*/^=<>(,]|^)\s*(\d+(?:\.\d+)?)(?![\w.])/g)]
    .map(([, own]) => own!)
    .filter(own => !USUAL.has(own))
  // Arguments of functions are usually meant: ROUND(A1, 3), VLOOKUP(…, 3, 0).
  const inSum = numbers.filter(own =>
    new RegExp(`[-+*/^]\\s*${own.replace('.', '\\.')}|${own.replace('.', '\\.')}\\s*[-+*/^]`).test(
      plain,
    ),
  )
  if (inSum.length > 0)
    found.add('number inside a formula', cell, `${inSum.join(', ')} in =${cell.formula!.text}`)
}

interface Total {
  readonly cell: CellNow
  readonly area: Reference
}

const TOTALS = /^(?:SUM|AVERAGE|COUNT|COUNTA|MIN|MAX|SUBTOTAL|AGGREGATE)\(/i

function checkTotal(
  found: Found,
  cells: ReadonlyMap<number, CellNow>,
  cell: CellNow,
  areas: readonly Reference[],
  totals: Total[],
): void {
  const [area] = areas
  if (!area || areas.length > 1 || !TOTALS.test(cell.formula!.text)) return
  if (/^SUM\(/i.test(cell.formula!.text)) totals.push({ cell, area })
  if (area.left !== area.right || area.bottom === area.top) return
  const isNumber = (row: number) => {
    const own = cells.get(cellKey(row, area.left))
    return own !== undefined && own !== cell && own.content.type === 'number' && !isTotal(own)
  }
  const isOwnColumn = area.left === cell.column
  const next = area.bottom + 1
  if (isNumber(next) && (!isOwnColumn || next < cell.row || cell.row < area.top))
    found.add(
      'range stops short',
      cell,
      `=${cell.formula!.text} leaves out ${cellName(next, area.left)}`,
    )
  else if (area.top > 1 && isNumber(area.top - 1))
    found.add(
      'range stops short',
      cell,
      `=${cell.formula!.text} leaves out ${cellName(area.top - 1, area.left)}`,
    )
}

function isTotal({ formula }: CellNow): boolean {
  return formula !== undefined && TOTALS.test(formula.text)
}

const MOST_TOTALS = 500

/** A sum over a cell that is itself a sum of some of the same cells. */
function checkTwice(found: Found, totals: readonly Total[]): void {
  for (const { cell, area } of totals.slice(0, MOST_TOTALS)) {
    const inner = totals.find(
      other =>
        other.cell !== cell &&
        contains(area, other.cell.row, other.cell.column) &&
        intersects(area, other.area),
    )
    if (inner)
      found.add(
        'counted twice',
        cell,
        `=${cell.formula!.text} includes ${cellName(inner.cell.row, inner.cell.column)}, the sum of ${boxName(inner.area)}`,
      )
  }
}
