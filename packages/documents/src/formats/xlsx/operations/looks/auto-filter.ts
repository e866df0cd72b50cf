import { type Box, counted } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { attribute } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { oneAround } from '../../book/around.ts'
import { rowFormats } from '../../book/line-sizes.ts'
import type { Sheet } from '../../book/sheet.ts'
import { usedBox } from '../../book/used.ts'
import {
  boxName,
  cellKey,
  columnName,
  intersects,
  parseBox,
  placeOf,
  refName,
} from '../../cell/address.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { tablesOf } from '../../parts/sheet-parts.ts'
import { boxField, gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { columnIn } from '../rows/rows-where.ts'
import { refuseUnknown, valuesIn } from '../values.ts'
import { type Criterion, readCriterion } from './filter-criteria.ts'
import { setSheetPart } from './set-part.ts'
import { fixedRange, setSheetName } from './sheet-names.ts'
import { setLine } from './style-painter.ts'

const NAME = '_xlnm._FilterDatabase'

/** Puts filter buttons on a range; rows that its criteria leave out are hidden, because no program does that on load. */
export function autoFilter(editor: Editor, args: WorkbookArgs<'auto_filter'>): OperationResult {
  const sheet = gridField(editor.book, args)
  const old = oneAround(sheet, 'autoFilter')?.root
  const oldBox = parseBox(attribute(old, 'ref') ?? '')
  if (args.remove) return removeFilter(editor, sheet, oldBox)
  const box = areaField(sheet, args, oldBox)
  const columns = readFilters(editor, sheet, box, args.filters)
  const place = `${placeOf(sheet.name, 'filter')}`
  const words = describe(box, columns)
  const hidden = new Set(
    editor.resolve('rows hidden', () => rowsLeftOut(editor, sheet, box, columns)),
  )
  if (editor.accepts(place)) {
    const dependsOn = editor.writersOfCells(sheet, box)
    if (oldBox) showRows(editor, sheet, oldBox)
    const formats = rowFormats(sheet, box.top + 1, box.bottom)
    for (let row = box.top + 1; row <= box.bottom; row++) {
      const isHidden = hidden.has(row)
      if ((formats.get(row)?.hidden ?? false) !== isHidden)
        editor.onUndo(setLine(sheet.rows, row, { hidden: isHidden }))
    }
    setSheetName(editor, sheet, NAME, fixedRange(sheet, box), true)
    setSheetPart(editor, sheet, 'autoFilter', [filterXml(sheet, box, columns)], {
      place,
      before: oldBox ? describeOld(sheet) : null,
      after: words,
      dependsOn,
    })
  }
  return {
    op: 'auto_filter',
    sheet: sheet.name,
    range: boxName(box),
    message: `Filtered ${placeOf(sheet.name, words)}${columns.size > 0 ? `; ${counted(hidden.size, 'row')} hidden` : ''}.`,
  }
}

function describeOld(sheet: Sheet): string {
  return attribute(oneAround(sheet, 'autoFilter')?.root, 'ref') ?? ''
}

function removeFilter(editor: Editor, sheet: Sheet, oldBox: Box | undefined): OperationResult {
  if (!oldBox)
    throw new Refusal('NO_SUCH_REGION', `the sheet ${JSON.stringify(sheet.name)} has no filter`)
  const place = `${placeOf(sheet.name, 'filter')} removed`
  if (editor.accepts(place)) {
    showRows(editor, sheet, oldBox)
    setSheetName(editor, sheet, NAME, undefined)
    setSheetPart(editor, sheet, 'autoFilter', [], {
      place,
      before: boxName(oldBox),
      after: null,
    })
  }
  return {
    op: 'auto_filter',
    sheet: sheet.name,
    message: `Removed the filter of ${placeOf(sheet.name, boxName(oldBox))}; its rows are shown.`,
  }
}

/** A filter that has criteria hid rows: they are shown again. */
function showRows(editor: Editor, sheet: Sheet, box: Box): void {
  const old = oneAround(sheet, 'autoFilter')?.root
  if (!old?.children.some(({ local }) => local === 'filterColumn')) return
  for (const [row, { hidden }] of rowFormats(sheet, box.top + 1, box.bottom))
    if (hidden) editor.onUndo(setLine(sheet.rows, row, { hidden: false }))
}

function areaField(sheet: Sheet, args: WorkbookArgs<'auto_filter'>, oldBox: Box | undefined): Box {
  const used = usedBox(sheet)
  const content = used.ok ? used.value : undefined
  const box = args.range === undefined ? (oldBox ?? content) : boxField(sheet, args)
  if (!box || !content)
    throw new Refusal('INVALID_ARGUMENT', 'auto_filter needs range, such as "A1:D20"')
  return { ...box, bottom: Math.min(box.bottom, Math.max(content.bottom, box.top)) }
}

interface FilteredColumn extends Criterion {
  readonly column: number
}

function readFilters(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  given: WorkbookArgs<'auto_filter'>['filters'] = {},
): ReadonlyMap<number, FilteredColumn> {
  const table = tablesOf(editor.book.part, sheet).find(({ ref }) => {
    const own = parseBox(ref)
    return own !== undefined && intersects(own, box)
  })
  if (table)
    throw new Refusal(
      'CONFLICT',
      `${boxName(box)} reaches into the table ${table.name} (${table.ref}), which has filter buttons of its own; hide its rows with hide`,
    )
  const xml = sheet.xml()
  const prefix = xml.ok ? xml.value.prefix : ''
  return new Map(
    Object.entries(given)
      .map(([name, own]) => {
        const column = columnIn(editor, sheet, box, name)
        return [column, { column, ...readCriterion(editor, own, prefix) }] as const
      })
      .sort(([a], [b]) => a - b),
  )
}

function rowsLeftOut(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  columns: ReadonlyMap<number, FilteredColumn>,
): readonly number[] {
  if (columns.size === 0 || box.bottom <= box.top) return []
  const hidden = new Set<number>()
  const cells = valuesIn(editor.book, sheet, { ...box, top: box.top + 1 })
  const why = 'nothing tells whether its row is shown'
  for (let row = box.top + 1; row <= box.bottom; row++)
    for (const { column, passes } of columns.values()) {
      const cell = cells.get(cellKey(row, column))
      refuseUnknown(editor, sheet, cell, { why, instead: 'filter by another column' })
      if (!passes(cell)) hidden.add(row)
    }
  return [...hidden]
}

function filterXml(sheet: Sheet, box: Box, columns: ReadonlyMap<number, FilteredColumn>): string {
  const xml = sheet.xml()
  const prefix = xml.ok ? xml.value.prefix : ''
  const open = `<${prefix}autoFilter ref="${refName(box)}"`
  if (columns.size === 0) return `${open}/>`
  const list = [...columns.values()].map(
    ({ column, xml: own }) =>
      `<${prefix}filterColumn colId="${column - box.left}">${own}</${prefix}filterColumn>`,
  )
  return `${open}>${list.join('')}</${prefix}autoFilter>`
}

function describe(box: Box, columns: ReadonlyMap<number, FilteredColumn>): string {
  const list = [...columns.values()].map(({ column, words }) => `${columnName(column)} ${words}`)
  return list.length === 0 ? boxName(box) : `${boxName(box)} by ${list.join(', ')}`
}
