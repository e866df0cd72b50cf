import type { Area, Box, DocPath, Footprint, Operation } from '@filewright/protocol'
import { parseBox, parseCell, splitSheet } from './cell/address.ts'

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
  switch (operation.op) {
    case 'set_cells':
      return writes(on(cellBoxes(operation.cells)))
    case 'set_range':
      return writes(on(valuesBox(operation.start, operation.values)))
    case 'clear_range':
    case 'merge_cells':
    case 'unmerge_cells':
      return writes(on(boxesOf(operation.range)))
    case 'find_replace': {
      const areas =
        operation.range === undefined
          ? [sheet === undefined ? workbook : whole]
          : on(boxesOf(operation.range))
      return writes(areas, areas)
    }
    case 'copy_sheet':
      return writes([{ docPath, within: String(operation.new_name ?? '') }], [whole])
    case 'rename_sheet':
    case 'delete_sheet':
      return writes([workbook]) // every formula that names the sheet
    case 'insert_rows':
    case 'delete_rows':
    case 'insert_columns':
    case 'delete_columns':
    case 'insert_cells':
    case 'delete_cells':
    case 'append_rows':
    case 'move_range':
    case 'remove_duplicates':
      // every formula that names the sheet
      return { reads: [whole], writes: [workbook], moves: [whole] }
    case 'sort_range':
      return { reads: [whole], writes: [whole], moves: on(boxesOf(operation.range)) }
    case 'copy_range':
      return writes([targetOf(docPath, operation, whole)], [whole])
    case 'replace_values':
      return writes([sheet === undefined ? workbook : whole])
    default:
      return writes([whole])
  }
}

/** The sheet that cells are copied to. */
function targetOf(docPath: DocPath, { to, to_sheet: other }: Operation, whole: Area): Area {
  const name = typeof to === 'string' ? (splitSheet(to).sheet ?? other) : other
  return typeof name === 'string' ? { docPath, within: name } : whole
}

function boxesOf(range: unknown): Box[] {
  const box = typeof range === 'string' ? parseBox(range) : undefined
  return box ? [box] : []
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
