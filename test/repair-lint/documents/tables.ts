import type { LiveNode, LiveTree } from '../../../packages/documents/src/opc/index.ts'
import type { RepairRule } from '../rule.ts'
import { property, storiesOf } from './stories.ts'

/** Rows or cells, through the content controls and tracked wrappers around them. */
function partsOf(node: LiveNode, name: string): LiveNode[] {
  return node.children.flatMap(child => {
    if (child.name === name) return [child]
    return /^w:(sdt|sdtContent|customXml|ins|del|moveFrom|moveTo)$/.test(child.name)
      ? partsOf(child, name)
      : []
  })
}

function numberOf(tree: LiveTree, properties: LiveNode | undefined, name: string, none: number) {
  return Number(property(tree, properties, name) ?? none)
}

const tableWithoutRow: RepairRule = {
  id: 'docx/table-without-row',
  *check(file) {
    for (const { name, elements } of storiesOf(file))
      for (const node of elements) {
        if (node.name === 'w:tbl' && partsOf(node, 'w:tr').length === 0)
          yield `a table of ${name} has no row`
        if (node.name === 'w:tr' && partsOf(node, 'w:tc').length === 0)
          yield `a row of ${name} has no cell`
      }
  },
}

const cellEnd: RepairRule = {
  id: 'docx/cell-without-paragraph',
  *check(file) {
    for (const { name, elements } of storiesOf(file))
      for (const node of elements) {
        if (node.name !== 'w:tc') continue
        const last = node.children.findLast(own =>
          /^w:(p|tbl|sdt|tcPr|customXml|altChunk)$/.test(own.name),
        )
        if (last?.name !== 'w:p' && last?.name !== 'w:sdt' && last?.name !== 'w:customXml')
          yield `a cell of ${name} does not end with a paragraph`
      }
  },
}

const tableGrid: RepairRule = {
  id: 'docx/table-grid',
  *check(file) {
    for (const { name, tree, elements } of storiesOf(file))
      for (const table of elements.filter(own => own.name === 'w:tbl')) {
        const columns =
          table.child('w:tblGrid')?.children.filter(own => own.name === 'w:gridCol').length ?? 0
        for (const row of partsOf(table, 'w:tr')) {
          const span = spanOf(tree, row)
          if (span > columns) yield `a row of ${name} has ${span} columns in a grid of ${columns}`
        }
      }
  },
}

function spanOf(tree: LiveTree, row: LiveNode): number {
  const around = row.child('w:trPr')
  const cells = partsOf(row, 'w:tc').map(cell =>
    numberOf(tree, cell.child('w:tcPr'), 'w:gridSpan', 1),
  )
  return (
    cells.reduce((sum, own) => sum + own, 0) +
    numberOf(tree, around, 'w:gridBefore', 0) +
    numberOf(tree, around, 'w:gridAfter', 0)
  )
}

const mergeWithoutStart: RepairRule = {
  id: 'docx/merge-without-start',
  *check(file) {
    for (const { name, tree, elements } of storiesOf(file))
      for (const table of elements.filter(own => own.name === 'w:tbl')) {
        let above = new Set<number>()
        for (const row of partsOf(table, 'w:tr')) {
          const here = new Set<number>()
          let column = numberOf(tree, row.child('w:trPr'), 'w:gridBefore', 0)
          for (const cell of partsOf(row, 'w:tc')) {
            const properties = cell.child('w:tcPr')
            const merge = properties?.child('w:vMerge')
            if (merge) here.add(column)
            if (merge && tree.attribute(merge, 'w:val') !== 'restart' && !above.has(column))
              yield `a merged cell of ${name} continues nothing`
            column += numberOf(tree, properties, 'w:gridSpan', 1)
          }
          above = here
        }
      }
  },
}

export const TABLE_RULES: readonly RepairRule[] = [
  tableWithoutRow,
  cellEnd,
  tableGrid,
  mergeWithoutStart,
]
