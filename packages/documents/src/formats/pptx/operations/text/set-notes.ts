import { Refusal } from '../../../../refusal.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { notesBody, slideOf } from '../../edit/fields.ts'
import { linesOf, setLines } from '../../edit/lines.ts'
import { addNotes } from '../../write/notes.ts'

/** Sets the notes of a slide; a page of notes, and the master it needs, are made where they are missing. */
export function setNotes(editor: DeckEditor, { index, text }: DeckArgs<'set_notes'>) {
  const lines = linesOf(text, 'text')
  const slide = slideOf(editor, { index })
  const key = `@${slide.key}`
  const known = notesBody(slide)
  editor.resolve('notes', () => known?.ref ?? `${key}/notes`)
  if (known) editor.editBody(known, (tree, node) => setLines(tree, node, lines))
  else {
    if (editor.deck.notesOf(slide))
      throw new Refusal(
        'CONFLICT',
        `the notes of slide ${slide.index} have no place for text; add one in PowerPoint`,
      )
    editor.change(
      {
        kind: 'text',
        place: `${editor.deck.slidePlace(slide.key)} › notes`,
        keys: [`${key}/notes`],
        reads: [key],
        before: null,
        after: () => ({ text: lines.map(line => line.text).join('\n') }),
      },
      () => {
        addNotes(slide)
        const made = notesBody(slide)
        if (!made) throw new Error('A new page of notes has no text')
        setLines(made.tree, made.node, lines)
        return true
      },
    )
  }
  return { op: 'set_notes', message: `Set the notes of slide ${slide.index}.` }
}
