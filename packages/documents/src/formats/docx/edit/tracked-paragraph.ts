import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { ensureProperties, putProperty } from './properties.ts'
import { deleteRun } from './tracked-text.ts'
import { isBy, isRecorded, type Tracking } from './tracking.ts'

/** Marks the mark of a paragraph as inserted or deleted. */
export function markParagraph(
  tree: LiveTree,
  paragraph: LiveNode,
  kind: 'w:ins' | 'w:del' | 'w:moveFrom' | 'w:moveTo',
  tracking: Tracking,
): void {
  const properties = ensureProperties(tree, paragraph)
  let look = properties.child('w:rPr')
  if (!look) {
    ;[look] = tree.fragment('<w:rPr/>')
    putProperty(tree, properties, look!)
  }
  const [mark] = tree.fragment(`<${kind} ${tracking.attributes()}/>`)
  // an inserted mark may be deleted again: the schema wants the insertion first
  const before = look!.children.findLastIndex(({ name }) => name === 'w:ins')
  tree.insert(look!, kind === 'w:ins' ? 0 : before + 1, [mark!])
}

/** A new paragraph as a tracked insertion: its text, and a mark, which may be that of the paragraph in front. */
export function trackNewParagraph(
  tree: LiveTree,
  paragraph: LiveNode,
  tracking: Tracking,
  marked = paragraph,
): void {
  for (const run of paragraph.children.filter(({ name }) => name === 'w:r' || name === 'm:oMath')) {
    const [wrapper] = tree.fragment(`<w:ins ${tracking.attributes()}/>`)
    tree.before(run, [wrapper!])
    tree.remove(run)
    tree.append(wrapper!, [run])
  }
  markParagraph(tree, marked, 'w:ins', tracking)
  if (marked !== paragraph) keepProperties(tree, marked, paragraph, tracking)
}

/**
 * At the end of a cell or of the document the mark of the paragraph in front is the new one: the last mark cannot be
 * taken back.
 */
export function trackInserted(tree: LiveTree, node: LiveNode, tracking: Tracking): void {
  const siblings = node.parent!.children.filter(({ name }) => name !== '')
  const at = siblings.indexOf(node)
  const before = siblings[at - 1]
  const isLast = siblings[at + 1]?.name !== 'w:p'
  const properties = before?.child('w:pPr')
  const change = properties?.child('w:pPrChange')
  const isFree =
    before?.name === 'w:p' &&
    !properties?.child('w:rPr')?.child('w:ins') &&
    !properties?.child('w:sectPr') &&
    (!change || isBy(tree, change, tracking))
  trackNewParagraph(tree, node, tracking, isLast && isFree ? before : node)
}

/**
 * Where the insertion is rejected, the text in front ends with the new paragraph's mark: it gets its properties back.
 * If the paragraph in front is new too, those are what it records.
 */
function keepProperties(
  tree: LiveTree,
  old: LiveNode,
  paragraph: LiveNode,
  tracking: Tracking,
): void {
  const recorded = old.child('w:pPr')?.child('w:pPrChange')
  const isOurs = isBy(tree, recorded, tracking)
  const before = (isOurs ? recorded!.child('w:pPr') : old.child('w:pPr'))?.children ?? []
  const kept = before.filter(isKept)
  const own = (paragraph.child('w:pPr')?.children ?? []).filter(isKept)
  if (xmlOf(tree, kept) !== xmlOf(tree, own))
    recordChange(tree, ensureProperties(tree, paragraph), 'w:pPrChange', kept, tracking)
  keepMarkLook(tree, old, paragraph, tracking)
}

/** The same for the look of the mark. */
function keepMarkLook(
  tree: LiveTree,
  old: LiveNode,
  paragraph: LiveNode,
  tracking: Tracking,
): void {
  const look = old.child('w:pPr')?.child('w:rPr')
  const recorded = look?.child('w:rPrChange')
  const isOurs = isBy(tree, recorded, tracking)
  const isLook = ({ name }: LiveNode) => !NOT_KEPT.has(name) && name !== 'w:rPrChange'
  const kept = ((isOurs ? recorded!.child('w:rPr') : look)?.children ?? []).filter(isLook)
  const properties = paragraph.child('w:pPr')
  const own = (properties?.child('w:rPr')?.children ?? []).filter(isLook)
  if (xmlOf(tree, kept) === xmlOf(tree, own)) return
  const ensured = ensureProperties(tree, paragraph)
  if (!ensured.child('w:rPr')) putProperty(tree, ensured, tree.fragment('<w:rPr/>')[0]!)
  recordChange(tree, ensured.child('w:rPr')!, 'w:rPrChange', kept, tracking)
}

function recordChange(
  tree: LiveTree,
  properties: LiveNode,
  name: 'w:pPrChange' | 'w:rPrChange',
  kept: readonly LiveNode[],
  tracking: Tracking,
): void {
  const [change] = tree.fragment(
    `<${name} ${tracking.attributes()}><${properties.name}/></${name}>`,
  )
  tree.append(
    change!.child(properties.name)!,
    kept.map(node => tree.clone(node)),
  )
  tree.append(properties, [change!])
}

function isKept({ name }: LiveNode): boolean {
  return !NOT_KEPT.has(name) && name !== 'w:rPr' && name !== 'w:pPrChange'
}

function xmlOf(tree: LiveTree, nodes: readonly LiveNode[]): string {
  return nodes.map(node => tree.xmlOf(node)).join('')
}

/** Our own pending paragraph: its mark and all its text are our insertion. */
export function isOwnInsertion(tree: LiveTree, paragraph: LiveNode, tracking: Tracking): boolean {
  const mark = paragraph.child('w:pPr')?.child('w:rPr')?.child('w:ins')
  if (!isBy(tree, mark, tracking)) return false
  return paragraph.children.every(
    child =>
      child.name === '' ||
      child.name === 'w:pPr' ||
      (child.name === 'w:ins' && isBy(tree, child, tracking)),
  )
}

/** Deletes all text of a paragraph as tracked changes; deleted text and comments of others stay theirs. */
export function trackDeletedText(tree: LiveTree, paragraph: LiveNode, tracking: Tracking): void {
  for (const run of runsIn(paragraph))
    if (!run.child('w:commentReference')) deleteRun(tree, run, tracking)
}

function runsIn(node: LiveNode): LiveNode[] {
  return node.children.flatMap(child => {
    if (child.name === 'w:r') return [child]
    if (child.name === 'w:del' || child.name === 'w:moveFrom' || child.name === 'w:pPr') return []
    return runsIn(child)
  })
}

/** Records the properties that a run or a paragraph had before they change. Only the first change counts. */
export function trackProperties(tree: LiveTree, node: LiveNode, tracking: Tracking): void {
  const properties = ensureProperties(tree, node)
  const isRun = node.name === 'w:r'
  const name = isRun ? 'w:rPrChange' : 'w:pPrChange'
  const inside = node.parent?.name === 'w:ins' && isBy(tree, node.parent, tracking)
  if (isRecorded(tree, properties, tracking) || inside) return
  const [change] = tree.fragment(
    `<${name} ${tracking.attributes()}><${properties.name}/></${name}>`,
  )
  const old = change!.child(properties.name)!
  const kept = properties.children.filter(
    child => !NOT_KEPT.has(child.name) && (isRun || child.name !== 'w:rPr'),
  )
  tree.append(
    old,
    kept.map(child => tree.clone(child)),
  )
  tree.append(properties, [change!])
}

const NOT_KEPT: ReadonlySet<string> = new Set([
  '',
  'w:sectPr',
  'w:ins',
  'w:del',
  'w:moveFrom',
  'w:moveTo',
])
