import { counted } from '@filewright/protocol'
import { removeWithOwn } from '../../../../opc/index.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { slideAt } from '../../edit/fields.ts'
import type { Slide } from '../../slide/deck.ts'
import { titleOf } from '../../slide/titles.ts'
import { removeClicks } from '../../write/clicks.ts'
import { leaveList } from '../../write/slide-list.ts'

/** Deletes a slide, the parts that only it needs, and the links to it. */
export function deleteSlide(editor: DeckEditor, { index: wanted }: DeckArgs<'delete_slide'>) {
  const { deck } = editor
  const { whole } = editor.resolve('slide', () => ({
    whole: `@${slideAt(deck, wanted).key}`,
  }))
  const slide = editor.slide(whole)
  const { index } = slide
  const title = titleOf(slide)
  editor.change(
    {
      kind: 'slide',
      place: deck.slidePlace(slide.key),
      keys: [whole],
      before: { text: title },
      after: () => null,
      description: 'deleted',
      atomic: true,
    },
    () => {
      const { part } = slide.page
      leaveList(slide)
      const links = unlink(slide, part)
      if (links > 0)
        editor.warn(
          `${counted(links, 'link')} to the deleted slide ${links === 1 ? 'was' : 'were'} removed.`,
        )
      removeWithOwn(deck.package, part)
      return true
    },
  )
  return {
    op: 'delete_slide',
    message: `Deleted slide ${index}${title === '' ? '' : ` (${title})`}.`,
  }
}

/** A click that opened the slide opens nothing any more. */
function unlink({ deck }: Slide, part: string): number {
  let count = 0
  for (const { page } of deck.slides)
    for (const { id, target } of deck.package.links(page.part))
      if (target === part) count += removeClicks(deck.package, page.part, id)
  return count
}
