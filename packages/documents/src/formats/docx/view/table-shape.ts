import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { numberOf, valOf } from '../parts/values.ts'

/** A cell of a table in its visible grid. */
export interface GridCell {
  readonly node: LiveNode
  readonly row: number
  readonly column: number
  readonly span: number
  /** It continues the cell above. */
  readonly isContinued: boolean
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'w:sdt',
  'w:sdtContent',
  'w:customXml',
  'w:ins',
  'w:del',
])

/** The rows of a table, also those inside content controls. */
export function rowsOf(table: LiveNode): readonly LiveNode[] {
  return nested(table, 'w:tr')
}

/** The cells of a table, row by row; columns count the visible grid from 0. */
export function cellsOf(tree: LiveTree, table: LiveNode): readonly GridCell[] {
  return rowsOf(table).flatMap((row, number) => {
    const before = numberOf(valOf(tree, row.child('w:trPr'), 'w:gridBefore')) ?? 0
    let column = Math.max(0, before)
    return nested(row, 'w:tc').map(node => {
      const properties = node.child('w:tcPr')
      const span = Math.max(1, numberOf(valOf(tree, properties, 'w:gridSpan')) ?? 1)
      const merge = properties?.child('w:vMerge')
      const isContinued = merge !== undefined && tree.attribute(merge, 'w:val') !== 'restart'
      const cell = { node, row: number, column, span, isContinued }
      column += span
      return cell
    })
  })
}

function nested(node: LiveNode, name: string): LiveNode[] {
  const found: LiveNode[] = []
  for (const child of node.children) {
    if (child.name === name) found.push(child)
    else if (WRAPPERS.has(child.name)) for (const own of nested(child, name)) found.push(own)
  }
  return found
}
