import { counted } from '@filewright/protocol'
import type { DeckArgs } from '../../declared/operations.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { shapeOf, slideOf } from '../../edit/fields.ts'
import { appendLines, linesOf } from '../../edit/lines.ts'
import { bodyTarget, editTarget } from '../../edit/placeholders.ts'
import type { Slide } from '../../slide/deck.ts'

/** Adds bullets to the body of a slide, each like the last one of its level. */
export function appendBullets(
  editor: DeckEditor,
  { index, bullets, shape }: DeckArgs<'append_bullets'>,
) {
  const lines = linesOf(bullets, 'bullets')
  const slide = slideOf(editor, { index })
  const target = shape === undefined ? bodyTarget(editor, slide) : namedShape(editor, slide, shape)
  editTarget(editor, slide, target, (tree, node) => appendLines(tree, node, lines))
  return {
    op: 'append_bullets',
    message: `Added ${counted(lines.length, 'bullet')} to ${target.shape.name} on slide ${slide.index}.`,
    shape: target.ref.slice(target.ref.lastIndexOf('/') + 1),
  }
}

function namedShape(editor: DeckEditor, slide: Slide, wanted: string | number) {
  const shape = shapeOf(editor, slide, wanted)
  if (shape.node.name !== 'p:sp')
    throw wrongArgument(`${shape.key} (${shape.name}) is a ${shape.kind}, which takes no bullets`)
  return { ref: `@${slide.key}/${shape.key}`, shape }
}
