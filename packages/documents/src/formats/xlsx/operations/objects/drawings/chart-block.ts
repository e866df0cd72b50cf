import type { Fields } from '@filewright/protocol'
import type { ChartKind, PlannedSeries } from '../../../../../charts/chart-plan.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { showCell } from '../../../book/show.ts'
import type { Editor } from '../../editor.ts'
import { allTables, optionalText, wordField, wrong } from '../object-fields.ts'
import { fixedReference, rangeField, type SheetRange } from '../references.ts'
import { cellsOf, closedRange, valuesOf } from './chart-values.ts'

/** A block of cells by lines: each line is a series, its first cell may be its name. */
interface Block {
  readonly editor: Editor
  readonly kind: ChartKind
  readonly range: SheetRange
  /** Lines of cells, each with its first cell alone. */
  readonly lines: readonly Line[]
  /** Whether the first cell of every line is a name; undefined: the cells tell. */
  readonly isNamed: boolean | undefined
}

interface Line {
  readonly first: SheetRange
  readonly rest: SheetRange
  readonly whole: SheetRange
}

const MOST_LINES = 300

/** The series of a range or a table: one for each column, or each row where that is asked for. */
export function blockSeries(
  editor: Editor,
  sheet: Sheet,
  fields: Fields,
  kind: ChartKind,
): readonly PlannedSeries[] | undefined {
  const source = optionalText(fields, 'source') ?? optionalText(fields, 'range')
  if (source === undefined) return undefined
  const { book } = editor
  const table = allTables(book).find(
    own => own.table.name.toLowerCase() === source.trim().toLowerCase(),
  )
  const range = table
    ? {
        sheet: table.sheet,
        box: { ...table.box, bottom: table.box.bottom - Number(table.table.hasTotals) },
      }
    : closedRange(rangeField(book, fields, 'source', source, sheet))
  const isAcross = wordField(fields, 'series_in', ['columns', 'rows'] as const) === 'rows'
  const lines = isAcross ? rowsOf(range) : columnsOf(range)
  if (lines.length > MOST_LINES)
    throw wrong(
      fields,
      `source has ${lines.length} ${isAcross ? 'rows' : 'columns'}; name the series`,
    )
  const isNamed = table && !isAcross ? table.table.headerRows > 0 : undefined
  return seriesOf({ editor, kind, range, lines, isNamed })
}

function seriesOf(block: Block): PlannedSeries[] {
  const { editor, kind, lines } = block
  const [corner] = lines
  const isCornerEmpty = corner !== undefined && lines.length > 1 && isEmpty(editor, corner.first)
  const named = lines.length > 1 ? lines.slice(1) : lines
  const hasNames = block.isNamed ?? (isCornerEmpty || named.some(own => isLabel(editor, own.first)))
  const held = (line: Line) => (hasNames ? line.rest : line.whole)
  const hasAcross =
    lines.length > 1 && (kind === 'scatter' || isCornerEmpty || isLabel(editor, held(corner!)))
  const categories = hasAcross ? valuesOf(editor, held(corner!)) : undefined
  return lines.slice(hasAcross ? 1 : 0).map(line => ({
    kind,
    ...(hasNames && { name: nameIn(editor, line.first) }),
    ...(categories && { categories }),
    values: valuesOf(editor, held(line)),
  }))
}

function columnsOf({ sheet, box }: SheetRange): Line[] {
  const { top, bottom, left, right } = box
  return Array.from({ length: right - left + 1 }, (_, index) => {
    const own = { left: left + index, right: left + index }
    return {
      first: { sheet, box: { ...own, top, bottom: top } },
      rest: { sheet, box: { ...own, top: Math.min(top + 1, bottom), bottom } },
      whole: { sheet, box: { ...own, top, bottom } },
    }
  })
}

function rowsOf({ sheet, box }: SheetRange): Line[] {
  const { top, bottom, left, right } = box
  return Array.from({ length: bottom - top + 1 }, (_, index) => {
    const own = { top: top + index, bottom: top + index }
    return {
      first: { sheet, box: { ...own, left, right: left } },
      rest: { sheet, box: { ...own, left: Math.min(left + 1, right), right } },
      whole: { sheet, box: { ...own, left, right } },
    }
  })
}

function firstOf(editor: Editor, { sheet, box }: SheetRange) {
  return cellsOf(editor, sheet, { ...box, bottom: box.top, right: box.left }).at(0)
}

function isEmpty(editor: Editor, range: SheetRange): boolean {
  const cell = firstOf(editor, range)
  return !cell || (cell.content.type === 'empty' && !cell.formula)
}

/** Text or a date, which names something and is not drawn. */
function isLabel(editor: Editor, range: SheetRange): boolean {
  const cell = firstOf(editor, range)
  return (
    cell !== undefined &&
    (cell.content.type === 'text' ||
      (cell.content.type === 'number' && editor.book.part.styles().isDate(cell.style)))
  )
}

function nameIn(editor: Editor, range: SheetRange): NonNullable<PlannedSeries['name']> {
  const cell = firstOf(editor, range)
  return { text: cell ? showCell(editor.book, cell).text : '', formula: fixedReference(range) }
}
