import { type Fields, isFields, lookUp, similarNames } from '@filewright/protocol'
import { attribute } from '../../../../../opc/index.ts'
import { Refusal } from '../../../../../refusal.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { showCell } from '../../../book/show.ts'
import { boxName, placeOf } from '../../../cell/address.ts'
import { foldedName } from '../../../cell/same-name.ts'
import { PIVOT_FUNCTIONS, type PivotPlan, type PivotValue } from '../../../objects/pivot-xml.ts'
import type { Editor } from '../../editor.ts'
import { cellsOf, closedRange } from '../drawings/chart-values.ts'
import { allTables, wrong } from '../object-fields.ts'
import { rangeField, type SheetRange } from '../references.ts'

export interface SourceFields {
  /** With its headers. */
  readonly range: SheetRange
  readonly source: PivotPlan['source']
  readonly fields: readonly string[]
}

/** A table, or cells with headers in their first row. */
export function sourceField(
  editor: Editor,
  fields: Fields,
  text: string,
  own: Sheet | undefined,
): SourceFields {
  const { book } = editor
  const table = allTables(book).find(
    ({ table: { name } }) => name.toLowerCase() === text.trim().toLowerCase(),
  )
  const range = table
    ? {
        sheet: table.sheet,
        box: { ...table.box, bottom: table.box.bottom - Number(table.table.hasTotals) },
      }
    : closedRange(rangeField(book, fields, 'source', text, own))
  const { sheet, box } = range
  if (box.bottom === box.top || (table && table.table.headerRows === 0))
    throw wrong(
      fields,
      `source ${placeOf(sheet.name, boxName(box))} needs headers and rows below them`,
    )
  const headers = new Map(
    cellsOf(editor, sheet, { ...box, bottom: box.top }).map(cell => [
      cell.column,
      showCell(book, cell).text,
    ]),
  )
  const names: string[] = []
  for (let column = box.left; column <= box.right; column++) {
    const name = headers.get(column) ?? ''
    if (name.trim() === '')
      throw new Refusal(
        'CONFLICT',
        `every column of ${placeOf(sheet.name, boxName(box))} needs a header for a pivot table`,
      )
    names.push(
      names.some(known => known.toLowerCase() === name.toLowerCase())
        ? `${name}${names.length + 1}`
        : name,
    )
  }
  const source = table ? { name: table.table.name } : { sheet: sheet.name, box }
  return { range, source, fields: names }
}

/** Fields by their headers; undefined where nothing is said. */
export function axisField(
  fields: Fields,
  name: string,
  headers: readonly string[],
): readonly number[] | undefined {
  const given = fields[name]
  if (given === undefined || given === null) return undefined
  const list = Array.isArray(given) ? given : [given]
  return list.filter(own => own !== '').map(own => positionOf(fields, name, headers, own))
}

function positionOf(
  fields: Fields,
  name: string,
  headers: readonly string[],
  given: unknown,
): number {
  const wanted = isFields(given) ? (given.field ?? given.name) : given
  const at =
    typeof wanted === 'string'
      ? headers.findIndex(own => foldedName(own) === foldedName(wanted))
      : -1
  if (at >= 0) return at
  const [near] = typeof wanted === 'string' ? similarNames(wanted, headers, 1) : []
  throw wrong(
    fields,
    `${name}: there is no field ${JSON.stringify(wanted)}${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`}; the fields are ${headers.join(', ')}`,
  )
}

/** `["Net"]`, `[{field, function, name}]`, `{"Net": "sum"}`. */
export function valuesField(
  editor: Editor,
  fields: Fields,
  { fields: headers, range }: SourceFields,
): readonly PivotValue[] | undefined {
  const given = fields.values
  if (given === undefined || given === null) return undefined
  const list: readonly unknown[] = Array.isArray(given)
    ? given
    : isFields(given)
      ? Object.entries(given).map(([field, own]) => ({ field, function: own }))
      : [given]
  const used = new Set<string>()
  return list.map(own => {
    const at = positionOf(fields, 'values', headers, own)
    const asked = isFields(own) ? (own.function ?? own.aggregation ?? own.summarize) : undefined
    const word = String(asked ?? usualFunction(editor, range, at))
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
    const known = lookUp(PIVOT_FUNCTIONS, word === 'avg' || word === 'mean' ? 'average' : word)
    if (!known)
      throw wrong(
        fields,
        `values: ${JSON.stringify(asked)} is no function; use ${Object.keys(PIVOT_FUNCTIONS).join(', ')}`,
      )
    const title = isFields(own) && typeof own.title === 'string' ? own.title : undefined
    const name = title ?? `${known[1]} of ${headers[at]}`
    if (
      used.has(name.toLowerCase()) ||
      headers.some(each => each.toLowerCase() === name.toLowerCase())
    )
      throw wrong(fields, `values: the title ${JSON.stringify(name)} is taken; send another`)
    used.add(name.toLowerCase())
    const format = known[0].startsWith('count') ? undefined : formatOf(editor, range, at)
    return { field: at, function: known[0], name, ...(format && { numFmtId: format }) }
  })
}

function firstCell(editor: Editor, { sheet, box }: SheetRange, at: number) {
  const column = box.left + at
  const body = {
    top: box.top + 1,
    bottom: Math.min(box.bottom, box.top + 200),
    left: column,
    right: column,
  }
  return cellsOf(editor, sheet, body).find(({ content }) => content.type !== 'empty')
}

function usualFunction(editor: Editor, range: SheetRange, at: number): string {
  return firstCell(editor, range, at)?.content.type === 'number' ? 'sum' : 'count'
}

function formatOf(editor: Editor, range: SheetRange, at: number): string | undefined {
  const cell = firstCell(editor, range, at)
  const id = cell && attribute(editor.book.part.styles().element(cell.style), 'numFmtId')
  return id === undefined || id === '0' ? undefined : id
}
