import type { LiveNode, LiveTree } from '../../../../opc/index.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import type { Story } from '../../story/story.ts'

const MOST_NAMES = 5 // in a warning
const REFERENCE = /^\s*(?:REF|PAGEREF|NOTEREF)\s+"?([^\s"\\]+)/i

/** The bookmarks that links of copied blocks can lead to: those here, and those all within one of the blocks. */
export function bookmarksFor(
  here: Manuscript,
  blocks: readonly { readonly story: Story; readonly node: LiveNode }[],
): ReadonlySet<string> {
  const names = new Set<string>(['_top'])
  for (const { tree, root } of here.stories)
    for (const own of root.all('w:bookmarkStart')) names.add(nameOf(tree, own))
  for (const { story, node } of blocks) {
    const id = (own: LiveNode) => story.tree.attribute(own, 'w:id')
    const ends = new Set([...node.all('w:bookmarkEnd')].map(id))
    for (const own of node.all('w:bookmarkStart'))
      if (ends.has(id(own))) names.add(nameOf(story.tree, own))
  }
  return names
}

/** Links and references to bookmarks that stay behind lead nowhere: they become the text that they show. */
export class CopiedLinks {
  readonly #known: ReadonlySet<string>
  readonly #lost = new Set<string>()

  constructor(known: ReadonlySet<string>) {
    this.#known = known
  }

  settle(tree: LiveTree, block: LiveNode): void {
    for (const link of [...block.all('w:hyperlink')]) {
      // with an address it leads into another file
      const isOutside = tree.attribute(link, 'r:id') !== undefined
      if (!isOutside && this.#isLost(tree.attribute(link, 'w:anchor'))) unwrap(tree, link)
    }
    for (const field of [...block.all('w:fldSimple')])
      if (this.#isLost(referredBy(tree.attribute(field, 'w:instr') ?? ''))) unwrap(tree, field)
    for (const { code, marks } of fieldsIn(tree, block))
      if (this.#isLost(referredBy(code))) for (const mark of marks) removeMark(tree, mark)
  }

  /** What a person has to know, in words. */
  get left(): readonly string[] {
    if (this.#lost.size === 0) return []
    const more = this.#lost.size - MOST_NAMES
    const names = [...this.#lost].slice(0, MOST_NAMES).join(', ')
    return [
      `links and cross-references to bookmarks that did not come along are now plain text: ${names}${more > 0 ? ` and ${more} more` : ''}`,
    ]
  }

  #isLost(name: string | undefined): boolean {
    if (name === undefined || this.#known.has(name.toLowerCase())) return false
    this.#lost.add(name)
    return true
  }
}

interface Field {
  code: string
  isInCode: boolean
  /** Its begin, code, separator and end. */
  readonly marks: LiveNode[]
}

/** Fields of several runs that begin and end in the block. */
function fieldsIn(tree: LiveTree, block: LiveNode): readonly Field[] {
  const found: Field[] = []
  const open: Field[] = []
  for (const node of block.inOrder()) {
    const type = node.name === 'w:fldChar' ? tree.attribute(node, 'w:fldCharType') : undefined
    if (type === 'begin') open.push({ code: '', isInCode: true, marks: [] })
    const field = open.at(-1)
    if (!field) continue
    if (type !== undefined) field.marks.push(node)
    if (type === 'separate') field.isInCode = false
    if (node.name === 'w:instrText' && field.isInCode) {
      field.code += tree.textOf(node)
      field.marks.push(node)
    }
    if (type === 'end') found.push(open.pop()!)
  }
  return found
}

function referredBy(code: string): string | undefined {
  return REFERENCE.exec(code)?.[1]
}

function unwrap(tree: LiveTree, node: LiveNode): void {
  const inside = node.children.filter(({ name }) => name !== 'w:fldData')
  tree.setChildren(node, [])
  tree.before(node, inside)
  tree.remove(node)
}

function removeMark(tree: LiveTree, mark: LiveNode): void {
  const run = mark.parent
  tree.remove(mark)
  if (run?.name === 'w:r' && run.children.every(({ name }) => name === 'w:rPr' || name === ''))
    tree.remove(run)
}

function nameOf(tree: LiveTree, bookmark: LiveNode): string {
  return (tree.attribute(bookmark, 'w:name') ?? '').toLowerCase()
}
