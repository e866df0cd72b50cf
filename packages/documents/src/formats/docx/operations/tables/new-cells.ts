import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import { modelOf, type ParagraphModel, plainParagraph } from '../../edit/new-paragraph.ts'
import { markParagraph, trackDeletedText, trackNewParagraph } from '../../edit/tracked-paragraph.ts'
import type { Tracking } from '../../edit/tracking.ts'
import { paragraphsIn, type TableGrid } from './grid.ts'

/** Properties of a row or a cell that a new one does not take over. */
const DROPPED: ReadonlySet<string> = new Set([
  'w:cnfStyle',
  'w:tblHeader',
  'w:ins',
  'w:del',
  'w:trPrChange',
  'w:cellIns',
  'w:cellDel',
  'w:cellMerge',
  'w:tcPrChange',
  'w:vMerge',
  'w:hMerge',
])

/** The properties of a neighbour, without revisions, merges and what belongs to a header row. */
export function propertiesLike(
  tree: LiveTree,
  neighbour: LiveNode | undefined,
  also: ReadonlySet<string> = new Set(),
): LiveNode | undefined {
  if (!neighbour) return undefined
  const copy = tree.clone(neighbour)
  for (const child of [...copy.children])
    if (DROPPED.has(child.name) || also.has(child.name)) tree.remove(child)
  return copy
}

/** How a new cell looks. */
export interface CellModel {
  readonly properties: LiveNode | undefined
  readonly paragraph: ParagraphModel
}

export const PLAIN_CELL: CellModel = {
  properties: undefined,
  paragraph: { properties: undefined, look: undefined },
}

export function cellModelOf(
  grid: TableGrid,
  cell: LiveNode,
  also: ReadonlySet<string> = new Set(),
): CellModel {
  const { tree } = grid.table.story
  const [first] = paragraphsIn(grid, cell)
  return {
    properties: propertiesLike(tree, cell.child('w:tcPr'), also),
    paragraph: first ? modelOf(first) : PLAIN_CELL.paragraph,
  }
}

/** Lines of the text are paragraphs of the cell. */
export function makeCell(tree: LiveTree, model: CellModel, text: string): LiveNode {
  const [cell] = tree.fragment('<w:tc/>')
  if (model.properties) tree.append(cell!, [tree.clone(model.properties)])
  tree.append(
    cell!,
    text.split('\n').map(line => plainParagraph(tree, model.paragraph, line)),
  )
  return cell!
}

/** An inserted row marks the row and its content. */
export function trackNewRow(tree: LiveTree, row: LiveNode, tracking: Tracking): void {
  markRow(tree, row, 'w:ins', tracking)
  for (const paragraph of row.all('w:p')) trackNewParagraph(tree, paragraph, tracking)
}

export function trackDeletedRow(tree: LiveTree, row: LiveNode, tracking: Tracking): void {
  markRow(tree, row, 'w:del', tracking)
  for (const paragraph of [...row.all('w:p')]) {
    trackDeletedText(tree, paragraph, tracking)
    const isGone = paragraph.child('w:pPr')?.child('w:rPr')?.child('w:del')
    if (!isGone) markParagraph(tree, paragraph, 'w:del', tracking)
  }
}

function markRow(tree: LiveTree, row: LiveNode, kind: 'w:ins' | 'w:del', tracking: Tracking): void {
  const properties = rowProperties(tree, row)
  const [mark] = tree.fragment(`<${kind} ${tracking.attributes()}/>`)
  const before = properties.child('w:trPrChange')
  if (before) tree.before(before, [mark!])
  else tree.append(properties, [mark!])
}

/** The properties of a row, made first if there are none. */
export function rowProperties(tree: LiveTree, row: LiveNode): LiveNode {
  const own = row.child('w:trPr')
  if (own) return own
  const [made] = tree.fragment('<w:trPr/>')
  const exceptions = row.child('w:tblPrEx')
  tree.insert(row, exceptions ? exceptions.index + 1 : 0, [made!])
  return made!
}

export function cellProperties(tree: LiveTree, cell: LiveNode): LiveNode {
  const own = cell.child('w:tcPr')
  if (own) return own
  const [made] = tree.fragment('<w:tcPr/>')
  tree.insert(cell, 0, [made!])
  return made!
}
