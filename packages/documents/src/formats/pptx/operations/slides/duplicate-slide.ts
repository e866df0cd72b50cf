import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { slideAt } from '../../edit/fields.ts'
import { titleOf } from '../../slide/titles.ts'
import { copyWithOwn } from '../../write/copy-part.ts'
import { enterSlide } from '../../write/slide-list.ts'
import { renewCreationId } from './creation-id.ts'
import { anchorFor } from './positions.ts'

/** Copies a slide with what it owns; layout and media are shared, comments are not copied. */
export function duplicateSlide(editor: DeckEditor, { index, to }: DeckArgs<'duplicate_slide'>) {
  const { deck } = editor
  const id = editor.newId()
  const { whole } = editor.resolve('source', () => ({
    whole: `@${slideAt(deck, index).key}`,
  }))
  const source = editor.slide(whole)
  const after = anchorFor(editor, to, () => source)
  const title = titleOf(source)
  editor.change(
    {
      kind: 'slide',
      place: `new slide ${id}`,
      keys: [`@${id}`],
      reads: [whole, ...(after ? [`@${after.key}`] : []), ...editor.textKeys(source)],
      before: null,
      after: () => ({ text: title }),
      description: `copy of ${deck.slidePlace(source.key)}`,
      atomic: true,
    },
    () => {
      const part = copyWithOwn(deck.package, source.page.part)
      enterSlide(deck, part, id, after)
      renewCreationId(editor.slide(`@${id}`))
      return true
    },
  )
  const made = deck.slide(id)
  return {
    op: 'duplicate_slide',
    message: made
      ? `Copied slide ${source.index} to slide ${made.index}.`
      : 'The copy was left out.',
    ...(made && { index: made.index }),
    id,
  }
}
