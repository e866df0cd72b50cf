import type { Fields } from '@filewright/protocol'
import { Refusal } from '../../../refusal.ts'
import { queryOf, type TextArguments } from '../../../runs/replacement.ts'
import { paragraphsAt } from '../story/places.ts'
import { textMapOf } from '../story/text-map.ts'
import { type DocumentEditor, invalid } from './editor.ts'
import { type MatchRef, matchesFor } from './text-matches.ts'

/** The text that an operation names: the matches of its search, or the whole text of the paragraphs of its place. */
export function targetsOf(editor: DocumentEditor, operation: Fields): readonly MatchRef[] {
  const { search, find, regex, place } = operation
  if (search === undefined && find === undefined && regex === undefined)
    return wholeParagraphs(editor, operation)
  const query = queryOf(operation as TextArguments)
  const { matches, blocked } = matchesFor(
    editor,
    'targets',
    query,
    place,
    (operation as TextArguments).nth,
  )
  if (matches.length > 0) return matches
  const wanted = JSON.stringify(query.search ?? query.regex)
  if (blocked.length > 0)
    throw new Refusal('CONFLICT', `${wanted} cannot be used: ${blocked.slice(0, 5).join('. ')}`)
  throw new Refusal('NO_SUCH_REGION', `${wanted} was not found; the match is exact, with case`)
}

function wholeParagraphs(editor: DocumentEditor, { op, place }: Fields): readonly MatchRef[] {
  if (place === undefined) throw invalid(`${op} needs search, or place for whole paragraphs`)
  return editor.resolve('targets', () =>
    paragraphsAt(editor.manuscript, place).flatMap(paragraph => {
      const { text } = textMapOf(paragraph.story.pieces(paragraph))
      return text === '' ? [] : [{ id: paragraph.id, start: 0, end: text.length, text }]
    }),
  )
}

/** The one match of an operation that takes one. */
export function targetOf(editor: DocumentEditor, operation: Fields): MatchRef {
  const targets = targetsOf(editor, operation)
  const [only] = targets
  if (only && targets.length === 1) return only
  if (!only) throw new Refusal('NO_SUCH_REGION', 'there is no text at that place')
  throw invalid(
    `${operation.op} takes one match, and there are ${targets.length}, the first in ${only.id}; say which with nth or place`,
  )
}
