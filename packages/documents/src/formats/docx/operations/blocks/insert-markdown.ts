import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import type { LiveNode } from '../../../../opc/index.ts'
import { textField } from '../../edit/arguments.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { trackInserted } from '../../edit/tracked-paragraph.ts'
import { markRow } from '../../edit/tracked-row.ts'
import { paragraphAt, paragraphById, placeOf } from '../../story/places.ts'
import type { Paragraph, Story } from '../../story/story.ts'
import { BlockMaker } from './make-block.ts'
import { type MarkdownBlock, parseMarkdown } from './parse-markdown.ts'

const MOST_BLOCKS = 5_000

/** Inserts Markdown in the styles of the document: each block is a change of its own. */
export function insertMarkdown(editor: DocumentEditor, operation: Fields): OperationResult {
  const blocks = parseMarkdown(textField(operation, 'markdown', '# Title'))
  if (blocks.length === 0) throw invalid('insert_markdown needs markdown: there is no text in it')
  if (blocks.length > MOST_BLOCKS)
    throw invalid(`the Markdown has ${blocks.length} blocks; insert ${MOST_BLOCKS} at most at once`)
  const side = operation.before !== undefined && operation.before !== null ? 'before' : 'after'
  const id = editor.resolve('anchor', () => anchorFor(editor, operation, side).id)
  const anchor = paragraphById(editor.manuscript, id)
  const maker = new BlockMaker(editor, anchor)
  const put = placer(anchor, side)
  const ids = blocks.flatMap(block => insertBlock(editor, anchor, maker, put, block) ?? [])
  for (const missing of maker.missing)
    editor.warn(`the document has no style for ${missing}, so its look was set directly.`)
  return {
    op: 'insert_markdown',
    message: `Inserted ${counted(ids.length, 'block')} ${side} ${anchor.id}.`,
    paragraphs: ids.slice(0, 200),
  }
}

function anchorFor(editor: DocumentEditor, operation: Fields, side: 'after' | 'before'): Paragraph {
  const target = operation[side]
  if (target !== undefined && target !== null)
    return paragraphAt(editor.manuscript, target, side === 'before' ? 'first' : 'last')
  const { body } = editor.manuscript
  const last = body.paragraphs.findLast(({ node }) => node.parent === body.root)
  if (!last) throw invalid('the document has no paragraph to insert after; append one first')
  return last
}

function placer({ story: { tree }, node: anchor }: Paragraph, side: 'after' | 'before') {
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
  { story, id: anchorId }: Paragraph,
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
      reads: [anchorId],
      before: null,
      after: () => sideOf(editor, story, made!),
      description: `after ${anchorId}`,
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
