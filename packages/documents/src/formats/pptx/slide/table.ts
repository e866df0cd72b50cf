import { at, type LiveNode, type LiveTree, numberAt } from '../../../opc/index.ts'
import { flagAt } from '../parts/values.ts'
import type { Shape } from './page.ts'

/** `a:tbl` of a shape that is a table. */
export function tableOf({ kind, node }: Shape): LiveNode | undefined {
  return kind === 'table' ? at(node, 'a:graphic', 'a:graphicData', 'a:tbl') : undefined
}

export interface TableCellSpot {
  readonly node: LiveNode
  /** From 1. */
  readonly row: number
  readonly column: number
  readonly rowSpan: number
  readonly columnSpan: number
  /** Another cell lies over it. */
  readonly isCovered: boolean
}

export function rowsOf(table: LiveNode): readonly LiveNode[] {
  return table.children.filter(({ name }) => name === 'a:tr')
}

export function columnsOf(table: LiveNode): readonly LiveNode[] {
  return (table.child('a:tblGrid')?.children ?? []).filter(({ name }) => name === 'a:gridCol')
}

export function cellsIn(row: LiveNode): readonly LiveNode[] {
  return row.children.filter(({ name }) => name === 'a:tc')
}

export function cellsOf(tree: LiveTree, table: LiveNode): readonly TableCellSpot[] {
  return rowsOf(table).flatMap((row, y) =>
    cellsIn(row).map((node, x) => ({
      node,
      row: y + 1,
      column: x + 1,
      rowSpan: numberAt(tree, node, 'rowSpan') ?? 1,
      columnSpan: numberAt(tree, node, 'gridSpan') ?? 1,
      isCovered: flagAt(tree, node, 'hMerge') === true || flagAt(tree, node, 'vMerge') === true,
    })),
  )
}
