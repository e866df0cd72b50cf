import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DocumentArgs } from '../../declared/operations.ts'
import { changeText } from '../../edit/change-text.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { deleteRun } from '../../edit/tracked-text.ts'
import { TOKEN } from '../../story/pieces.ts'
import type { Story } from '../../story/story.ts'
import { textMapOf } from '../../story/text-map.ts'

/** A note: its mark in the body and its text. */
interface NoteSpot {
  readonly name: string
  readonly reference: LiveNode
  /** The paragraph with the mark. */
  readonly holder: string
  readonly notes: Story
  readonly node: LiveNode
}

export function setNote(editor: DocumentEditor, { note, text: wanted }: DocumentArgs<'set_note'>) {
  const { name, notes, node } = noteOf(editor, note)
  const lines = [wanted].flat().flatMap(text => text.split(/\r?\n/))
  const ids = editor.resolve('paragraphs', () =>
    notes.paragraphs.filter(own => own.note === node).map(({ id }) => id),
  )
  if (ids.length !== lines.length)
    throw invalid(
      `${name} has ${ids.length} paragraphs (${ids.join(', ')}), so text must be a list of as many; insert_paragraph and delete_paragraph take these ids`,
    )
  for (const [index, id] of ids.entries()) {
    const paragraph = editor.paragraphToEdit(id)
    if (!paragraph) continue
    const { text } = textMapOf(notes.pieces(paragraph))
    const line = lines[index]!
    refuseUnwritable(line)
    if (text.includes(TOKEN))
      throw new Refusal('CONFLICT', `${id} holds more than text; use set_paragraph with its tokens`)
    const start = text.length - text.trimStart().length
    if (text.slice(start) !== line)
      changeText(editor, paragraph, [{ start, end: text.length, text: line }])
  }
  return { op: 'set_note', message: `Set the text of ${name}.`, paragraphs: ids }
}

/** Tracked: the mark is deleted, and the note goes with it when that is accepted in Word. */
export function deleteNote(editor: DocumentEditor, { note }: DocumentArgs<'delete_note'>) {
  const { name, reference, holder, notes, node } = noteOf(editor, note)
  const { tree } = editor.manuscript.body
  const inside = notes.paragraphs.filter(own => own.note === node)
  editor.change(
    {
      kind: 'structure',
      place: name,
      keys: [holder, notes.name, ...inside.map(({ id }) => id)],
      before: { text: inside.map(own => textMapOf(notes.pieces(own)).text.trim()).join('\n') },
      after: () => null,
    },
    () => {
      const run = reference.parent!
      const isAlone = run.children.every(own => own === reference || /^$|^w:rPr$/.test(own.name))
      if (editor.tracking) {
        if (!isAlone)
          throw invalid(`the mark of ${name} shares its run with text; use track: false`)
        deleteRun(tree, run, editor.tracking)
        // our own pending mark is simply gone
        if (!run.parent) notes.tree.remove(node)
      } else {
        tree.remove(isAlone ? run : reference)
        notes.tree.remove(node)
      }
      return true
    },
  )
  return { op: 'delete_note', message: `Deleted ${name}.` }
}

function noteOf(editor: DocumentEditor, note: string | number): NoteSpot {
  const { kind, first, name } = editor.resolve('note', () => findNote(editor, note))
  const { body } = editor.manuscript
  const notes = editor.manuscript.story(`${kind}s`)
  const node = notes?.paragraph(first)?.note
  const id = node && notes?.tree.attribute(node, 'w:id')
  for (const reference of body.index.noteNumbers.keys()) {
    if (reference.name !== `w:${kind}Reference` || body.tree.attribute(reference, 'w:id') !== id)
      continue
    const holder = reference.closest('w:p')
    const holderId = holder && body.idOf(holder)
    if (notes && node && holderId !== undefined)
      return { name, reference, holder: holderId, notes, node }
  }
  throw new Refusal('NO_SUCH_REGION', `${name} is not there any more`)
}

function findNote({ manuscript, op }: DocumentEditor, note: string | number) {
  const parts = /^\s*⟦?\s*(?:(footnote|endnote)\s*)?(\d+)\s*⟧?\s*$/i.exec(String(note))
  if (!parts) throw invalid(`${op} needs note, such as "footnote 2" as read_file shows it`)
  const kind = (parts[1] ?? 'footnote').toLowerCase()
  const { body } = manuscript
  let last = 0
  for (const [reference, number] of body.index.noteNumbers) {
    if (reference.name !== `w:${kind}Reference`) continue
    last = Math.max(last, number)
    if (number !== Number(parts[2])) continue
    const id = body.tree.attribute(reference, 'w:id')
    const first = manuscript
      .story(`${kind}s`)
      ?.paragraphs.find(own => own.note && own.story.tree.attribute(own.note, 'w:id') === id)
    // ids of notes change with their order, and another program writes its own
    if (first) return { kind, first: first.id, name: `${kind} ${number}` }
  }
  throw new Refusal(
    'NO_SUCH_REGION',
    last === 0 ? `the document has no ${kind}s` : `the ${kind}s go from 1 to ${last}`,
  )
}
