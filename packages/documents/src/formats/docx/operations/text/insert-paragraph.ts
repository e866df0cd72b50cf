import { counted } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import type { LiveNode } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type BlockAnchor, blockAnchorFor, modelBeside } from '../../edit/block-anchor.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import {
  makeParagraph,
  modelInStyle,
  modelOf,
  type ParagraphModel,
} from '../../edit/new-paragraph.ts'
import { trackInserted } from '../../edit/tracked-paragraph.ts'
import { paragraphAt, paragraphById, placeOf, readForLook } from '../../story/places.ts'
import type { Story } from '../../story/story.ts'

/** Inserts paragraphs next to another or to a table; they look like what stands there unless a style is named. */
export function insertParagraph(editor: DocumentEditor, args: DocumentArgs<'insert_paragraph'>) {
  return insertNextTo(editor, args, blockAnchorFor(editor, args))
}

/** Adds paragraphs at the end of the document, or of the story that `place` names. */
export function appendParagraph(editor: DocumentEditor, args: DocumentArgs<'append_paragraph'>) {
  const { place } = args
  const id = editor.resolve('anchor', () => {
    const story = typeof place === 'string' ? editor.manuscript.story(place) : undefined
    if (!story) return paragraphAt(editor.manuscript, place, 'last').id
    return (
      story.paragraphs.findLast(({ node }) => node.parent === story.root)?.id ??
      `end of ${story.name}`
    )
  })
  const story = editor.manuscript.story(id.replace(/^end of /, ''))
  if (story) return insertAtEnd(editor, args, story)
  const { node, story: own } = paragraphById(editor.manuscript, id)
  return insertNextTo(editor, args, { id, node, story: own, side: 'after' })
}

type NewText = Pick<DocumentArgs<'insert_paragraph'>, 'text' | 'style' | 'like'>

/** In a story without paragraphs, or behind its last table. */
function insertAtEnd(editor: DocumentEditor, args: NewText, story: Story): OperationResult {
  const model =
    args.style !== undefined
      ? modelInStyle(editor.manuscript, story, args.style)
      : { properties: undefined, look: undefined }
  const { tree, root } = story
  const put = (node: LiveNode) => {
    const section = root.children.findLastIndex(({ name }) => name === 'w:sectPr')
    tree.insert(root, section < 0 ? root.children.length : section, [node])
  }
  return insertAll(editor, args, { story, model, put, where: 'at the end', reads: [] })
}

function insertNextTo(editor: DocumentEditor, args: NewText, anchor: BlockAnchor): OperationResult {
  const { story, side } = anchor
  const { tree } = story
  const { model, reads } = modelFor(editor, args, anchor)
  let last: LiveNode | undefined
  const put = (node: LiveNode) => {
    if (last) tree.after(last, [node])
    else if (side === 'before') tree.before(anchor.node, [node])
    else tree.after(anchor.node, [node])
    last = node
  }
  return insertAll(editor, args, {
    story,
    model,
    put,
    where: `${side} ${anchor.id}`,
    reads: [anchor.id, ...reads],
  })
}

interface Insertion {
  readonly story: Story
  readonly model: ParagraphModel
  readonly put: (node: LiveNode) => void
  readonly where: string
  readonly reads: readonly string[]
}

/** Each paragraph is a change of its own: one that is refused moves no other. */
function insertAll(
  editor: DocumentEditor,
  args: NewText,
  { story, model, put, where, reads }: Insertion,
): OperationResult {
  const ids: string[] = []
  for (const text of [args.text].flat().flatMap(each => each.split(/\r?\n/))) {
    const id = editor.newId()
    const node = makeParagraph(story.tree, model, text)
    const change = {
      kind: 'paragraph',
      place: placeOf(id),
      keys: [id],
      reads,
      before: null,
      after: () => editor.sideOf(spotOf(story, node)),
      description: where,
    }
    editor.change(change, () => {
      story.assign(node, id)
      put(node)
      if (editor.tracking) trackInserted(story.tree, node, editor.tracking)
      ids.push(id)
      return true
    })
  }
  return {
    op: editor.op,
    message: `Inserted ${counted(ids.length, 'paragraph')} ${where}.`,
    paragraphs: ids,
  }
}

function spotOf(story: Story, node: LiveNode) {
  return { node, story, cell: undefined, box: undefined, note: undefined, openFields: [] }
}

/** How the new text looks, and what that was taken from. */
function modelFor(editor: DocumentEditor, { style, like }: NewText, anchor: BlockAnchor) {
  const { manuscript } = editor
  if (style !== undefined)
    return { model: modelInStyle(manuscript, anchor.story, style), reads: [] }
  if (like === undefined) return { model: modelBeside(manuscript, anchor), reads: [] }
  const id = editor.resolve('like', () => paragraphAt(manuscript, like).id)
  return { model: modelOf(paragraphById(manuscript, id)), reads: readForLook(id) }
}
