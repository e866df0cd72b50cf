import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { marksIn } from './remove-paragraph.ts'
import { HOLDERS } from './remove-whole.ts'
import { markParagraph } from './tracked-paragraph.ts'
import type { Tracking } from './tracking.ts'

/** What cannot stand at both places of a move: it has an identity of its own, or another part refers to it. */
const UNIQUE: readonly (readonly [name: string, words: string])[] = [
  ['w:sdt', 'a content control'],
  ['w:txbxContent', 'a text box'],
  ['w:drawing', 'a picture or drawing'],
  ['w:pict', 'a drawing'],
  ['w:object', 'an embedded object'],
  ['w:footnoteReference', 'a footnote'],
  ['w:endnoteReference', 'an endnote'],
]

/** Why a paragraph cannot be moved as a tracked change; undefined if it can. */
export function findMoveProblem(paragraph: LiveNode): string | undefined {
  const found = UNIQUE.find(([name]) => !paragraph.all(name).next().done)
  return found && `it holds ${found[1]}, which would stand at both places`
}

/** Whether something stays where the paragraph was: bookmarks, and comments. */
export function leavesMarks(paragraph: LiveNode): boolean {
  return !marksIn(paragraph).next().done || !paragraph.all('w:commentReference').next().done
}

/**
 * Moves a paragraph as a tracked change: it stands at both places, marked as moved away where it was and as moved here
 * where the copy is. Returns the copy.
 */
export function trackMove(
  tree: LiveTree,
  paragraph: LiveNode,
  target: LiveNode,
  side: 'after' | 'before',
  tracking: Tracking,
): LiveNode {
  const copy = tree.clone(paragraph)
  for (const mark of [...marksIn(copy)]) tree.remove(mark)
  for (const mark of [...copy.all('w:commentReference')]) tree.remove(mark.parent!)
  for (const name of ['w14:paraId', 'w14:textId']) tree.setAttribute(copy, name, undefined)
  const attributes = tracking.attributes()
  const name = `move${/w:id="(\d+)"/.exec(attributes)![1]}`
  if (side === 'before') tree.before(target, [copy])
  else tree.after(target, [copy])
  markMoved(tree, paragraph, 'w:moveFrom', `${attributes} w:name="${name}"`, tracking)
  markMoved(tree, copy, 'w:moveTo', `${tracking.attributes()} w:name="${name}"`, tracking)
  return copy
}

function markMoved(
  tree: LiveTree,
  paragraph: LiveNode,
  kind: 'w:moveFrom' | 'w:moveTo',
  attributes: string,
  tracking: Tracking,
): void {
  for (const own of contentOf(paragraph)) {
    const [wrapper] = tree.fragment(`<${kind} ${tracking.attributes()}/>`)
    tree.before(own, [wrapper!])
    tree.remove(own)
    tree.append(wrapper!, [own])
  }
  markParagraph(tree, paragraph, kind, tracking)
  const id = /w:id="\d+"/.exec(attributes)![0]
  tree.before(paragraph, tree.fragment(`<${kind}RangeStart ${attributes}/>`))
  tree.after(paragraph, tree.fragment(`<${kind}RangeEnd ${id}/>`))
}

/** Text and formulas, in links and simple fields too: the marks of a move stand inside those. */
function contentOf(node: LiveNode): LiveNode[] {
  return node.children.flatMap(child => {
    if (HOLDERS.has(child.name)) return contentOf(child)
    const isContent = CONTENT.has(child.name) && !child.child('w:commentReference')
    return isContent ? [child] : []
  })
}

const CONTENT: ReadonlySet<string> = new Set(['w:r', 'm:oMath', 'm:oMathPara'])
