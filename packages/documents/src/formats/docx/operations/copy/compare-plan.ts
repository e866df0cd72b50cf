import type { LiveNode } from '../../../../opc/index.ts'
import { createLineNumbering, diffLines } from '../../../text/diff/line-diff.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import { TOKEN } from '../../story/pieces.ts'
import type { Story } from '../../story/story.ts'
import { textMapOf } from '../../story/text-map.ts'
import { picturesIn } from './picture-bytes.ts'
import { areAlike } from './similar-text.ts'

/** A block of the other document, by its position there: never an id, which would be one of this document. */
export interface OtherBlock {
  readonly kind: 'paragraph' | 'table'
  readonly at: number
}

/** One step on the way to the other document. JSON only; ids are of this document. */
export type CompareStep =
  | { readonly step: 'edit'; readonly id: string; readonly other: number }
  | { readonly step: 'delete'; readonly id: string }
  | {
      readonly step: 'insert'
      readonly anchor: string
      readonly side: 'after' | 'before'
      readonly other: OtherBlock
    }

interface Block {
  readonly node: LiveNode
  readonly text: string
  /** The text and the pictures: equal blocks have nothing to compare. */
  readonly key: string
}

interface Side extends ComparedStory {
  readonly blocks: readonly Block[]
}

/** A story with its document. */
export interface ComparedStory {
  readonly manuscript: Manuscript
  readonly story: Story
}

/** The steps from one body to the other, in the order of the text. */
export function planBlocks(
  here: ComparedStory,
  there: ComparedStory,
  containers: readonly [LiveNode, LiveNode] = [here.story.root, there.story.root],
): readonly CompareStep[] {
  const a: Side = { ...here, blocks: blocksOf(here, containers[0]) }
  const b: Side = { ...there, blocks: blocksOf(there, containers[1]) }
  const numberOf = createLineNumbering()
  const ids = ({ blocks }: Side) =>
    Int32Array.from(blocks, ({ node, key }) => numberOf(`${node.name} ${key}`))
  return diffLines(ids(a), ids(b)).flatMap(({ aStart, aEnd, bStart, bEnd }) =>
    planHunk(a, b, { aStart, aEnd, bStart, bEnd }),
  )
}

type Hunk = Readonly<Record<'aStart' | 'aEnd' | 'bStart' | 'bEnd', number>>

/** Blocks that are alike stand for each other; the others go or come. */
function planHunk(a: Side, b: Side, { aStart, aEnd, bStart, bEnd }: Hunk): CompareStep[] {
  const steps: CompareStep[] = []
  let next = aStart
  for (let at = bStart; at < bEnd; at++) {
    const block = b.blocks[at]!
    const twin = findTwin(a.blocks, block, { next, aEnd, isLast: !isParagraph(b.blocks[at + 1]) })
    if (twin < 0) steps.push(insertion(a, b, next, block))
    else {
      while (next < twin) steps.push(deletion(a, a.blocks[next++]!))
      steps.push(...pair(a, b, a.blocks[next++]!, block))
    }
  }
  while (next < aEnd) steps.push(deletion(a, a.blocks[next++]!))
  return steps
}

/** Where no paragraph follows, the last ones always stand for each other: that mark can neither come nor go. */
function findTwin(
  blocks: readonly Block[],
  block: Block,
  { next, aEnd, isLast }: { next: number; aEnd: number; isLast: boolean },
): number {
  for (let at = next; at < aEnd; at++) {
    const own = blocks[at]!
    if (own.node.name === block.node.name && areAlike(own.text, block.text)) return at
  }
  if (!isLast || !isParagraph(block) || !isParagraph(blocks[next])) return -1
  let last = next
  while (isParagraph(blocks[last + 1])) last++
  return last < aEnd ? last : -1
}

function isParagraph(block: Block | undefined): boolean {
  return block?.node.name === 'w:p'
}

function pair(a: Side, b: Side, own: Block, other: Block): readonly CompareStep[] {
  if (own.node.name === 'w:p')
    return [{ step: 'edit', id: a.story.idOf(own.node)!, other: positionIn(b.story, other.node) }]
  const cells = [own.node, other.node].map(table => cellsOf(table))
  const [mine, theirs] = cells as [LiveNode[][], LiveNode[][]]
  const isSameShape =
    mine.length === theirs.length &&
    mine.every((row, index) => row.length === theirs[index]!.length)
  if (!isSameShape) return [insertion(a, b, a.blocks.indexOf(own) + 1, other), deletion(a, own)]
  return mine.flatMap((row, index) =>
    row.flatMap((cell, column) => planBlocks(a, b, [cell, theirs[index]![column]!])),
  )
}

function cellsOf(table: LiveNode): LiveNode[][] {
  return table.children
    .filter(({ name }) => name === 'w:tr')
    .map(row => row.children.filter(({ name }) => name === 'w:tc'))
}

function deletion({ story }: Side, { node }: Block): CompareStep {
  return { step: 'delete', id: story.idOf(node)! }
}

/** Behind the block before it, or in front of the first. */
function insertion(a: Side, b: Side, at: number, { node }: Block): CompareStep {
  const before = a.blocks[at - 1]
  const anchor = before ?? a.blocks[at] ?? a.blocks[0]!
  const isTable = node.name === 'w:tbl'
  return {
    step: 'insert',
    anchor: a.story.idOf(anchor.node)!,
    side: before ? 'after' : 'before',
    other: isTable
      ? { kind: 'table', at: b.story.tables.findIndex(own => own.node === node) }
      : { kind: 'paragraph', at: positionIn(b.story, node) },
  }
}

function positionIn(story: Story, node: LiveNode): number {
  return story.paragraphs.findIndex(own => own.node === node)
}

/** Paragraphs and tables of a container; those in content controls count as its own. */
function blocksOf(side: ComparedStory, container: LiveNode): readonly Block[] {
  const { manuscript, story } = side
  return container.children.flatMap(node => {
    if (node.name === 'w:sdt') return blocksOf(side, node.child('w:sdtContent') ?? node)
    if (node.name !== 'w:p' && node.name !== 'w:tbl') return []
    const text = textIn(story, node)
    const pictures = text.includes(TOKEN) ? picturesIn(manuscript, story, node) : ''
    return [{ node, text, key: `${text}\n${pictures}` }]
  })
}

function textIn(story: Story, node: LiveNode): string {
  const own = node.name === 'w:p' ? [node] : [...node.all('w:p')]
  return own
    .map(each => {
      const paragraph = story.paragraph(story.idOf(each) ?? '')
      return paragraph ? textMapOf(story.pieces(paragraph)).text : ''
    })
    .join('\n')
}
