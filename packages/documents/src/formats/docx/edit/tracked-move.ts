import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { marksIn } from './remove-paragraph.ts'
import { markParagraph } from './tracked-paragraph.ts'
import type { Tracking } from './tracking.ts'

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
  for (const own of [copy, ...copy.all('w:p')])
    for (const name of ['w14:paraId', 'w14:textId']) tree.setAttribute(own, name, undefined)
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
  for (const run of paragraph.children.filter(
    ({ name }) => name === 'w:r' || name === 'w:hyperlink',
  )) {
    const [wrapper] = tree.fragment(`<${kind} ${tracking.attributes()}/>`)
    tree.before(run, [wrapper!])
    tree.remove(run)
    tree.append(wrapper!, [run])
  }
  markParagraph(tree, paragraph, kind, tracking)
  const id = /w:id="\d+"/.exec(attributes)![0]
  tree.before(paragraph, tree.fragment(`<${kind}RangeStart ${attributes}/>`))
  tree.after(paragraph, tree.fragment(`<${kind}RangeEnd ${id}/>`))
}
