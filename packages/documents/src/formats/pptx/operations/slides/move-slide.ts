import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { slideOf } from '../../edit/fields.ts'
import { titleOf } from '../../slide/titles.ts'
import { moveEntry } from '../../write/slide-list.ts'
import { anchorFor } from './positions.ts'

/** Moves a slide behind the one that stands in front of the index it is to get. */
export function moveSlide(editor: DeckEditor, { index, to }: DeckArgs<'move_slide'>) {
  const { deck } = editor
  const slide = slideOf(editor, { index })
  const after = anchorFor(editor, to, () => undefined, slide)
  const key = `@${slide.key}`
  const title = titleOf(slide)
  const where = after ? `behind ${deck.slidePlace(after.key)}` : 'to the start'
  editor.change(
    {
      kind: 'slide',
      place: `${deck.slidePlace(slide.key)} moved`,
      keys: [`${key} position`],
      reads: [key, ...(after ? [`@${after.key}`] : [])],
      before: { text: title },
      after: () => ({ text: title }),
      description: `moved ${where}`,
      atomic: true,
    },
    () => {
      if (deck.slides[slide.index - 1]?.key === after?.key) return false
      moveEntry(slide, after)
      return true
    },
  )
  return {
    op: 'move_slide',
    message: `Slide ${slide.index} is now slide ${deck.slide(slide.key)?.index}.`,
  }
}

export function hideSlide(editor: DeckEditor, { index, hidden: isHidden }: DeckArgs<'hide_slide'>) {
  const { deck } = editor
  const slide = slideOf(editor, { index })
  const side = () => ({ text: deck.slide(slide.key)?.isHidden ? 'hidden' : 'shown' })
  editor.change(
    {
      kind: 'slide',
      place: `${deck.slidePlace(slide.key)} hidden`,
      keys: [`@${slide.key} hidden`],
      reads: [`@${slide.key}`],
      before: side(),
      after: side,
    },
    () => {
      if (slide.isHidden === isHidden) return false
      const { tree } = slide.page
      tree.setAttribute(tree.root, 'show', isHidden ? '0' : undefined)
      return true
    },
  )
  return {
    op: 'hide_slide',
    message: `Slide ${slide.index} is ${isHidden ? 'hidden' : 'shown'}.`,
  }
}
