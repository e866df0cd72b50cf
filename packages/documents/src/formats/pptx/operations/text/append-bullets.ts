import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { shapeField, slideField } from '../../edit/fields.ts'
import { appendLines, linesOf } from '../../edit/lines.ts'
import { bodyTarget, editTarget } from '../../edit/placeholders.ts'

/** Adds bullets to the body of a slide, each like the last one of its level. */
export function appendBullets(editor: DeckEditor, operation: Fields): OperationResult {
  const { bullets } = operation
  if (bullets === undefined || (Array.isArray(bullets) && bullets.length === 0))
    throw wrongArgument('append_bullets needs bullets: a list of texts or {text, level}')
  const lines = linesOf(bullets, 'bullets')
  const slide = slideField(editor, operation)
  const target =
    operation.shape === undefined
      ? bodyTarget(editor, slide)
      : namedShape(editor, operation, slide.key)
  editTarget(editor, slide, target, (tree, node) => appendLines(tree, node, lines))
  return {
    op: 'append_bullets',
    message: `Added ${counted(lines.length, 'bullet')} to ${target.shape.name} on slide ${slide.index}.`,
    shape: target.ref.slice(target.ref.lastIndexOf('/') + 1),
  }
}

function namedShape(editor: DeckEditor, operation: Fields, key: string) {
  const shape = shapeField(editor, operation, editor.slide(`@${key}`))
  if (shape.node.name !== 'p:sp')
    throw wrongArgument(`${shape.key} (${shape.name}) is a ${shape.kind}, which takes no bullets`)
  return { ref: `@${key}/${shape.key}`, shape }
}
