import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { lonelyMarks } from './remove-paragraph.ts'
import { removeWhole, saysNothing, WRAPPERS } from './remove-whole.ts'
import { restoreText } from './tracked-text.ts'

export type RevisionVerdict = 'accept' | 'reject'

const RANGES: ReadonlySet<string> = new Set([
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
])

/** Accepts or rejects a tracked change. */
export function settleRevision(tree: LiveTree, mark: LiveNode, verdict: RevisionVerdict): void {
  const { parent, name } = mark
  if (!parent) return
  if (name.endsWith('Change')) return settleProperties(tree, mark, verdict)
  if (name === 'w:cellIns' || name === 'w:cellDel') return settleCell(tree, mark, verdict)
  if (RANGES.has(name) || name === 'w:cellMerge') return tree.remove(mark)
  const side = WRAPPERS[name]
  if (side === undefined) return
  const stays = (side === 'new') === (verdict === 'accept')
  if (parent.name === 'w:rPr') return settleMark(tree, mark, stays)
  if (parent.name === 'w:trPr') return settleRow(tree, mark, stays)
  if (!stays) {
    const kept = lonelyMarks(tree, mark)
    for (const own of kept) tree.remove(own)
    tree.before(mark, kept)
    return removeWhole(tree, mark)
  }
  if (side === 'old') restoreText(tree, mark)
  const inside = [...mark.children]
  for (const child of inside) tree.remove(child)
  tree.before(mark, inside)
  tree.remove(mark)
}

/** The mark of a paragraph: where it goes, the paragraph joins the next one. */
function settleMark(tree: LiveTree, mark: LiveNode, stays: boolean): void {
  const look = mark.parent!
  const paragraph = look.closest('w:p')
  tree.remove(mark)
  const properties = look.parent
  if (look.children.length === 0) {
    tree.remove(look)
    if (properties?.name === 'w:pPr' && properties.children.length === 0) tree.remove(properties)
  }
  // inserted and moved here at once: with the first of both marks the paragraph is gone
  if (stays || !paragraph?.parent) return
  joinNext(tree, paragraph)
}

/** A paragraph without its mark is the beginning of the next one; at the end of a cell it stays. */
function joinNext(tree: LiveTree, paragraph: LiveNode): void {
  const siblings = paragraph.parent!.children
  const next = siblings
    .slice(paragraph.index + 1)
    .find(({ name }) => name !== '' && !name.endsWith('RangeEnd'))
  const content = paragraph.children.filter(({ name }) => name !== 'w:pPr')
  const isEmpty = content.every(saysNothing)
  if (next?.name !== 'w:p') {
    const isOnly =
      siblings.filter(({ name }) => name === 'w:p').length === 1 &&
      !siblings.some(({ name }) => name === 'w:sdt')
    if (isEmpty && !isOnly) tree.remove(paragraph)
    return
  }
  for (const child of content) tree.remove(child)
  const at = next.child('w:pPr')
  tree.insert(next, at ? at.index + 1 : 0, content)
  tree.remove(paragraph)
}

function settleRow(tree: LiveTree, mark: LiveNode, stays: boolean): void {
  const properties = mark.parent!
  const row = properties.closest('w:tr')
  tree.remove(mark)
  if (properties.children.length === 0) tree.remove(properties)
  if (stays || !row) return
  const table = row.closest('w:tbl')
  removeRow(tree, row)
  // rows may stand in content controls
  if (table?.all('w:tr').next().done) tree.remove(table)
}

/** With the content control around it, where nothing else is left in that. */
function removeRow(tree: LiveTree, row: LiveNode): void {
  const around = row.parent!
  tree.remove(row)
  if (around.name === 'w:sdtContent' && around.children.every(({ isText }) => isText))
    tree.remove(around.parent!)
}

/** A cell cannot go alone without moving its row, so only the mark of one that stays is settled. */
function settleCell(tree: LiveTree, mark: LiveNode, verdict: RevisionVerdict): void {
  const stays = (mark.name === 'w:cellIns') === (verdict === 'accept')
  const cell = mark.closest('w:tc')
  tree.remove(mark)
  if (
    !stays &&
    cell?.parent &&
    cell.parent.children.filter(({ name }) => name === 'w:tc').length > 1
  )
    tree.remove(cell)
}

/** Properties: accepted as they are, rejected to what they were. */
function settleProperties(tree: LiveTree, mark: LiveNode, verdict: RevisionVerdict): void {
  const properties = mark.parent!
  const old = mark.children.find(({ name }) => name === properties.name)
  tree.remove(mark)
  if (verdict === 'reject') {
    for (const child of [...properties.children]) if (!STAYS.has(child.name)) tree.remove(child)
    const recorded = (old?.children ?? []).filter(({ name }) => !STAYS.has(name))
    const before = recorded.map(child => tree.clone(child))
    const references = properties.children.findLastIndex(({ name }) => REFERENCES.has(name))
    tree.insert(properties, references + 1, before)
  }
  if (properties.children.length === 0) tree.remove(properties)
}

/** First in the properties of a section. */
const REFERENCES: ReadonlySet<string> = new Set(['w:headerReference', 'w:footerReference'])

/** Not part of the recorded properties. */
const STAYS: ReadonlySet<string> = new Set([
  'w:rPr',
  'w:sectPr',
  ...REFERENCES,
  'w:ins',
  'w:del',
  'w:moveFrom',
  'w:moveTo',
  'w:cellIns',
  'w:cellDel',
])

/** Borders of moves that have nothing left between them; they may stand in different paragraphs. */
export function dropEmptyMoves(tree: LiveTree, root: LiveNode): void {
  for (const kind of ['w:moveFrom', 'w:moveTo']) {
    const open = new Map<string | undefined, LiveNode>()
    const empty: LiveNode[] = []
    for (const node of root.inOrder()) {
      if (node.name === kind) open.clear()
      else if (node.name === `${kind}RangeStart`) open.set(tree.attribute(node, 'w:id'), node)
      else if (node.name === `${kind}RangeEnd`) {
        const start = open.get(tree.attribute(node, 'w:id'))
        if (start) empty.push(start, node)
      }
    }
    for (const node of empty) tree.remove(node)
  }
}
