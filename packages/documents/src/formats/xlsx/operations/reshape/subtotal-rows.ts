import { type Box, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import type { Sheet } from '../../book/sheet.ts'
import { showCell } from '../../book/show.ts'
import {
  boxName,
  cellKey,
  cellName,
  columnName,
  contains,
  intersects,
  parseBox,
  placeOf,
  WHOLE_SHEET,
} from '../../cell/address.ts'
import { findReferences } from '../../formula/references.ts'
import { tablesOf } from '../../parts/sheet-parts.ts'
import type { LineShift } from '../../places/line-shift.ts'
import { whyNotShift } from '../../shift/refusals.ts'
import { placesAfter } from '../../shift/shift-run.ts'
import { boxField, gridField } from '../arguments.ts'
import { cellsIn, type Editor } from '../editor.ts'
import { deepenRows } from '../looks/group-lines.ts'
import { settle, shiftPlaces } from '../rows/settle.ts'
import { isFilled } from '../write-cells.ts'
import { listed } from '../write-hints.ts'
import { columnsField, keyOf, type Source, sourceOf } from './source.ts'

/** SUBTOTAL's numbers, which leave other subtotals out. */
const FUNCTIONS: Readonly<Record<string, number>> = { sum: 9, average: 1, count: 3, max: 4, min: 5 }

/** Rows next to each other that show the same in the column. */
interface Group {
  readonly name: string
  readonly first: number
  readonly last: number
}

interface Plan {
  readonly groups: readonly Group[]
  readonly by: number
  readonly columns: readonly number[]
  readonly number: number
  readonly labels: readonly [group: string, all: string]
}

/** A row with subtotals below each group of rows, and one with the grand total, in outline groups. */
export function subtotalRows(editor: Editor, fields: Fields): OperationResult {
  const first = gridField(editor.book, fields)
  const box = boxField(first, fields)
  const plan = planOf(editor, sourceOf(editor, first, { ...fields, range: boxName(box) }), fields)
  const { groups } = plan
  const place = `${placeOf(first.name, boxName(box))} subtotals`
  const whole = { ...box, bottom: box.bottom + groups.length + 1 }
  const result = {
    ...{ op: 'subtotal_rows', sheet: first.name, range: boxName(whole) },
    rowCount: groups.length + 1,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  refuseTorn(editor, first, box, plan)
  const dependsOn = editor.writersOfCells(first, box)
  settle(editor)
  const before = gridField(editor.book, fields)
  // below each group, as the rows are afterwards; the grand total is below the last of them
  const runs = groups.map(({ last }, index) => ({
    at: last + index + 1,
    count: index === groups.length - 1 ? 2 : 1,
  }))
  const sheet = insert(editor, before, { axis: 'row', kind: 'insert', runs })
  writeTotals(editor, sheet, plan, place)
  warnOfSums(editor, sheet, plan, whole)
  editor.recordSheet(sheet, place, {
    kind: 'structure',
    before: null,
    after: { text: `${counted(groups.length, 'subtotal')} and a grand total` },
    dependsOn,
    carries: true,
  })
  return {
    ...result,
    message: `Inserted ${counted(groups.length, 'subtotal')} and a grand total into ${placeOf(sheet.name, boxName(box))}, which is ${boxName(whole)} now; what was below moved down, and references follow.`,
  }
}

function planOf(editor: Editor, source: Source, fields: Fields): Plan {
  const [by, ...more] = columnsField(editor, source, fields.by)
  const columns = columnsField(editor, source, fields.columns)
  if (by === undefined || more.length > 0 || columns.length === 0 || columns.includes(by))
    throw new Refusal(
      'INVALID_ARGUMENT',
      'subtotal_rows needs by, the one column that groups, such as ["Region"], and columns, others that get subtotals, such as ["Net"]',
    )
  const name = String(fields.function ?? 'sum')
  const number = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  if (number === undefined)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `subtotal_rows: function is one of ${Object.keys(FUNCTIONS).join(', ')}, not ${JSON.stringify(name)}`,
    )
  const groups = editor.resolve('groups', () => groupsOf(editor, source, by))
  return { groups, by, columns, number, labels: labelsOf(fields) }
}

function labelsOf({ names }: Fields): Plan['labels'] {
  if (names === undefined) return ['{} Total', 'Grand Total']
  const [group, all, ...others] = Array.isArray(names) ? (names as unknown[]).map(String) : []
  if (group !== undefined && all !== undefined && others.length === 0) return [group, all]
  throw new Refusal(
    'INVALID_ARGUMENT',
    'subtotal_rows: names are two labels, such as ["{} Total", "Grand Total"]',
  )
}

function groupsOf({ book }: Editor, { box, at, sheet }: Source, by: number): readonly Group[] {
  const groups: { name: string; first: number; last: number; key: string }[] = []
  for (let row = box.top + 1; row <= box.bottom; row++) {
    const own = at(row, by)
    const key = keyOf(own.content)
    const last = groups.at(-1)
    if (last?.key === key) last.last = row
    else groups.push({ name: showCell(book, own).text, first: row, last: row, key })
  }
  const seen = new Map<string, number>()
  for (const { key, first, name } of groups) {
    const before = seen.get(key)
    if (before !== undefined)
      throw new Refusal(
        'CONFLICT',
        `subtotal_rows: ${JSON.stringify(name)} is in row ${before} and again in row ${first} of ${JSON.stringify(sheet.name)}, with others between; sort_range by that column first`,
      )
    seen.set(key, first)
  }
  return groups.map(({ name, first, last }) => ({ name, first, last }))
}

/** What the new rows would tear apart or count twice. */
function refuseTorn({ book }: Editor, sheet: Sheet, box: Box, { columns }: Plan): void {
  const refuse = (why: string): never => {
    throw new Refusal('CONFLICT', `subtotal_rows: ${why}`)
  }
  const table = tablesOf(book.part, sheet).find(({ ref }) => {
    const area = parseBox(ref)
    return area !== undefined && intersects(area, box)
  })
  if (table)
    refuse(
      `the table ${table.name} (${table.ref}) cannot have subtotals among its rows; give it totals (edit_table), or remove_table first`,
    )
  const rows = { ...WHOLE_SHEET, top: box.top, bottom: box.bottom }
  for (const cell of cellsIn(book, sheet, rows).values()) {
    const { row, column, formula } = cell
    if (!contains(box, row, column) && isFilled(cell))
      refuse(
        `${cellName(row, column)} stands beside ${boxName(box)}, and new rows would tear its rows apart; move it away first (move_range)`,
      )
    const sums = columns.includes(column) && formula ? findReferences(formula.text).areas : []
    const isTotal = sums.some(
      own => !own.sheets && own.left <= column && own.right >= column && own.bottom > own.top,
    )
    if (isTotal && contains(box, row, column) && row > box.top)
      refuse(
        `${cellName(row, column)} is a total already (=${formula!.text}); leave its row out of the range`,
      )
  }
}

function insert(editor: Editor, sheet: Sheet, lines: LineShift): Sheet {
  const why = whyNotShift(editor.book, sheet, lines)
  if (why !== undefined)
    throw new Refusal('CONFLICT', `on sheet ${JSON.stringify(sheet.name)}, ${why}`)
  const step = { kind: 'lines', sheet: sheet.id, lines } as const
  return shiftPlaces(editor, placesAfter(sheet, step)).sheet
}

function writeTotals(editor: Editor, sheet: Sheet, plan: Plan, place: string): void {
  const { groups, by, columns, number, labels } = plan
  const start = groups[0]!.first
  const end = groups.at(-1)!.last + groups.length // the last subtotal
  const line = (row: number, label: string, first: number, last: number, like: number) => {
    const above = cellsIn(editor.book, sheet, { ...WHOLE_SHEET, top: like, bottom: like })
    const styleAt = (column: number) => above.get(cellKey(like, column))?.style ?? 0
    const content = { type: 'text', value: label } as const
    editor.writeOwnCell(sheet, cellKey(row, by), { content, style: styleAt(by) }, place)
    for (const column of columns) {
      const name = columnName(column)
      const text = `SUBTOTAL(${number},${name}${first}:${name}${last})`
      const edit = {
        content: null,
        style: styleAt(column),
        formula: { text, kind: 'normal' },
      } as const
      editor.writeOwnCell(sheet, cellKey(row, column), edit, place)
    }
  }
  for (const [index, group] of groups.entries()) {
    const [first, last] = [group.first + index, group.last + index]
    line(
      last + 1,
      labels[0].replace('{}', () => group.name),
      first,
      last,
      last,
    )
    deepenRows(editor, sheet, first, last)
  }
  line(end + 1, labels[1], start, end, end - 1)
  deepenRows(editor, sheet, start, end)
}

/** Sums over the rows count their subtotals too, from now on. */
function warnOfSums({ book, warnings }: Editor, sheet: Sheet, plan: Plan, box: Box): void {
  const found: string[] = []
  for (const own of book.sheets.filter(each => each.kind === 'worksheet' && each.isInFile))
    for (const { row, column, formula } of cellsIn(book, own, WHOLE_SHEET).values()) {
      if (!formula || /\b(?:SUBTOTAL|AGGREGATE)\(/i.test(formula.text)) continue
      const isHere = (names: readonly string[] | undefined) =>
        names ? names[0]?.toLowerCase() === sheet.name.toLowerCase() : own === sheet
      const counts = findReferences(formula.text).areas.some(
        area =>
          isHere(area.sheets) &&
          area.bottom > area.top &&
          intersects(area, box) &&
          plan.columns.some(each => each >= area.left && each <= area.right),
      )
      if (counts) found.push(placeOf(own.name, cellName(row, column)))
    }
  if (found.length > 0)
    warnings.push(
      `These formulas read the rows and their subtotals, so they may count twice: ${listed(found)}. SUBTOTAL leaves subtotals out.`,
    )
}
