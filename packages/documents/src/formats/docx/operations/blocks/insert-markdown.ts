import { counted } from '@filewright/protocol'
import type { LiveNode } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import {
  type BesideArguments,
  type BlockAnchor,
  blockAnchorFor,
  paragraphBeside,
} from '../../edit/block-anchor.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { trackInserted } from '../../edit/tracked-paragraph.ts'
import { markRow } from '../../edit/tracked-row.ts'
import { paragraphById, placeOf } from '../../story/places.ts'
import type { Story } from '../../story/story.ts'
import { BlockMaker } from './make-block.ts'
import { type MarkdownBlock, parseMarkdown } from './parse-markdown.ts'

const MOST_BLOCKS = 5_000

/** Inserts Markdown in the styles of the document: each block is a change of its own. */
export function insertMarkdown(editor: DocumentEditor, args: DocumentArgs<'insert_markdown'>) {
  const blocks = parseMarkdown(args.markdown)
  if (blocks.length === 0) throw invalid('insert_markdown needs markdown: there is no text in it')
  if (blocks.length > MOST_BLOCKS)
    throw invalid(`the Markdown has ${blocks.length} blocks; insert ${MOST_BLOCKS} at most at once`)
  const anchor = anchorFor(editor, args)
  const story = anchor?.story ?? editor.manuscript.body
  const maker = new BlockMaker(editor, story, anchor && paragraphBeside(anchor))
  const put = anchor ? placer(anchor) : placerAtEnd(story)
  const place: InsertedAt = { story, ...(anchor && { anchor: anchor.id }) }
  const ids = blocks.flatMap(block => insertBlock(editor, place, maker, put, block) ?? [])
  for (const missing of maker.missing)
    editor.warn(`the document has no style for ${missing}, so its look was set directly.`)
  return {
    op: 'insert_markdown',
    message: `Inserted ${counted(ids.length, 'block')} ${anchor ? `${anchor.side} ${anchor.id}` : 'at the end'}.`,
    paragraphs: ids.slice(0, 200),
  }
}

interface InsertedAt {
  readonly story: Story
  /** Absent where the document has no paragraph yet. */
  readonly anchor?: string
}

function anchorFor(editor: DocumentEditor, beside: BesideArguments): BlockAnchor | undefined {
  if ((beside.after ?? beside.before) !== undefined) return blockAnchorFor(editor, beside)
  const { body } = editor.manuscript
  const id = editor.resolve(
    'anchor',
    () => body.paragraphs.findLast(({ node }) => node.parent === body.root)?.id ?? null,
  )
  if (id === null) return undefined
  const { node, story } = paragraphById(editor.manuscript, id)
  return { id, node, story, side: 'after' }
}

/** In front of the page set-up that ends the body. */
function placerAtEnd({ tree, root }: Story) {
  return (node: LiveNode) => {
    const section = root.children.findLastIndex(({ name }) => name === 'w:sectPr')
    tree.insert(root, section < 0 ? root.children.length : section, [node])
  }
}

function placer({ story: { tree }, node: anchor, side }: BlockAnchor) {
  let last: LiveNode | undefined
  return (node: LiveNode) => {
    if (last) tree.after(last, [node])
    else if (side === 'before') tree.before(anchor, [node])
    else tree.after(anchor, [node])
    last = node
  }
}

function insertBlock(
  editor: DocumentEditor,
  { story, anchor }: InsertedAt,
  maker: BlockMaker,
  put: (node: LiveNode) => void,
  block: MarkdownBlock,
): string | undefined {
  const id = editor.newId()
  const isTable = block.kind === 'table'
  const place = isTable ? `new table ${id}` : placeOf(id)
  let made: LiveNode | undefined
  const done = editor.change(
    {
      kind: isTable ? 'structure' : 'paragraph',
      place,
      keys: [id],
      reads: anchor === undefined ? [] : [anchor],
      before: null,
      after: () => sideOf(editor, story, made!),
      description: anchor === undefined ? 'at the end' : `after ${anchor}`,
    },
    () => {
      made = maker.make(block)
      story.assign(made, id)
      editor.adopt(story, made)
      put(made)
      if (isTable) finishTable(editor, story, made, put)
      else if (editor.tracking) trackInserted(story.tree, made, editor.tracking)
      return true
    },
  )
  return done ? id : undefined
}

/** A paragraph stands between two tables and at the end of a cell. */
function finishTable(
  editor: DocumentEditor,
  story: Story,
  table: LiveNode,
  put: (node: LiveNode) => void,
): void {
  const { tree } = story
  const { tracking } = editor
  if (tracking)
    for (const row of table.children.filter(({ name }) => name === 'w:tr'))
      markRow(tree, row, 'w:ins', tracking)
  const next = table.parent!.children.slice(table.index + 1).find(({ name }) => name !== '')
  if (next?.name === 'w:p') return
  const [gap] = tree.fragment('<w:p/>')
  editor.adopt(story, gap!)
  put(gap!)
  if (tracking) trackInserted(tree, gap!, tracking)
}

function sideOf(editor: DocumentEditor, story: Story, node: LiveNode) {
  if (node.name === 'w:p')
    return editor.sideOf({
      node,
      story,
      cell: undefined,
      box: undefined,
      note: undefined,
      openFields: [],
    })
  const rows = node.children.filter(({ name }) => name === 'w:tr')
  const shown = rows.map(row =>
    [...row.all('w:tc')]
      .map(cell => [...cell.all('w:t')].map(text => story.tree.textOf(text)).join(''))
      .join(' | '),
  )
  return { text: shown.join('\n') }
}
