import type { LiveNode } from '../../../opc/index.ts'
import type { Story } from '../story/story.ts'

/** One tracked change as somebody made it. */
export interface Revision {
  readonly id: string
  readonly kind: string
  readonly author: string
  readonly date: string
  readonly node: LiveNode
  readonly story: Story
}

const KINDS: Readonly<Record<string, string>> = {
  'w:ins': 'inserted',
  'w:del': 'deleted',
  'w:moveFrom': 'moved away',
  'w:moveTo': 'moved here',
  'w:rPrChange': 'formatted',
  'w:pPrChange': 'paragraph formatted',
  'w:sectPrChange': 'section formatted',
  'w:tblPrChange': 'table formatted',
  'w:trPrChange': 'row formatted',
  'w:tcPrChange': 'cell formatted',
  'w:tblGridChange': 'columns changed',
  'w:numberingChange': 'renumbered',
  'w:cellIns': 'cell inserted',
  'w:cellDel': 'cell deleted',
  'w:cellMerge': 'cells merged',
}

const MOST = 20_000 // revisions listed of one story

export function revisionsOf(story: Story): readonly Revision[] {
  const found: Revision[] = []
  collect(story, story.root, found)
  return found
}

function collect(story: Story, node: LiveNode, found: Revision[]): void {
  for (const child of node.children) {
    if (child.name === '' || found.length >= MOST) continue
    const kind = Object.hasOwn(KINDS, child.name) ? KINDS[child.name] : undefined
    if (kind !== undefined) {
      const value = (name: string) => story.tree.attribute(child, name) ?? ''
      const at = { author: value('w:author'), date: value('w:date') }
      found.push({ id: value('w:id'), kind, ...at, node: child, story })
    }
    // old properties may repeat the mark of the paragraph
    if (child.children.length > 0 && !child.name.endsWith('Change')) collect(story, child, found)
  }
}
