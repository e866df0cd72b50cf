import { type Box, type ChangeId, counted, type Fields, similarNames } from '@filewright/protocol'
import type { OperationResult } from '../../../../../format.ts'
import { Refusal } from '../../../../../refusal.ts'
import type { Book } from '../../../book/book.ts'
import type { Sheet } from '../../../book/sheet.ts'
import {
  boxName,
  type CellAddress,
  cellKey,
  MAX_COLUMN,
  MAX_ROW,
  placeOf,
} from '../../../cell/address.ts'
import { LiveBook } from '../../../objects/live-book.ts'
import { freeObjectName } from '../../../objects/object-names.ts'
import {
  addPivotParts,
  type FoundPivot,
  isShared,
  pivotsIn,
  redrawPivot,
  removePivotParts,
  sourceOf,
  whyKept,
} from '../../../objects/pivot-parts.ts'
import type { PivotPlan } from '../../../objects/pivot-xml.ts'
import { findSlicer } from '../../../parts/slicers.ts'
import { gridField, textField } from '../../arguments.ts'
import { cellsIn, type Editor } from '../../editor.ts'
import { styleAt } from '../../rows/settle.ts'
import { changeParts, settledBook } from '../change-parts.ts'
import { anchorField } from '../drawings/charts.ts'
import { optionalText, refuseTaken, wrong } from '../object-fields.ts'
import { axisField, type SourceFields, sourceField, valuesField } from './pivot-fields.ts'
import {
  entriesOf,
  gridBox,
  itemsOf,
  type PivotCell,
  type PivotGrid,
  pivotGrid,
} from './pivot-grid.ts'

/** A pivot table of a range or a table; Excel reads the source again when it opens the file. */
export function addPivot(editor: Editor, fields: Fields): OperationResult {
  const book = settledBook(editor)
  const sheet = gridField(book, fields)
  const source = sourceField(editor, fields, textField(fields, 'source', 'Sales!A1:E90'), sheet)
  const at = anchorField(sheet, fields) ?? { row: 3, column: 1 }
  const asked = optionalText(fields, 'name', 255)
  const taken = pivotsIn(new LiveBook(book), book).map(({ name }) => name.toLowerCase())
  if (asked !== undefined && taken.includes(asked.toLowerCase()))
    throw new Refusal('CONFLICT', `there is a pivot table ${JSON.stringify(asked)} already`)
  const name =
    asked ??
    editor.resolve('name', () =>
      freeObjectName('PivotTable', own => taken.includes(own.toLowerCase())),
    )
  const { plan, grid } = planned(editor, fields, source, name, at, undefined)
  const area = areaOf(plan, at)
  refuseFilled(book, sheet, area, fields)
  const place = `${placeOf(sheet.name, boxName({ ...area, bottom: area.top, right: area.left }))} pivot table${asked === undefined ? '' : ` ${asked}`}`
  const result = {
    op: 'add_pivot',
    sheet: sheet.name,
    pivot: name,
    range: boxName(area),
    message: `Added the pivot table ${name} at ${placeOf(sheet.name, boxName(area))}; a spreadsheet program reads its source again when it opens the file.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => addPivotParts(live, sheet, plan))
  const made = book.sheets[sheet.id]!
  const under = writersUnder(editor, made, area)
  writeGrid(editor, made, plan, grid, place)
  editor.recordObject(place, {
    before: null,
    after: { text: describe(plan) },
    objects: [{ kind: 'pivot', name }],
    sheet: made,
    dependsOn: [...under, ...writersOfSource(editor, source)],
  })
  return result
}

/** Other fields, another source or another name; what is not given stays. */
export function editPivot(editor: Editor, fields: Fields): OperationResult {
  const book = settledBook(editor)
  const now = new LiveBook(book)
  const found = pivotField(now, book, fields)
  editor.guard(found.sheet)
  refuseKept(now, book, found)
  const name = optionalText(fields, 'new_name', 255) ?? found.name
  const text = optionalText(fields, 'source') ?? sourceOf(found) ?? ''
  const source = sourceField(editor, fields, text, found.sheet)
  const at = { row: found.area.top, column: found.area.left }
  const { plan, grid } = planned(editor, fields, source, name, at, found)
  const area = areaOf(plan, at)
  refuseFilled(book, found.sheet, area, fields, found)
  const place = `pivot table ${found.name}`
  const result = {
    op: 'edit_pivot',
    sheet: found.sheet.name,
    pivot: name,
    range: boxName(area),
    message: `The pivot table ${found.name} shows ${describe(plan).replaceAll('\n', '; ')}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  const before = describe(planOf(found))
  changeParts(editor, live => redrawPivot(live, pivotField(live, book, fields), plan))
  const made = book.sheets[found.sheet.id]!
  const under = writersUnder(editor, made, area)
  clearArea(editor, made, found.area, place)
  writeGrid(editor, made, plan, grid, place)
  editor.recordObject(place, {
    before: { text: before },
    after: { text: describe(plan) },
    objects: [found.name, name].map(own => ({ kind: 'pivot', name: own })),
    sheet: made,
    dependsOn: [...under, ...writersOfSource(editor, source)],
  })
  return result
}

/** The changes that made room for it. */
function writersUnder(editor: Editor, sheet: Sheet, area: Box): readonly ChangeId[] {
  return [...editor.writersOfCells(sheet, area), ...editor.writersOfFreed(sheet)]
}

/** The changes that its fields and what it shows depend on. */
function writersOfSource(editor: Editor, { range }: SourceFields): readonly ChangeId[] {
  return [...editor.writersOfSheet(range.sheet), ...editor.writersOfCells(range.sheet, range.box)]
}

export function removePivot(editor: Editor, fields: Fields): OperationResult {
  const book = settledBook(editor)
  const found = pivotField(new LiveBook(book), book, fields)
  editor.guard(found.sheet)
  refuseSlicers(book, found)
  const place = `pivot table ${found.name}`
  const result = {
    op: 'remove_pivot',
    sheet: found.sheet.name,
    range: boxName(found.area),
    message: `Removed the pivot table ${found.name} with its cells ${placeOf(found.sheet.name, boxName(found.area))}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => removePivotParts(live, book, pivotField(live, book, fields)))
  const made = book.sheets[found.sheet.id]!
  clearArea(editor, made, found.area, place)
  editor.recordObject(place, {
    before: { text: describe(planOf(found)) },
    after: null,
    objects: [{ kind: 'pivot', name: found.name }],
    sheet: made,
  })
  return result
}

function planned(
  editor: Editor,
  fields: Fields,
  source: SourceFields,
  name: string,
  at: CellAddress,
  found: FoundPivot | undefined,
): { readonly plan: PivotPlan; readonly grid: PivotGrid } {
  const known = found && planOf(found)
  const kept = (own: readonly number[] | undefined) =>
    (own ?? []).flatMap(position => {
      const place = source.fields.findIndex(
        header => header.toLowerCase() === known!.fields[position]?.toLowerCase(),
      )
      return place < 0 ? [] : [place]
    })
  const axis = (axisName: 'rows' | 'columns' | 'filters') =>
    axisField(fields, axisName, source.fields) ?? kept(known?.[axisName])
  const values =
    valuesField(editor, fields, source) ??
    (known?.values ?? []).flatMap(own => kept([own.field]).map(field => ({ ...own, field })))
  const draft = { rows: axis('rows'), columns: axis('columns'), filters: axis('filters') }
  refuseDoubled(fields, source.fields, draft)
  if (values.length === 0)
    throw wrong(fields, 'needs values, such as [{"field": "Net", "function": "sum"}]')
  const headerRows =
    draft.columns.length === 0 ? 1 : draft.columns.length + (values.length > 1 ? 2 : 1)
  const shown = [...draft.rows, ...draft.columns, ...draft.filters]
  const used = new Set([...shown, ...values.map(({ field }) => field)])
  const entries = entriesOf(editor, source.range, used)
  const { book } = editor
  const items = new Map(
    shown.flatMap(own => {
      const list = itemsOf(book, entries, own)
      return list ? [[own, list] as const] : []
    }),
  )
  const plan: PivotPlan = {
    name,
    items,
    fields: source.fields,
    ...draft,
    values,
    source: source.source,
    location: { top: 1, left: 1, bottom: 1, right: 1 },
    headerRows,
  }
  const grid = pivotGrid(book, plan, entries)
  const row = at.row + (draft.filters.length > 0 ? draft.filters.length + 1 : 0)
  const location = gridBox({ row, column: at.column }, grid)
  if (location.bottom > MAX_ROW || location.right > MAX_COLUMN)
    throw wrong(
      fields,
      `it would reach beyond the sheet (${location.bottom - location.top + 1} rows)`,
    )
  return { plan: { ...plan, location }, grid }
}

function refuseDoubled(
  fields: Fields,
  headers: readonly string[],
  { rows, columns, filters }: Pick<PivotPlan, 'rows' | 'columns' | 'filters'>,
): void {
  const all = [...rows, ...columns, ...filters]
  const twice = all.find((at, index) => all.indexOf(at) !== index)
  if (twice !== undefined)
    throw wrong(fields, `${JSON.stringify(headers[twice])} can be in rows, columns or filters once`)
}

/** With the cells of its filters, which are above it. */
function areaOf({ location, filters }: PivotPlan, at: CellAddress): Box {
  const right = filters.length > 0 ? Math.max(location.right, at.column + 1) : location.right
  return { ...location, top: at.row, right }
}

/** What a pivot table that is there shows. */
function planOf({ name, tree, cache, location }: FoundPivot): PivotPlan {
  const fields = [...cache.root.all('x:cacheField')].map(own => cache.attribute(own, 'name') ?? '')
  const list = (local: string, attribute: string) =>
    (tree.root.child(`x:${local}`)?.children ?? []).flatMap(own => {
      const at = Number(tree.attribute(own, attribute) ?? Number.NaN)
      return Number.isInteger(at) && at >= 0 ? [at] : []
    })
  const values = (tree.root.child('x:dataFields')?.children ?? []).flatMap(own => {
    const field = Number(tree.attribute(own, 'fld') ?? Number.NaN)
    if (!Number.isInteger(field)) return []
    const numFmtId = tree.attribute(own, 'numFmtId')
    return [
      {
        field,
        function: tree.attribute(own, 'subtotal') ?? 'sum',
        name: tree.attribute(own, 'name') ?? '',
        ...(numFmtId !== undefined && { numFmtId }),
      },
    ]
  })
  return {
    name,
    fields,
    rows: list('rowFields', 'x'),
    columns: list('colFields', 'x'),
    filters: list('pageFields', 'fld'),
    values,
    items: new Map(),
    source: { name: sourceOf({ cache }) ?? '' },
    location,
    headerRows: 1,
  }
}

function describe({ name, fields, rows, columns, filters, values }: PivotPlan): string {
  const named = (own: readonly number[]) => own.map(at => fields[at] ?? `field ${at}`).join(', ')
  return [
    `${name}: ${values.map(own => own.name).join(', ')}`,
    ...(rows.length > 0 ? [`rows ${named(rows)}`] : []),
    ...(columns.length > 0 ? [`columns ${named(columns)}`] : []),
    ...(filters.length > 0 ? [`filters ${named(filters)}`] : []),
  ].join('\n')
}

function pivotField(live: LiveBook, book: Book, fields: Fields): FoundPivot {
  const all = pivotsIn(live, book)
  const { pivot } = fields
  if (pivot === undefined && all.length === 1) return all[0]!
  const folded = typeof pivot === 'string' ? pivot.trim().toLowerCase() : undefined
  const found = all.filter(({ name }) => name.toLowerCase() === folded)
  if (found.length === 1) return found[0]!
  const names = all.map(({ name, sheet }) => `${name} on ${JSON.stringify(sheet.name)}`)
  const list =
    all.length === 0
      ? 'the workbook has no pivot table'
      : `the pivot tables are ${names.join(', ')}`
  const [near] =
    folded === undefined
      ? []
      : similarNames(
          folded,
          all.map(({ name }) => name),
          1,
        )
  throw new Refusal(
    folded === undefined ? 'INVALID_ARGUMENT' : 'NO_SUCH_REGION',
    folded === undefined
      ? `${fields.op} needs pivot; ${list}`
      : `there is no single pivot table ${JSON.stringify(pivot)}; ${list}`,
    undefined,
    near === undefined ? undefined : [{ ...fields, pivot: near }],
  )
}

function refuseKept(live: LiveBook, book: Book, found: FoundPivot): void {
  const why = whyKept(found)
  if (why !== undefined)
    throw new Refusal('CONFLICT', `the pivot table ${found.name} is kept as it is: ${why}`)
  if (isShared(live, book, found))
    throw new Refusal(
      'CONFLICT',
      `the pivot table ${found.name} shares its source with another one, so it is kept as it is`,
    )
  refuseSlicers(book, found)
}

function refuseSlicers(book: Book, { sheet, name }: FoundPivot): void {
  const slicer = findSlicer(book, sheet)
  if (slicer !== undefined)
    throw new Refusal(
      'CONFLICT',
      `the slicer ${slicer} filters a pivot table of the sheet, so ${name} is kept; delete the slicer in Excel first`,
    )
}

function refuseFilled(book: Book, sheet: Sheet, area: Box, fields: Fields, own?: FoundPivot): void {
  refuseTaken(book, sheet, area, undefined, own?.name)
  const isOwn = (row: number, column: number) =>
    own !== undefined &&
    row >= own.area.top &&
    row <= own.area.bottom &&
    column >= own.area.left &&
    column <= own.area.right
  const filled = [...cellsIn(book, sheet, area).values()].filter(
    cell => (cell.formula || cell.content.type !== 'empty') && !isOwn(cell.row, cell.column),
  )
  if (filled.length > 0)
    throw new Refusal(
      'CONFLICT',
      `${fields.op}: the pivot table needs ${placeOf(sheet.name, boxName(area))}, and ${counted(filled.length, 'cell')} there ${filled.length === 1 ? 'holds' : 'hold'} values; choose another cell or sheet`,
    )
}

function clearArea(editor: Editor, sheet: Sheet, area: Box, place: string): void {
  for (const cell of cellsIn(editor.book, sheet, area).values())
    if (cell.formula || cell.content.type !== 'empty')
      editor.writeOwnCell(
        sheet,
        cellKey(cell.row, cell.column),
        { content: null, style: cell.style },
        place,
      )
}

/** The cells as they are until the source is read again: its filters, headers and values. */
function writeGrid(
  editor: Editor,
  sheet: Sheet,
  plan: PivotPlan,
  grid: PivotGrid,
  place: string,
): void {
  const { location, filters, fields } = plan
  const write = (row: number, column: number, cell: PivotCell | undefined) => {
    if (!cell) return
    const style = cell.like ?? styleAt(editor.book, sheet, row, column)
    editor.writeOwnCell(sheet, cellKey(row, column), { content: cell.content, style }, place)
  }
  const label = (value: string): PivotCell => ({ content: { type: 'text', value } })
  for (const [index, at] of filters.entries()) {
    const row = location.top - filters.length - 1 + index
    write(row, location.left, label(fields[at]!))
    write(row, location.left + 1, label('(All)'))
  }
  for (const [index, cells] of grid.entries())
    for (const [offset, cell] of cells.entries())
      write(location.top + index, location.left + offset, cell)
}
