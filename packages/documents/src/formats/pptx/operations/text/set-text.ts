import type { Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { bodyOf, shapeField, slideField, textField } from '../../edit/fields.ts'
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
export function setSlideText(editor: DeckEditor, operation: Fields): OperationResult {
  const { title, body } = operation
  if (title === undefined && body === undefined)
    throw wrongArgument('set_slide_text needs title or body')
  const slide = slideField(editor, operation)
  const set: string[] = []
  for (const [name, value] of [
    ['title', title],
    ['body', body],
  ] as const) {
    if (value === undefined || value === null) continue
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
export function setPlaceholder(editor: DeckEditor, operation: Fields): OperationResult {
  const wanted = operation.placeholder ?? operation.shape
  if (typeof wanted !== 'string' && typeof wanted !== 'number')
    throw wrongArgument('set_placeholder needs placeholder, such as "title", "body" or its name')
  const lines = linesOf(textField(operation, 'text', 'the new text'), 'text')
  const slide = slideField(editor, operation)
  const target = namedTarget(editor, slide, String(wanted))
  editTarget(editor, slide, target, (tree, node) => setLines(tree, node, lines))
  return {
    op: 'set_placeholder',
    message: `Set ${target.shape.name} of slide ${slide.index}.`,
    shape: target.newId ?? target.shape.key,
  }
}

export function setShapeText(editor: DeckEditor, operation: Fields): OperationResult {
  const lines = linesOf(textField(operation, 'text', 'the new text'), 'text')
  const slide = slideField(editor, operation)
  const shape = shapeField(editor, operation, slide)
  if (shape.node.name === 'p:sp') {
    const target = { ref: `@${slide.key}/${shape.key}`, shape }
    editTarget(editor, slide, target, (tree, node) => setLines(tree, node, lines))
  } else bodyOf(slide, shape)
  return { op: 'set_shape_text', message: `Set the text of ${shape.name} on slide ${slide.index}.` }
}

export function appendText(editor: DeckEditor, operation: Fields): OperationResult {
  const lines = linesOf(textField(operation, 'text', 'one more line'), 'text')
  const slide = slideField(editor, operation)
  const shape = shapeField(editor, operation, slide)
  editor.editBody(bodyOf(slide, shape), (tree, node) => {
    const isDone = appendLines(tree, node, lines)
    settleFit(editor, slide, shape.key)
    return isDone
  })
  return { op: 'append_text', message: `Added to ${shape.name} on slide ${slide.index}.` }
}
