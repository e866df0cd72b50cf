import { encodeAttribute, type LiveNode, uriOfPrefix } from '../../../../opc/index.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { endsOf } from '../../edit/format-text.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { textXml } from '../../edit/text-edit.ts'
import { targetOf } from '../../edit/text-targets.ts'
import { paragraphById, placeOf } from '../../story/places.ts'
import { highestOf } from '../../story/revision-ids.ts'
import type { Story } from '../../story/story.ts'

const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml'

/** Comments the matched text, or the text of a paragraph. The text itself stays as it is. */
export function addComment(editor: DocumentEditor, args: DocumentArgs<'add_comment'>) {
  const { text, author = editor.circumstances.author || 'Filewright' } = args
  refuseUnwritable(text)
  const target = targetOf(editor, args)
  const paragraph = paragraphById(editor.manuscript, target.id)
  const { story } = paragraph
  if (story.name === 'comments' || /^(header|footer)/.test(story.name))
    throw invalid(`${target.id} is in the ${story.name}, where Word shows no comments`)
  const place = `comment on ${placeOf(paragraph.id)}`
  const keys = [paragraph.id] // and the comment
  let id = ''
  editor.change(
    {
      kind: 'structure',
      place,
      keys,
      before: null,
      after: () => ({ text: `${author}: ${text}` }),
      description: `on ${JSON.stringify(target.text.slice(0, 60))}`,
    },
    () => {
      const comments = commentsOf(editor)
      id = String(nextCommentId(comments))
      keys.push(`comment ${id}`)
      const ends = endsOf(story, paragraph, target)
      if (!ends) throw invalid(`${target.id} has no text to comment`)
      story.tree.before(ends.first, story.tree.fragment(`<w:commentRangeStart w:id="${id}"/>`))
      story.tree.after(
        ends.last,
        story.tree.fragment(
          `<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`,
        ),
      )
      writeComment(editor, comments, { id, author, text })
      return true
    },
  )
  return { op: 'add_comment', message: `Commented ${target.id}.`, comment: id }
}

function commentsOf({ manuscript }: DocumentEditor): Story {
  const known = manuscript.story('comments')
  if (known) return known
  const own = manuscript.package
  const uri = uriOfPrefix('w', own.main.isStrict)
  own.addPart(
    'word/comments.xml',
    TYPE,
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:comments xmlns:w="${uri}"/>`,
  )
  own.addLink(own.mainName, 'comments', 'word/comments.xml')
  return manuscript.story('comments')!
}

export function nextCommentId({ tree, root }: Story): number {
  return highestOf(tree, root) + 1
}

export function writeComment(
  editor: DocumentEditor,
  comments: Story,
  { id, author, text }: { readonly id: string; readonly author: string; readonly text: string },
): LiveNode {
  const { tree, root } = comments
  const initials = author
    .split(/\s+/)
    .map(word => [...word][0] ?? '')
    .join('')
    .slice(0, 4)
  const lines = text.split(/\r?\n/).map(line => `<w:p><w:r>${textXml(line)}</w:r></w:p>`)
  const date = editor.circumstances.time.replace(/\.\d+Z$/, 'Z')
  const [node] = tree.fragment(
    `<w:comment w:id="${id}" w:author="${encodeAttribute(author)}" w:date="${encodeAttribute(date)}" w:initials="${encodeAttribute(initials)}">${lines.join('')}</w:comment>`,
  )
  editor.adopt(comments, node!)
  tree.append(root, [node!])
  return node!
}
