import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import { showsPrompt } from '../story/index-story.ts'
import type { Manuscript } from '../story/manuscript.ts'
import { type PlaceArgument, paragraphAt, paragraphById, tableById } from '../story/places.ts'
import type { Paragraph, Story } from '../story/story.ts'
import { textMapOf } from '../story/text-map.ts'
import { type DocumentEditor, invalid } from './editor.ts'
import { isLockedControl, refuseUnlessAllowed } from './guards.ts'
import { modelFrom, type ParagraphModel } from './new-paragraph.ts'

/** Where new blocks go: beside a paragraph or a table. */
export interface BlockAnchor {
  readonly id: string
  readonly node: LiveNode
  readonly story: Story
  readonly side: Side
}

type Side = 'after' | 'before'

export interface BesideArguments {
  readonly after?: PlaceArgument | undefined
  readonly before?: PlaceArgument | undefined
}

/** `after` or `before`: a paragraph, a table, or a heading, which means its section. */
export function blockAnchorFor(editor: DocumentEditor, beside: BesideArguments): BlockAnchor {
  const { side, target } = sideOf(editor, beside)
  const { manuscript } = editor
  const id = editor.resolve('anchor', () => anchorIdIn(manuscript, side, target))
  const anchor = anchorAt(manuscript, side, id)
  return { ...anchor, node: blockBeside(editor, anchor) }
}

/** The same without a trace in the log, for an operation that keeps what it found there. */
export function findBlockAnchor(editor: DocumentEditor, beside: BesideArguments): BlockAnchor {
  const { side, target } = sideOf(editor, beside)
  const { manuscript } = editor
  return anchorAt(manuscript, side, anchorIdIn(manuscript, side, target))
}

function sideOf({ op }: DocumentEditor, { after, before }: BesideArguments) {
  if (before !== undefined) return { side: 'before' as const, target: before }
  if (after !== undefined) return { side: 'after' as const, target: after }
  throw invalid(`${op} needs after or before: a paragraph such as "p12", a table or a heading`)
}

function anchorIdIn(manuscript: Manuscript, side: Side, target: PlaceArgument): string {
  const table = typeof target === 'string' ? tableById(manuscript, target.trim()) : undefined
  if (table) return table.id
  const found = paragraphAt(manuscript, target, side === 'before' ? 'first' : 'last')
  const isNamed = typeof target === 'string' && target.trim().toLowerCase() === found.id
  if (isNamed || typeof target === 'number' || side === 'before') return found.id
  return endingTable(found, paragraphAt(manuscript, target, 'first')) ?? found.id
}

function anchorAt(manuscript: Manuscript, side: Side, id: string): BlockAnchor {
  const { node, story } = tableById(manuscript, id) ?? paragraphById(manuscript, id)
  return { id, node, story, side }
}

/** The block itself, or the content control around it that takes no block more. */
export function blockBeside(
  editor: DocumentEditor,
  { id, node, story: { tree } }: Omit<BlockAnchor, 'side'>,
): LiveNode {
  let block = node
  let isInCell = false
  for (let at = node.parent; at; at = at.parent) {
    isInCell ||= at.name === 'w:tc'
    if (at.name !== 'w:sdt') continue
    const isClosed = isClosedControl(tree, at)
    if (isInCell && isClosed)
      throw new Refusal(
        'CONFLICT',
        `${id} is all that a content control of a table cell takes; set its text with set_table, or fill it with fill_placeholders`,
      )
    const isLocked = isLockedControl(tree, at)
    if (isInCell && isLocked) refuseUnlessAllowed(editor, id)
    else if (isClosed || isLocked) block = at
  }
  return block
}

/**
 * Word replaces the prompt of an empty control, and what is bound to data, as a whole; a plain text, a date or a choice
 * is one paragraph.
 */
function isClosedControl(tree: LiveTree, control: LiveNode): boolean {
  const properties = control.child('w:sdtPr')
  return (
    showsPrompt(tree, control) ||
    (properties?.children.some(({ name }) => CLOSED.has(name)) ?? false)
  )
}

const CLOSED: ReadonlySet<string> = new Set([
  'w:dataBinding',
  'w15:dataBinding',
  'w:text',
  'w:date',
  'w:dropDownList',
  'w:comboBox',
  'w14:checkbox',
  'w:picture',
  'w:citation',
  'w:equation',
])

/**
 * A section that ends with a table is followed by what comes after the table, not by what is in its last cell. One that is
 * in a cell as a whole stays there.
 */
function endingTable({ story, node }: Paragraph, start: Paragraph): string | undefined {
  const around = new Set(ancestorsOf(start.node))
  const found = ancestorsOf(node).findLast(at => at.name === 'w:tbl' && !around.has(at))
  return found && story.idOf(found)
}

function ancestorsOf(node: LiveNode): readonly LiveNode[] {
  const found: LiveNode[] = []
  for (let at = node.parent; at; at = at.parent) found.push(at)
  return found
}

/** How new text at the anchor looks: like the paragraph, or like the text around the table. */
export function modelBeside(manuscript: Manuscript, anchor: BlockAnchor): ParagraphModel {
  const own = paragraphBeside(anchor)
  if (!own) return { properties: undefined, look: undefined }
  return modelFrom(manuscript, own, own.id === anchor.id ? anchor.side : 'after')
}

const FARTHEST = 200 // blocks

/** The paragraph of the anchor; beside a table the nearest one of plain text, else the nearest at all. */
export function paragraphBeside({ id, node, story, side }: BlockAnchor): Paragraph | undefined {
  const own = story.paragraph(id)
  if (own || !node.parent) return own
  const { index } = node
  const { children } = node.parent
  const asParagraph = (block: LiveNode) => story.paragraph(story.idOf(block) ?? '') ?? []
  const above = children
    .slice(Math.max(0, index - FARTHEST), index)
    .reverse()
    .flatMap(asParagraph)
  const below = children.slice(index + 1, index + 1 + FARTHEST).flatMap(asParagraph)
  const near = side === 'before' ? [...above, ...below] : [...below, ...above]
  return near.find(isPlain) ?? above[0] ?? below[0]
}

function isPlain(paragraph: Paragraph): boolean {
  const { story } = paragraph
  const { heading, label } = story.rank(paragraph)
  if (heading !== undefined || label !== '') return false
  return textMapOf(story.pieces(paragraph)).text.trim() !== ''
}
