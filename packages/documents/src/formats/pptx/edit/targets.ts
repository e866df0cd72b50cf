import { Refusal } from '../../../refusal.ts'
import type { TextBody } from '../slide/bodies.ts'
import { paragraphsOf, textMapOf } from '../slide/text.ts'
import { type DeckEditor, wrongArgument } from './editor.ts'
import { bodyOf, findShape, slideAt } from './fields.ts'
import { matchesFor, type SlideMatch, type TextSelector } from './matches.ts'

/** The text that an operation names: the matches of its search, or all text of a shape. */
export function targetsOf(editor: DeckEditor, selector: TextSelector): readonly SlideMatch[] {
  const { search, regex } = selector
  if (search === undefined && regex === undefined) return wholeShape(editor, selector)
  const { matches, blocked } = matchesFor(editor, 'targets', selector, isShown(selector))
  if (matches.length > 0 || editor.isReplay) return matches
  const wanted = JSON.stringify(search ?? regex)
  if (blocked.length > 0)
    throw new Refusal('CONFLICT', `${wanted} cannot be used: ${blocked.slice(0, 5).join('. ')}`)
  throw new Refusal('NO_SUCH_REGION', `${wanted} was not found; the match is exact, with case`)
}

/** Looks and links are for what the audience sees; notes are meant only where they are named. */
function isShown({ shape }: TextSelector): (body: TextBody) => boolean {
  const isNotes = String(shape).toLowerCase() === 'notes'
  return body => isNotes || !body.isNotes
}

function wholeShape(editor: DeckEditor, { index, shape }: TextSelector): readonly SlideMatch[] {
  if (index === undefined || shape === undefined)
    throw wrongArgument(`${editor.op} needs search, or index and shape for all text of a shape`)
  return editor.resolve('targets', () => {
    const slide = slideAt(editor.deck, index)
    const { ref, node, tree } = bodyOf(slide, findShape(slide, shape))
    return paragraphsOf(node).flatMap((own, paragraph) => {
      const { text } = textMapOf(tree, own)
      return text === '' ? [] : [{ body: ref, paragraph, start: 0, end: text.length, text }]
    })
  })
}
