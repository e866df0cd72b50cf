import type { Operation } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import {
  boxName,
  type CellAddress,
  cellName,
  columnOfKey,
  parseBox,
  rowOfKey,
  splitSheet,
} from '../cell/address.ts'
import { mapWritten, writtenValues } from '../formula/written-values.ts'
import type { LineShift } from '../places/line-shift.ts'
import {
  boxBack,
  cellAhead,
  cellBack,
  formulaBack,
  type ReferenceHome,
} from '../shift/left-out-lines.ts'
import { linesInsertedBy } from './rows/line-fields.ts'

/** Lines whose insertion was refused after later operations were logged: the places of those count them. */
export interface MissingLines {
  readonly sheet: string
  readonly lines: LineShift
}

/** The refused insertions among the operations that a later one was logged on. */
export function leftOutOf(operations: readonly Operation[] = []): readonly MissingLines[] {
  return operations.flatMap(operation => {
    const lines = linesInsertedBy(operation)
    return lines && typeof operation.sheet === 'string' ? [{ sheet: operation.sheet, lines }] : []
  })
}

/** Operations that write single cells: each of them is at its own place, whatever became of the others. */
export function movesBack({ op }: Operation): boolean {
  return op === 'set_cells' || op === 'set_range' || op === 'clear_range'
}

/** The same operation where its cells are without the lines. Cells in the lines are left out. */
export function movedBack(
  operation: Operation,
  leftOut: readonly MissingLines[],
  book: Book,
): Operation {
  const sheet = typeof operation.sheet === 'string' ? book.sheet(operation.sheet) : undefined
  if (leftOut.length === 0 || !sheet || !movesBack(operation)) return operation
  const own = leftOut.filter(({ sheet: name }) => book.sheet(name) === sheet)
  return operation.op === 'clear_range'
    ? clearedBack(operation, own)
    : writtenBack(operation, sheet, { own, all: leftOut }, book)
}

function clearedBack(operation: Operation, own: readonly MissingLines[]): Operation {
  const box = parseBox(splitSheet(String(operation.range)).address)
  const back = own.reduceRight(
    (found, { lines }) => found && boxBack(lines, found),
    box ?? undefined,
  )
  return back ? { ...operation, range: boxName(back) } : operation
}

function writtenBack(
  operation: Operation,
  sheet: Sheet,
  { own, all }: { readonly own: readonly MissingLines[]; readonly all: readonly MissingLines[] },
  book: Book,
): Operation {
  const { formulas } = operation
  const cells = [...writtenValues(operation)].flatMap(([key, { value }]) => {
    const at = placeBack(own, { row: rowOfKey(key), column: columnOfKey(key) })
    const mapped = mapWritten(operation, value, formula =>
      all.reduceRight<string | undefined>(
        (text, { sheet: name, lines }) =>
          text === undefined ? text : formulaBack(lines, text, homeOf(book, sheet, name)),
        formula,
      ),
    )
    return at && mapped !== undefined ? [{ cell: cellName(at.row, at.column), value: mapped }] : []
  })
  return {
    op: 'set_cells',
    sheet: sheet.name,
    cells,
    ...(formulas === true && { formulas }),
  }
}

/** Undefined: the place is in lines that are not there. */
function placeBack(own: readonly MissingLines[], place: CellAddress): CellAddress | undefined {
  return own.reduceRight<CellAddress | undefined>(
    (at, { lines }) => at && cellBack(lines, at),
    place,
  )
}

/** The place that the log has for a cell. */
export function placeAhead(
  leftOut: readonly MissingLines[],
  sheet: Sheet,
  place: CellAddress,
): CellAddress {
  return leftOut
    .filter(({ sheet: name }) => name.toLowerCase() === sheet.name.toLowerCase())
    .reduce((at, { lines }) => cellAhead(lines, at), place)
}

/** How a formula on one sheet names another, or its own. */
export function homeOf(book: Book, home: Sheet, named: string): ReferenceHome {
  const isSame = (name: string) => name.toLowerCase() === named.toLowerCase()
  return {
    isOn: name => isSame(name ?? home.name),
    isSheet: name => book.sheet(name) !== undefined,
  }
}
