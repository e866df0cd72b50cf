import { counted } from '@filewright/protocol'
import type { LiveNode } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type BlockAnchor, blockAnchorFor } from '../../edit/block-anchor.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { trackInserted } from '../../edit/tracked-paragraph.ts'
import { markRow } from '../../edit/tracked-row.ts'
import { renderForm } from '../../story/form.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import { type PlaceArgument, paragraphsAt, placeOf, tableById } from '../../story/places.ts'
import type { Story } from '../../story/story.ts'
import { orderNotesIn } from '../notes/note-order.ts'
import { BlockCopier } from './block-copier.ts'
import { bookmarksFor, CopiedLinks } from './copied-links.ts'
import { sourceDocument } from './source-document.ts'

const MOST_BLOCKS = 2_000

/** Each block is a change of its own; what it refers to comes with it. */
export function copyBlocks(editor: DocumentEditor, args: DocumentArgs<'copy_blocks'>) {
  const source = sourceDocument(editor, args.from)
  const blocks = blocksOf(source, args.blocks)
  const anchor = blockAnchorFor(editor, args)
  const links = new CopiedLinks(bookmarksFor(editor.manuscript, blocks))
  const copier = new BlockCopier(editor, source, { links })
  const put = placer(editor, anchor)
  const ids = blocks.flatMap(({ story, node }) => {
    const id = editor.newId()
    const isTable = node.name === 'w:tbl'
    const done = editor.change(
      {
        kind: isTable ? 'structure' : 'paragraph',
        place: isTable ? `new table ${id}` : placeOf(id),
        keys: [id],
        reads: [anchor.id],
        before: null,
        after: () => ({ text: textOf(source, story, node) }),
        description: `${anchor.side} ${anchor.id}, from ${args.from}`,
      },
      () => {
        const made = copier.copy(story, node, anchor.story)
        anchor.story.assign(made, id)
        editor.adopt(anchor.story, made)
        put(made)
        orderNotesIn(editor.manuscript, made)
        return true
      },
    )
    return done ? [id] : []
  })
  if (!editor.isReplay) for (const what of [...copier.left, ...links.left]) editor.warn(`${what}.`)
  return {
    op: 'copy_blocks',
    message: `Copied ${counted(ids.length, 'block')} from ${args.from} ${anchor.side} ${anchor.id}${broughtAlong(copier)}.`,
    paragraphs: ids.slice(0, 200),
  }
}

function broughtAlong({ styles, lists, notes, pictures }: BlockCopier): string {
  const parts = [
    styles.names.length > 0 &&
      `${counted(styles.names.length, 'style')} (${styles.names.slice(0, 8).join(', ')})`,
    lists.count > 0 && counted(lists.count, 'list'),
    notes > 0 && counted(notes, 'note'),
    pictures > 0 && counted(pictures, 'picture'),
  ].filter(part => part !== false)
  return parts.length > 0 ? `, with ${parts.join(', ')}` : ''
}

interface Block {
  readonly story: Story
  readonly node: LiveNode
}

/** The blocks of the body that a place means: what stands in a table means the table. */
function blocksOf(source: Manuscript, place: PlaceArgument | undefined): readonly Block[] {
  const { body } = source
  const all = place === undefined || place === '' || place === 'body'
  const table = typeof place === 'string' ? tableById(source, place.trim()) : undefined
  const nodes = new Set<LiveNode>()
  if (table) nodes.add(table.node)
  else if (all) for (const node of body.root.children) nodes.add(node)
  else
    for (const { node, story } of paragraphsAt(source, place)) {
      if (story !== body) throw invalid('copy_blocks copies from the body of the other document')
      let block = node
      while (block.parent && block.parent !== body.root) block = block.parent
      nodes.add(block)
    }
  const blocks = [...nodes].filter(({ name }) => /^w:(p|tbl|sdt)$/.test(name))
  if (blocks.length === 0) throw invalid('there is nothing to copy at that place')
  if (blocks.length > MOST_BLOCKS)
    throw invalid(`there are ${blocks.length} blocks to copy; copy ${MOST_BLOCKS} at most at once`)
  return blocks.map(node => ({ story: body, node }))
}

function placer(editor: DocumentEditor, { story, node: anchor, side }: BlockAnchor) {
  const { tree } = story
  let last: LiveNode | undefined
  return (node: LiveNode) => {
    if (last) tree.after(last, [node])
    else if (side === 'before') tree.before(anchor, [node])
    else tree.after(anchor, [node])
    last = node
    const { tracking } = editor
    if (!tracking) return
    if (node.name === 'w:sdt') editor.untracked('a content control around paragraphs')
    if (node.name === 'w:p') trackInserted(tree, node, tracking)
    else for (const row of [...node.all('w:tr')]) markRow(tree, row, 'w:ins', tracking)
  }
}

/** What a block says, for a review. */
export function textOf(source: Manuscript, story: Story, node: LiveNode): string {
  const inside = node.name === 'w:p' ? [node] : [...node.all('w:p')]
  return inside
    .flatMap(own => {
      const paragraph = story.paragraph(story.idOf(own) ?? '')
      return paragraph ? [renderForm(source.package, story, paragraph)] : []
    })
    .join('\n')
}
