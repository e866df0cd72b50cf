import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { bodyOf, shapeOf, slideOf } from '../../edit/fields.ts'
import { appendLines, linesOf, setLines } from '../../edit/lines.ts'
import {
  bodyTarget,
  editTarget,
  findBody,
  findTitle,
  namedTarget,
  titleTarget,
} from '../../edit/placeholders.ts'
import { settleFit } from '../../edit/settle-fit.ts'
import type { Slide } from '../../slide/deck.ts'

/** Sets title and body of a slide in its own placeholders, or in those of its layout. */
export function setSlideText(
  editor: DeckEditor,
  { index, title, body }: DeckArgs<'set_slide_text'>,
) {
  const slide = slideOf(editor, { index })
  const set: string[] = []
  for (const [name, value] of [
    ['title', title],
    ['body', body],
  ] as const) {
    if (value === undefined) continue
    const lines = linesOf(value, name)
    const target = slideTarget(editor, slide, name)
    if (target && editTarget(editor, slide, target, (tree, node) => setLines(tree, node, lines)))
      set.push(name)
  }
  return {
    op: 'set_slide_text',
    message: `Set ${set.join(' and ') || 'nothing new'} of slide ${slide.index}.`,
  }
}

/** Undefined where a replay leaves out what brought the placeholder. */
function slideTarget(editor: DeckEditor, slide: Slide, name: 'title' | 'body') {
  if (editor.isPartial) return name === 'title' ? findTitle(editor, slide) : findBody(editor, slide)
  return name === 'title' ? titleTarget(editor, slide) : bodyTarget(editor, slide)
}

/** Sets a placeholder by its type, name or index; the layout lends one that the slide lacks. */
export function setPlaceholder(
  editor: DeckEditor,
  { index, placeholder, text }: DeckArgs<'set_placeholder'>,
) {
  const lines = linesOf(text, 'text')
  const slide = slideOf(editor, { index })
  const target = namedTarget(editor, slide, String(placeholder))
  editTarget(editor, slide, target, (tree, node) => setLines(tree, node, lines))
  return {
    op: 'set_placeholder',
    message: `Set ${target.shape.name} of slide ${slide.index}.`,
    shape: target.newId ?? target.shape.key,
  }
}

export function setShapeText(
  editor: DeckEditor,
  { index, shape: wanted, text }: DeckArgs<'set_shape_text'>,
) {
  const lines = linesOf(text, 'text')
  const slide = slideOf(editor, { index })
  const shape = shapeOf(editor, slide, wanted)
  if (shape.node.name === 'p:sp') {
    const target = { ref: `@${slide.key}/${shape.key}`, shape }
    editTarget(editor, slide, target, (tree, node) => setLines(tree, node, lines))
  } else bodyOf(slide, shape)
  return { op: 'set_shape_text', message: `Set the text of ${shape.name} on slide ${slide.index}.` }
}

export function appendText(
  editor: DeckEditor,
  { index, shape: wanted, text }: DeckArgs<'append_text'>,
) {
  const lines = linesOf(text, 'text')
  const slide = slideOf(editor, { index })
  const shape = shapeOf(editor, slide, wanted)
  editor.editBody(bodyOf(slide, shape), (tree, node) => {
    const isDone = appendLines(tree, node, lines)
    settleFit(editor, slide, shape.key)
    return isDone
  })
  return { op: 'append_text', message: `Added to ${shape.name} on slide ${slide.index}.` }
}
