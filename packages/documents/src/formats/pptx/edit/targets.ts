import type { Fields } from '@filewright/protocol'
import { Refusal } from '../../../refusal.ts'
import type { TextBody } from '../slide/bodies.ts'
import { paragraphsOf, textMapOf } from '../slide/text.ts'
import { type DeckEditor, wrongArgument } from './editor.ts'
import { bodyOf, findShape, namesSlide, slideAt } from './fields.ts'
import { matchesFor, type SlideMatch } from './matches.ts'

/** The text that an operation names: the matches of its search, or all text of a shape. */
export function targetsOf(editor: DeckEditor, operation: Fields): readonly SlideMatch[] {
  const { search, find, regex } = operation
  if (search === undefined && find === undefined && regex === undefined)
    return wholeShape(editor, operation)
  const { matches, blocked } = matchesFor(editor, 'targets', operation, isShown(operation))
  if (matches.length > 0 || editor.isReplay) return matches
  const wanted = JSON.stringify(search ?? find ?? regex)
  if (blocked.length > 0)
    throw new Refusal('CONFLICT', `${wanted} cannot be used: ${blocked.slice(0, 5).join('. ')}`)
  throw new Refusal('NO_SUCH_REGION', `${wanted} was not found; the match is exact, with case`)
}

/** Looks and links are for what the audience sees; notes are meant only where they are named. */
function isShown({ shape }: Fields): (body: TextBody) => boolean {
  const isNotes = String(shape).toLowerCase() === 'notes'
  return body => isNotes || !body.isNotes
}

function wholeShape(editor: DeckEditor, operation: Fields): readonly SlideMatch[] {
  if (!namesSlide(operation) || operation.shape === undefined)
    throw wrongArgument(`${operation.op} needs search, or index and shape for all text of a shape`)
  return editor.resolve('targets', () => {
    const slide = slideAt(editor.deck, operation)
    const { ref, node, tree } = bodyOf(slide, findShape(slide, operation.shape, operation.op))
    return paragraphsOf(node).flatMap((own, paragraph) => {
      const { text } = textMapOf(tree, own)
      return text === '' ? [] : [{ body: ref, paragraph, start: 0, end: text.length, text }]
    })
  })
}
