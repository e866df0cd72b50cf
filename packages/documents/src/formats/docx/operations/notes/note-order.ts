import type { LiveNode } from '../../../../opc/index.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import type { Story } from '../../story/story.ts'

const MARKS: Readonly<Record<string, string>> = {
  'w:footnoteReference': 'footnotes',
  'w:endnoteReference': 'endnotes',
}

/**
 * Stands a note in its part where its mark stands among the marks, as Word writes them: LibreOffice 7 pairs notes with
 * marks by their order. The other notes stay as they are.
 */
export function orderNote({ tree, root }: Story, body: Story, mark: LiveNode): void {
  const noteOf = (own: LiveNode) => {
    const id = body.tree.attribute(own, 'w:id')
    return root.children.find(note => !note.isText && tree.attribute(note, 'w:id') === id)
  }
  const note = noteOf(mark)
  if (!note) return
  const before = precedingNote(mark, noteOf) ?? lastSeparator({ tree, root })
  const elements = root.children.filter(({ isText }) => !isText)
  if (before === note || elements[elements.indexOf(note) - 1] === before) return
  tree.remove(note)
  if (before) tree.after(before, [note])
  else tree.insert(root, 0, [note])
}

/** The same for all the marks in a node that was put into the body. */
export function orderNotesIn(manuscript: Manuscript, node: LiveNode): void {
  for (const [name, story] of Object.entries(MARKS)) {
    const notes = manuscript.story(story)
    if (notes) for (const mark of node.all(name)) orderNote(notes, manuscript.body, mark)
  }
}

/** The note of the nearest mark in front that has one. */
function precedingNote(
  mark: LiveNode,
  noteOf: (mark: LiveNode) => LiveNode | undefined,
): LiveNode | undefined {
  for (let at = mark; at.parent; at = at.parent) {
    const { children } = at.parent
    for (let index = at.index - 1; index >= 0; index--) {
      const node = children[index]!
      const marks = node.name === mark.name ? [node] : [...node.all(mark.name)]
      for (const own of marks.reverse()) {
        const note = noteOf(own)
        if (note) return note
      }
    }
  }
  return undefined
}

/** The lines that part notes from text come first. */
function lastSeparator({ tree, root }: Pick<Story, 'tree' | 'root'>): LiveNode | undefined {
  return root.children.findLast(own => {
    const type = own.isText ? undefined : tree.attribute(own, 'w:type')
    return type !== undefined && type !== 'normal'
  })
}
