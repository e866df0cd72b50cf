import type { Area, Box, DocPath, Footprint, Operation } from '@filewright/protocol'
import { parseBox, parseCell, splitRanges, splitSheet } from './cell/address.ts'

const OF_RANGE: ReadonlySet<string> = new Set([
  ...['clear_range', 'transform_cells', 'merge_cells', 'unmerge_cells', 'set_style', 'clear_style'],
  ...['data_validation', 'remove_validation'],
])

const OF_CELL: ReadonlySet<string> = new Set([
  ...['set_comment', 'remove_comment', 'set_hyperlink', 'remove_hyperlink'],
])

/** They reach every formula that names the sheet, the table or the name. */
const OF_WORKBOOK: ReadonlySet<string> = new Set([
  ...['rename_sheet', 'delete_sheet', 'edit_table', 'remove_table'],
  ...['define_name', 'edit_name', 'remove_name', 'set_properties'],
])

/** Every formula that names the sheet follows. */
const MOVING: ReadonlySet<string> = new Set([
  ...['insert_rows', 'delete_rows', 'insert_columns', 'delete_columns', 'insert_cells'],
  ...['delete_cells', 'append_rows', 'move_range', 'remove_duplicates'],
  'subtotal_rows',
])

/** The cells and sheets that an operation reads, writes and moves, from its arguments alone. */
export function footprintOf(docPath: DocPath, operation: Operation): Footprint {
  const sheet = typeof operation.sheet === 'string' ? operation.sheet : undefined
  const on = (boxes: readonly Box[]): Area[] =>
    boxes.map(box => ({ docPath, ...(sheet !== undefined && { within: sheet }), box }))
  const whole: Area = { docPath, ...(sheet !== undefined && { within: sheet }) }
  const workbook: Area = { docPath }
  const writes = (areas: readonly Area[], reads: readonly Area[] = []): Footprint => ({
    reads,
    writes: areas,
    moves: [],
  })
  const { op } = operation
  if (OF_RANGE.has(op)) return writes(on(boxesOf(operation.range)), likeOf(docPath, operation))
  if (OF_CELL.has(op)) return writes(on(boxesOf(operation.cell ?? operation.range)))
  if (OF_WORKBOOK.has(op)) return writes([workbook])
  if (MOVING.has(op)) return { reads: [whole], writes: [workbook], moves: [whole] }
  switch (op) {
    case 'set_cells':
      return writes(on(cellBoxes(operation.cells)))
    case 'set_range':
      return writes(on(valuesBox(operation.start, operation.values)))
    case 'find_replace': {
      const areas =
        operation.range === undefined
          ? [sheet === undefined ? workbook : whole]
          : on(boxesOf(operation.range))
      return writes(areas, areas)
    }
    case 'copy_sheet':
      return writes([{ docPath, within: String(operation.new_name ?? '') }], [whole])
    case 'add_chart':
    case 'edit_chart':
    case 'add_pivot':
    case 'edit_pivot':
    case 'remove_chart':
    case 'remove_pivot':
      return writes([op.endsWith('chart') ? whole : workbook], [workbook])
    case 'sort_range':
      return { reads: [whole], writes: [whole], moves: on(boxesOf(operation.range)) }
    case 'freeze_values':
      return writes(operation.range === undefined ? [whole] : on(boxesOf(operation.range)), [
        workbook,
      ])
    case 'copy_range':
    case 'unpivot':
    case 'pivot_rows':
      return writes([targetOf(docPath, operation, whole)], [op === 'copy_range' ? whole : workbook])
    case 'replace_values':
      return writes([sheet === undefined ? workbook : whole])
    default:
      return writes([whole])
  }
}

/** The cells whose look is copied. */
function likeOf(docPath: DocPath, { op, like, sheet }: Operation): readonly Area[] {
  if (op !== 'set_style' || typeof like !== 'string') return []
  const split = splitSheet(like)
  const box = parseBox(split.address)
  const within = split.sheet ?? sheet
  return [{ docPath, ...(typeof within === 'string' && { within }), ...(box && { box }) }]
}

/** The sheet that cells are copied to. */
function targetOf(docPath: DocPath, { to, to_sheet: other }: Operation, whole: Area): Area {
  const name = typeof to === 'string' ? (splitSheet(to).sheet ?? other) : other
  return typeof name === 'string' ? { docPath, within: name } : whole
}

function boxesOf(range: unknown): Box[] {
  return typeof range === 'string' ? splitRanges(range).flatMap(own => parseBox(own) ?? []) : []
}

function cellBoxes(cells: unknown): Box[] {
  if (!Array.isArray(cells)) return []
  return cells.flatMap(item => boxesOf((item as { cell?: unknown } | null)?.cell))
}

function valuesBox(start: unknown, values: unknown): Box[] {
  const at = typeof start === 'string' ? parseCell(start) : undefined
  if (!at || !Array.isArray(values)) return []
  const width = Math.max(1, ...values.map(row => (Array.isArray(row) ? row.length : 1)))
  return [
    {
      top: at.row,
      left: at.column,
      bottom: at.row + values.length - 1,
      right: at.column + width - 1,
    },
  ]
}
