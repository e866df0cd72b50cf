import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { type CharacterRange, endsOf } from '../../edit/format-text.ts'
import { targetOf } from '../../edit/text-targets.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import { paragraphById } from '../../story/places.ts'
import type { Paragraph, Story } from '../../story/story.ts'

/** A bookmark: where it starts, and in which story. */
interface Bookmark {
  readonly story: Story
  readonly start: LiveNode
}

export function setBookmark(editor: DocumentEditor, args: DocumentArgs<'set_bookmark'>) {
  const { name } = args
  const target = targetOf(editor, args)
  editor.untracked('a bookmark')
  editor.change(
    {
      kind: 'structure',
      place: `bookmark ${name}`,
      keys: [target.id, `bookmark ${name}`],
      before: null,
      after: () => ({ text: target.text }),
    },
    () => {
      const old = bookmarkOf(editor.manuscript, name)
      if (old) removeBookmark(old)
      putBookmark(editor, paragraphById(editor.manuscript, target.id), target, name)
      return true
    },
  )
  return {
    op: 'set_bookmark',
    message: `${name} is on ${JSON.stringify(target.text.slice(0, 60))}.`,
  }
}

export function deleteBookmark(editor: DocumentEditor, { name }: DocumentArgs<'delete_bookmark'>) {
  const found = bookmarkOf(editor.manuscript, name)
  if (!found)
    throw new Refusal(
      'NO_SUCH_REGION',
      `there is no bookmark ${JSON.stringify(name)}; ${knownBookmarks(editor.manuscript)}`,
    )
  editor.untracked('a bookmark')
  const holder = found.start.closest('w:p')
  const id = holder && found.story.idOf(holder)
  editor.change(
    {
      kind: 'structure',
      place: `bookmark ${name}`,
      keys: [`bookmark ${name}`, ...(id === undefined ? [] : [id])],
      before: { text: name },
      after: () => null,
    },
    () => {
      removeBookmark(found)
      return true
    },
  )
  return { op: 'delete_bookmark', message: `Deleted the bookmark ${name}.` }
}

function bookmarkOf(manuscript: Manuscript, name: string): Bookmark | undefined {
  for (const story of manuscript.stories)
    for (const start of story.root.all('w:bookmarkStart'))
      if (story.tree.attribute(start, 'w:name')?.toLowerCase() === name.toLowerCase())
        return { story, start }
  return undefined
}

export function knownBookmarks(manuscript: Manuscript): string {
  const names = manuscript.stories
    .flatMap(({ tree, root }) =>
      [...root.all('w:bookmarkStart')].map(node => tree.attribute(node, 'w:name') ?? ''),
    )
    .filter(own => !own.startsWith('_'))
  return names.length > 0 ? `the bookmarks are ${names.slice(0, 40).join(', ')}` : 'there are none'
}

/** Around exactly these characters; the text stays as it is. */
function putBookmark(
  { manuscript }: DocumentEditor,
  paragraph: Paragraph,
  range: CharacterRange,
  name: string,
): void {
  const { story } = paragraph
  const ends = endsOf(story, paragraph, range)
  if (!ends) throw invalid(`${paragraph.id} has no text for a bookmark`)
  const id = manuscript.freeRevisionId()
  const [start] = story.tree.fragment(`<w:bookmarkStart w:id="${id}"/>`)
  story.tree.setAttribute(start!, 'w:name', name)
  story.tree.before(ends.first, [start!])
  story.tree.after(ends.last, story.tree.fragment(`<w:bookmarkEnd w:id="${id}"/>`))
}

function removeBookmark({ story, start }: Bookmark): void {
  const id = story.tree.attribute(start, 'w:id')
  for (const end of [...story.root.all('w:bookmarkEnd')])
    if (story.tree.attribute(end, 'w:id') === id) story.tree.remove(end)
  story.tree.remove(start)
}
