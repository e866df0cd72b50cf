import type { DocumentArgs } from '../../declared/operations.ts'
import type { DocumentEditor } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { nextCommentId, writeComment } from '../marks/add-comment.ts'
import {
  addLastingId,
  commentOf,
  ensureThreadEntry,
  threadEntry,
  threadId,
  threadsOf,
} from './comment-thread.ts'

/** A reply stands where the comment stands, and belongs to its thread. */
export function replyComment(editor: DocumentEditor, args: DocumentArgs<'reply_comment'>) {
  const { text, author = editor.circumstances.author || 'Filewright' } = args
  refuseUnwritable(text)
  const { id, node, comments } = commentOf(editor, args.comment)
  const keys = [`comment ${id}`] // and the reply
  let reply = ''
  editor.change(
    {
      kind: 'structure',
      place: `reply to comment ${id}`,
      keys,
      before: null,
      after: () => ({ text: `${author}: ${text}` }),
    },
    () => {
      reply = String(nextCommentId(comments))
      keys.push(`comment ${reply}`)
      anchorLike(editor, comments.tree.attribute(node, 'w:id'), reply)
      const made = writeComment(editor, comments, { id: reply, author, text })
      const parent = threadId(editor, comments, node)
      const own = threadId(editor, comments, made)
      const threads = threadsOf(editor)
      const entry = ensureThreadEntry(threads, parent)
      ensureThreadEntry(threads, own, threads.attribute(entry, 'w15:paraIdParent') ?? parent)
      addLastingId(editor, own)
      return true
    },
  )
  return { op: 'reply_comment', message: `Answered comment ${id}.`, comment: reply }
}

/** Word resolves a thread by its first comment. */
export function resolveComment(
  editor: DocumentEditor,
  { comment, resolved: isDone }: DocumentArgs<'resolve_comment'>,
) {
  const { id, node, comments } = commentOf(editor, comment)
  editor.change(
    {
      kind: 'structure',
      place: `state of comment ${id}`,
      keys: [`comment ${id}`],
      before: { text: isDone ? 'open' : 'resolved' },
      after: () => ({ text: isDone ? 'resolved' : 'open' }),
    },
    () => {
      const threads = threadsOf(editor)
      const entry = ensureThreadEntry(threads, threadId(editor, comments, node))
      const parent = threads.attribute(entry, 'w15:paraIdParent')
      const first = (parent !== undefined && threadEntry(threads, parent)) || entry
      threads.setAttribute(first, 'w15:done', isDone ? '1' : '0')
      return true
    },
  )
  return {
    op: 'resolve_comment',
    message: isDone ? `Resolved comment ${id}.` : `Opened comment ${id} again.`,
  }
}

/** The marks of the reply, next to those of the comment. */
function anchorLike({ manuscript }: DocumentEditor, id: string | undefined, reply: string): void {
  for (const { tree, root, name } of manuscript.stories) {
    if (name === 'comments') continue
    for (const mark of ['w:commentRangeStart', 'w:commentRangeEnd', 'w:commentReference'])
      for (const node of [...root.all(mark)]) {
        if (tree.attribute(node, 'w:id') !== id) continue
        const isReference = mark === 'w:commentReference'
        const [made] = tree.fragment(
          isReference ? `<w:r><${mark} w:id="${reply}"/></w:r>` : `<${mark} w:id="${reply}"/>`,
        )
        tree.after(isReference ? (node.closest('w:r') ?? node) : node, [made!])
      }
  }
}
