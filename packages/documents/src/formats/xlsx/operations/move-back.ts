import type { Operation } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { boxName, cellName, columnOfKey, parseBox, rowOfKey, splitSheet } from '../cell/address.ts'
import { mapWritten, writtenValues } from '../formula/written-values.ts'
import { type HomeSheet, mapFormula } from '../places/map-formula.ts'
import { Mapping } from '../places/mapping.ts'
import { isLost, type PlaceStep } from '../places/place-step.ts'
import { linesInsertedBy } from './rows/line-fields.ts'

/** To the places that the log has, from those without the insertions that were refused after it was written. */
export function leftOutOf(operations: readonly Operation[] = []): Mapping {
  return Mapping.of(
    ...operations.flatMap((operation): PlaceStep[] => {
      const lines = linesInsertedBy(operation)
      const { sheet } = operation
      return lines && typeof sheet === 'string' ? [{ kind: 'lines', sheet, lines }] : []
    }),
  )
}

/** Operations that write single cells: each of them is at its own place, whatever became of the others. */
export function movesBack({ op }: Operation): boolean {
  return op === 'set_cells' || op === 'set_range' || op === 'clear_range'
}

/** The same operation where its cells are without the lines. Cells in the lines are left out. */
export function movedBack(operation: Operation, leftOut: Mapping, book: Book): Operation {
  const sheet = typeof operation.sheet === 'string' ? book.sheet(operation.sheet) : undefined
  if (leftOut.isIdentity || !sheet || !movesBack(operation)) return operation
  return operation.op === 'clear_range'
    ? clearedBack(operation, sheet, leftOut)
    : writtenBack(operation, sheet, leftOut.inverse(), book)
}

function clearedBack(operation: Operation, { name }: Sheet, leftOut: Mapping): Operation {
  const box = parseBox(splitSheet(String(operation.range)).address)
  const to = box && withoutLines(leftOut).box({ sheet: name, box })
  return to && !isLost(to) ? { ...operation, range: boxName(to.box) } : operation
}

/** Back, for an area: of its cells, those that are left. */
function withoutLines(leftOut: Mapping): Mapping {
  return Mapping.of(
    ...leftOut
      .inverse()
      .steps.map(step => (step.kind === 'lines' ? { ...step, isUndone: false } : step)),
  )
}

function writtenBack(operation: Operation, sheet: Sheet, back: Mapping, book: Book): Operation {
  const { formulas } = operation
  const home = homeOf(book, sheet)
  const cells = [...writtenValues(operation)].flatMap(([key, { value }]) => {
    const at = back.cell({ sheet: sheet.name, row: rowOfKey(key), column: columnOfKey(key) })
    const mapped = mapWritten(operation, value, formula => {
      const text = mapFormula(back, formula, home)
      return isLost(text) ? undefined : text
    })
    const isThere = !isLost(at) && mapped !== undefined
    return isThere ? [{ cell: cellName(at.row, at.column), value: mapped }] : []
  })
  return {
    op: 'set_cells',
    sheet: sheet.name,
    cells,
    ...(formulas === true && { formulas }),
  }
}

export function homeOf(book: Book, { name }: Sheet): HomeSheet {
  return { sheet: name, isSheet: own => book.sheet(own) !== undefined }
}
