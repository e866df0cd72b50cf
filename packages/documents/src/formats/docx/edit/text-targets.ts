import { Refusal } from '../../../refusal.ts'
import { queryOf, type TextArguments } from '../../../runs/replacement.ts'
import { type PlaceArgument, paragraphsAt } from '../story/places.ts'
import { textMapOf } from '../story/text-map.ts'
import { type DocumentEditor, invalid } from './editor.ts'
import { type MatchRef, matchesFor } from './text-matches.ts'

/** The text that an operation names. */
interface TargetArguments extends TextArguments {
  readonly place?: PlaceArgument | undefined
}

/** The matches of its search, or the whole text of the paragraphs of its place. */
export function targetsOf(editor: DocumentEditor, args: TargetArguments): readonly MatchRef[] {
  const { search, regex, place, nth } = args
  if (search === undefined && regex === undefined) return wholeParagraphs(editor, place)
  const query = queryOf(args)
  const { matches, blocked } = matchesFor(editor, 'targets', query, place, nth)
  if (matches.length > 0) return matches
  const wanted = JSON.stringify(query.search ?? query.regex)
  if (blocked.length > 0)
    throw new Refusal('CONFLICT', `${wanted} cannot be used: ${blocked.slice(0, 5).join('. ')}`)
  throw new Refusal('NO_SUCH_REGION', `${wanted} was not found; the match is exact, with case`)
}

function wholeParagraphs(
  editor: DocumentEditor,
  place: PlaceArgument | undefined,
): readonly MatchRef[] {
  if (place === undefined) throw invalid(`${editor.op} needs search, or place for whole paragraphs`)
  return editor.resolve('targets', () =>
    paragraphsAt(editor.manuscript, place).flatMap(paragraph => {
      const { text } = textMapOf(paragraph.story.pieces(paragraph))
      return text === '' ? [] : [{ id: paragraph.id, start: 0, end: text.length, text }]
    }),
  )
}

/** The one match of an operation that takes one. */
export function targetOf(editor: DocumentEditor, args: TargetArguments): MatchRef {
  const targets = targetsOf(editor, args)
  const [only] = targets
  if (only && targets.length === 1) return only
  if (!only) throw new Refusal('NO_SUCH_REGION', 'there is no text at that place')
  throw invalid(
    `${editor.op} takes one match, and there are ${targets.length}, the first in ${only.id}; say which with nth or place`,
  )
}
