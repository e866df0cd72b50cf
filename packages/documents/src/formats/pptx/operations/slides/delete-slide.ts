import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { slideAt } from '../../edit/fields.ts'
import type { Slide } from '../../slide/deck.ts'
import { titleOf } from '../../slide/titles.ts'
import { leaveList } from '../../write/slide-list.ts'
import { removeWithOwn } from '../../write/sweep.ts'

/** Deletes a slide, the parts that only it needs, and the links to it. */
export function deleteSlide(editor: DeckEditor, operation: Fields): OperationResult {
  const { deck } = editor
  const { whole } = editor.resolve('slide', () => ({
    whole: `@${slideAt(deck, operation).key}`,
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
    for (const { id, target } of deck.package.links(page.part)) {
      if (target !== part) continue
      const { tree } = page
      for (const name of ['a:hlinkClick', 'a:hlinkHover', 'a:hlinkMouseOver'])
        for (const node of [...tree.root.all(name)])
          if (tree.attribute(node, 'r:id') === id) {
            tree.remove(node)
            count++
          }
      deck.package.removeLink(page.part, id)
    }
  return count
}
