import { counted } from '@filewright/protocol'
import type { LiveNode } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { makeParagraph, modelOf, refuseUnwritable } from '../../edit/new-paragraph.ts'
import { editText } from '../../edit/text-edit.ts'
import type { Paragraph, Story } from '../../story/story.ts'
import { textMapOf } from '../../story/text-map.ts'
import { commentOf, forgetThread, knownThreadId } from './comment-thread.ts'

/** The last paragraph stays the last: the thread names it. */
export function setComment(editor: DocumentEditor, { comment, text }: DocumentArgs<'set_comment'>) {
  refuseUnwritable(text)
  const { id, node, comments } = commentOf(editor, comment)
  const show = () => ({ text: textIn(comments, node) })
  editor.change(
    {
      kind: 'structure',
      place: `comment ${id}`,
      keys: [`comment ${id}`, ...inside(comments, node).map(own => own.id)],
      before: show(),
      after: show,
    },
    () => {
      const lines = text.split(/\r?\n/)
      const own = inside(comments, node)
      const last = own.at(-1)
      if (!last) throw invalid(`comment ${id} has no paragraph`)
      const before = own.slice(0, -1)
      for (const [index, line] of lines.slice(0, -1).entries()) {
        const holder = before[index]
        if (holder) setLine(comments, holder, line)
        else addLine(editor, comments, last, line)
      }
      for (const { node: left } of before.slice(lines.length - 1)) comments.tree.remove(left)
      setLine(comments, last, lines.at(-1)!)
      return true
    },
  )
  return { op: 'set_comment', message: `Set the text of comment ${id}.` }
}

function setLine(comments: Story, paragraph: Paragraph, line: string): void {
  const { text } = textMapOf(comments.pieces(paragraph))
  if (text !== line) editText(comments, paragraph, [{ start: 0, end: text.length, text: line }])
}

function addLine(editor: DocumentEditor, comments: Story, last: Paragraph, line: string): void {
  const node = makeParagraph(comments.tree, modelOf(last), line)
  editor.adopt(comments, node)
  comments.tree.before(last.node, [node])
}

/** With the replies to it, and every mark of them in the text. */
export function deleteComment(editor: DocumentEditor, { comment }: DocumentArgs<'delete_comment'>) {
  const { id, node, comments } = commentOf(editor, comment)
  const { tree } = comments
  const gone = [node, ...repliesTo(editor, comments, node)]
  const ids = gone.map(own => tree.attribute(own, 'w:id') ?? '')
  editor.change(
    {
      kind: 'structure',
      place: `comment ${id}`,
      keys: [...ids.map(own => `comment ${own}`)],
      before: { text: gone.map(own => textIn(comments, own)).join('\n') },
      after: () => null,
    },
    () => {
      for (const own of gone) {
        const thread = knownThreadId(comments, own)
        if (thread !== undefined) forgetThread(editor, thread)
        tree.remove(own)
      }
      removeMarks(editor, new Set(ids))
      return true
    },
  )
  const more = ids.length - 1
  return {
    op: 'delete_comment',
    message: `Deleted comment ${id}${more > 0 ? ` and ${counted(more, 'reply', 'replies')}` : ''}.`,
  }
}

function repliesTo({ manuscript }: DocumentEditor, comments: Story, node: LiveNode): LiveNode[] {
  const thread = knownThreadId(comments, node)
  const threads = manuscript.package.linkedTree('commentsExtended')
  if (thread === undefined || !threads) return []
  const replies = new Set<string | undefined>()
  for (const entry of threads.root.children)
    if (threads.attribute(entry, 'w15:paraIdParent') === thread)
      replies.add(threads.attribute(entry, 'w15:paraId'))
  return comments.root.children.filter(
    own =>
      own.name === 'w:comment' && own !== node && replies.has(knownThreadId(comments, own) ?? ''),
  )
}

function removeMarks({ manuscript }: DocumentEditor, ids: ReadonlySet<string>): void {
  for (const { tree, root, name } of manuscript.stories) {
    if (name === 'comments') continue
    for (const mark of ['w:commentRangeStart', 'w:commentRangeEnd', 'w:commentReference'])
      for (const node of [...root.all(mark)]) {
        if (!ids.has(tree.attribute(node, 'w:id') ?? '')) continue
        const run = node.parent
        const isAlone =
          run?.name === 'w:r' &&
          run.children.every(own => own === node || own.name === 'w:rPr' || own.name === '')
        tree.remove(isAlone ? run : node)
      }
  }
}

function inside(comments: Story, node: LiveNode): readonly Paragraph[] {
  return comments.paragraphs.filter(own => own.note === node)
}

function textIn(comments: Story, node: LiveNode): string {
  return inside(comments, node)
    .map(own => textMapOf(comments.pieces(own)).text)
    .join('\n')
}
