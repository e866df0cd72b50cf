import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import type { TextEdit } from '../../../runs/align-text.ts'
import type { ParagraphSpot } from '../story/index-story.ts'
import type { Story } from '../story/story.ts'
import { spansIn, textMapOf } from '../story/text-map.ts'
import { runsOf, splitAt } from './format-text.ts'
import { lookAt, neighbour, prevailing, putInParagraph, textXml } from './text-edit.ts'
import { isBy, type Tracking } from './tracking.ts'

/** Edits the text of a paragraph as tracked changes, tight around the changed words, last edit first. */
export function trackText(
  story: Story,
  spot: ParagraphSpot,
  edits: readonly TextEdit[],
  tracking: Tracking,
): void {
  const ordered = [...edits].sort((a, b) => b.start - a.start || b.end - a.end)
  for (const edit of ordered) trackRange(story, spot, edit, tracking)
}

function trackRange(story: Story, spot: ParagraphSpot, edit: TextEdit, tracking: Tracking): void {
  const { tree } = story
  const { start, end, text } = edit
  if (start === end) return insertText(story, spot, edit, tracking)
  const covered = spansIn(textMapOf(story.pieces(spot)), start, end).filter(
    ({ piece }) => piece.kind !== 'token',
  )
  const host = covered.length > 0 ? prevailing(tree, covered, edit) : undefined
  const look = host?.piece.run?.child('w:rPr')
  const runs = runsOf(story, spot, { start, end })
  const last = areBeside(runs) ? runs.at(-1) : runAt(story, spot, Math.max(start, host?.start ?? 0))
  if (text !== '' && last) putAfter(tree, last, newRun(tree, text, look), tracking)
  for (const run of runs) deleteRun(tree, run, tracking)
}

/** Nothing stands between them: no mark, no field, no border of a control. */
function areBeside(runs: readonly LiveNode[]): boolean {
  const [first] = runs
  const siblings = first?.parent?.children.filter(({ isText }) => !isText) ?? []
  const from = first ? siblings.indexOf(first) : 0
  return runs.every((run, index) => siblings[from + index] === run)
}

/** The run of a character; where a mark stands in the replaced text, new text goes where an edit without tracking puts it. */
function runAt(story: Story, spot: ParagraphSpot, at: number): LiveNode | undefined {
  const { spans } = textMapOf(story.pieces(spot))
  return spans.find(({ start, end }) => start <= at && at < end)?.piece.run
}

function insertText(story: Story, spot: ParagraphSpot, edit: TextEdit, tracking: Tracking): void {
  const { tree } = story
  const { start: at, text } = edit
  splitAt(story, spot, at)
  const map = textMapOf(story.pieces(spot))
  const host = neighbour(map, edit)
  const run = host?.piece.run
  if (!run) {
    const made = newRun(tree, text, lookAt(tree, spot.node, map, at))
    const [wrapper] = tree.fragment(`<w:ins ${tracking.attributes()}/>`)
    tree.append(wrapper!, [made])
    putInParagraph(tree, spot.node, map, at, wrapper!)
    return
  }
  const made = newRun(tree, text, run.child('w:rPr'))
  if (host.end <= at) putAfter(tree, run, made, tracking)
  else putBefore(tree, run, made, tracking)
}

function newRun(tree: LiveTree, text: string, look: LiveNode | undefined): LiveNode {
  const [run] = tree.fragment(`<w:r>${textXml(text)}</w:r>`)
  const own = look && tree.clone(look)
  const change = own?.child('w:rPrChange')
  if (own && change) tree.remove(change)
  if (own) tree.insert(run!, 0, [own])
  return run!
}

/** New text inside our own insertion is part of it; somebody else's insertion is split around ours. */
export function putAfter(tree: LiveTree, run: LiveNode, made: LiveNode, tracking: Tracking): void {
  const around = insertionAround(run)
  if (!around) return tree.after(run, [wrapped(tree, made, tracking)])
  if (isBy(tree, around, tracking)) return tree.after(run, [made])
  splitAround(tree, around, run.index + 1, tracking)
  tree.after(around, [wrapped(tree, made, tracking)])
}

function putBefore(tree: LiveTree, run: LiveNode, made: LiveNode, tracking: Tracking): void {
  const around = insertionAround(run)
  if (!around) return tree.before(run, [wrapped(tree, made, tracking)])
  if (isBy(tree, around, tracking)) return tree.before(run, [made])
  if (run.index > 0) {
    splitAround(tree, around, run.index, tracking)
    tree.after(around, [wrapped(tree, made, tracking)])
  } else tree.before(around, [wrapped(tree, made, tracking)])
}

function insertionAround({ parent }: LiveNode): LiveNode | undefined {
  return parent && (parent.name === 'w:ins' || parent.name === 'w:moveTo') ? parent : undefined
}

/** The second half of somebody's insertion is a change of its own, by the same author. */
function splitAround(tree: LiveTree, around: LiveNode, index: number, tracking: Tracking): void {
  const tail = around.children.slice(index)
  if (tail.length === 0) return
  const [half] = tree.fragment(`<${around.name} ${tracking.attributes()}/>`)
  const known = new Map(tree.attributesOf(around).map(({ name, value }) => [name, value]))
  for (const name of ['w:author', 'w:date', ...known.keys()])
    if (name !== 'w:id') tree.setAttribute(half!, name, known.get(name))
  for (const own of tail) tree.remove(own)
  tree.append(half!, tail)
  tree.after(around, [half!])
}

function wrapped(tree: LiveTree, made: LiveNode, tracking: Tracking): LiveNode {
  const [wrapper] = tree.fragment(`<w:ins ${tracking.attributes()}/>`)
  tree.append(wrapper!, [made])
  return wrapper!
}

/** Our own pending insertion is simply removed; in somebody else's the deletion nests. */
export function deleteRun(tree: LiveTree, run: LiveNode, tracking: Tracking): void {
  const around = insertionAround(run)
  if (around && isBy(tree, around, tracking)) {
    tree.remove(run)
    if (around.children.length === 0) tree.remove(around)
    return
  }
  const before = run.parent!.children[run.index - 1]
  const isOurs = before?.name === 'w:del' && isBy(tree, before, tracking)
  if (isOurs) {
    tree.remove(run)
    tree.append(before, [run])
  } else {
    const [wrapper] = tree.fragment(`<w:del ${tracking.attributes()}/>`)
    tree.before(run, [wrapper!])
    tree.remove(run)
    tree.append(wrapper!, [run])
  }
  renameText(tree, run, DELETED)
}

const DELETED: Readonly<Record<string, string>> = {
  'w:t': 'w:delText',
  'w:instrText': 'w:delInstrText',
}
const RESTORED: Readonly<Record<string, string>> = {
  'w:delText': 'w:t',
  'w:delInstrText': 'w:instrText',
}

/** The text of deleted runs as it was. */
export function restoreText(tree: LiveTree, node: LiveNode): void {
  renameText(tree, node, RESTORED)
}

function renameText(tree: LiveTree, node: LiveNode, names: Readonly<Record<string, string>>): void {
  for (const child of [...node.children]) {
    const name = Object.hasOwn(names, child.name) ? names[child.name] : undefined
    if (name === undefined) {
      if (child.name !== 'w:txbxContent') renameText(tree, child, names)
      continue
    }
    const [made] = tree.fragment(`<${name}/>`)
    for (const own of tree.attributesOf(child)) tree.setAttribute(made!, own.name, own.value)
    const text = tree.textOf(child)
    tree.setText(made!, text)
    if (/^\s|\s$/.test(text)) tree.setAttribute(made!, 'xml:space', 'preserve')
    tree.before(child, [made!])
    tree.remove(child)
  }
}
