import type { LiveNode } from '../../../../opc/index.ts'
import type { Manuscript } from '../../story/manuscript.ts'
import type { Story } from '../../story/story.ts'

const MARKS: Readonly<Record<string, string>> = {
  'w:footnoteReference': 'footnotes',
  'w:endnoteReference': 'endnotes',
}

/**
 * Stands the note of a new or moved mark in its part where the mark stands among the marks, and lets the ids rise in
 * that order too. Word writes notes so, and LibreOffice takes the note with the lowest id for the first mark, whatever
 * id the mark names. The other notes stay as they are; those behind may get other ids.
 */
export function orderNote(notes: Story, body: Story, mark: LiveNode): void {
  standInOrder(notes, body, mark)
  numberInOrder(notes, body, mark.name)
}

/** The same for all the marks in a node that was put into the body. */
export function orderNotesIn(manuscript: Manuscript, node: LiveNode): void {
  for (const [name, story] of Object.entries(MARKS)) {
    const notes = manuscript.story(story)
    const marks = notes ? [...node.all(name)] : []
    for (const mark of marks) standInOrder(notes!, manuscript.body, mark)
    if (marks.length > 0) numberInOrder(notes!, manuscript.body, name)
  }
}

function standInOrder({ tree, root }: Story, body: Story, mark: LiveNode): void {
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

/** Marks of one note, and the note. */
interface Marked {
  readonly id: number
  readonly marks: LiveNode[]
  readonly note: LiveNode
}

function numberInOrder(notes: Story, body: Story, markName: string): void {
  const { marked, taken } = markedNotes(notes, body, markName)
  let last = Math.max(-1, ...taken.separators)
  for (const [at, { id, marks, note }] of marked.entries()) {
    const isTooHigh = marked[at + 1] !== undefined && marked[at + 1]!.id < id
    let free = id
    if (id <= last || isTooHigh) {
      free = last + 1
      while (taken.others.has(free)) free++
    }
    last = free
    if (free === id) continue
    notes.tree.setAttribute(note, 'w:id', String(free))
    for (const mark of marks) body.tree.setAttribute(mark, 'w:id', String(free))
  }
}

/** The notes in the order of their first marks, and the ids of those without one. */
function markedNotes({ tree, root }: Story, body: Story, markName: string) {
  const unmarked = new Map(
    root.children
      .filter(({ isText }) => !isText)
      .map(note => [tree.attribute(note, 'w:id') ?? '', note] as const),
  )
  const byId = new Map<string, Marked>()
  for (const mark of body.root.all(markName)) {
    const id = body.tree.attribute(mark, 'w:id') ?? ''
    const note = unmarked.get(id)
    if (note) byId.set(id, { id: Number(id), marks: [], note })
    unmarked.delete(id)
    byId.get(id)?.marks.push(mark)
  }
  const others = [...unmarked].map(([id, note]) => ({ id: Number(id), note }))
  const separators = others.filter(({ note }) => isSeparator(tree, note)).map(({ id }) => id)
  return {
    marked: [...byId.values()],
    taken: { separators, others: new Set(others.map(({ id }) => id)) },
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
  return root.children.findLast(own => !own.isText && isSeparator(tree, own))
}

function isSeparator(tree: Story['tree'], note: LiveNode): boolean {
  const type = tree.attribute(note, 'w:type')
  return type !== undefined && type !== 'normal'
}
