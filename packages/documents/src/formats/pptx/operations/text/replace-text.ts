import { counted, type Fields, isFields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { editsFor, replacementFor } from '../../../../runs/replacement.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { textField } from '../../edit/fields.ts'
import { linesOf } from '../../edit/lines.ts'
import { byBody, matchesFor, paragraphAt, type SlideMatches } from '../../edit/matches.ts'
import { settleFit } from '../../edit/settle-fit.ts'
import { editParagraph } from '../../edit/text-edit.ts'

const MOST_NAMED = 5

/** Replaces text wherever it stands: on slides, in groups, tables and notes. */
export function replaceText(editor: DeckEditor, operation: Fields): OperationResult {
  const pairs = pairsOf(operation)
  const done = pairs.map((pair, number) => replacePair(editor, pair, number))
  const replacements = done.reduce((sum, { count }) => sum + count, 0)
  const places = [...new Set(done.flatMap(each => each.places))]
  if (replacements === 0 && !editor.isReplay) throw nothingFound(done)
  for (const { search, found } of done)
    if (found.matches.length + found.blocked.length === 0)
      editor.warn(`${JSON.stringify(search)} was not found, so nothing was replaced there.`)
  return {
    op: 'replace_text',
    message: `Replaced ${counted(replacements, 'match', 'matches')} in ${counted(places.length, 'text')}.`,
    replacements,
    places: places.slice(0, 100),
    ...(pairs.length > 1 && { each: done.map(({ search, count }) => ({ search, count })) }),
  }
}

interface Done {
  readonly search: string
  readonly count: number
  readonly places: readonly string[]
  readonly found: SlideMatches
}

function pairsOf(operation: Fields): readonly Fields[] {
  const { replacements, ...rest } = operation
  if (replacements === undefined) return [operation]
  if (!Array.isArray(replacements) || replacements.length === 0 || !replacements.every(isFields))
    throw wrongArgument('replace_text: replacements is a list of {search, replace}')
  return replacements.map(pair => ({ ...rest, ...pair }))
}

function replacePair(editor: DeckEditor, pair: Fields, number: number): Done {
  const replace = textField(pair, 'replace', 'the new text')
  linesOf(replace, 'replace')
  const found = matchesFor(editor, `matches ${number}`, pair)
  const isPattern = typeof pair.regex === 'string' && pair.regex !== ''
  const places: string[] = []
  let count = 0
  for (const { body, matches } of byBody(editor, found.matches)) {
    const isDone = editor.editBody(body, (tree, node) => {
      const numbers = new Set(matches.map(({ paragraph }) => paragraph))
      for (const own of numbers) {
        const edits = matches
          .filter(({ paragraph }) => paragraph === own)
          .flatMap(match => editsFor(match, replacementFor(match, replace, isPattern)))
        editParagraph(tree, paragraphAt(node, own), edits)
      }
      if (!body.cell && !body.isNotes) settleFit(editor, body.slide, body.shape.key)
      return true
    })
    if (!isDone) continue
    places.push(editor.deck.placeOf(body.ref))
    count += matches.length
  }
  const search = isPattern ? `/${pair.regex}/` : String(pair.search ?? pair.find)
  warnOf(editor, search, found)
  return { search, count, places, found }
}

function warnOf(
  editor: DeckEditor,
  search: string,
  { blocked, wasFolded, matches }: SlideMatches,
): void {
  if (wasFolded)
    editor.warn(
      `${JSON.stringify(search)} was found only with no-break spaces, hyphens or curly quotes taken as plain ones; ${counted(matches.length, 'match was', 'matches were')} replaced.`,
    )
  if (blocked.length > 0 && matches.length > 0)
    editor.warn(
      `${counted(blocked.length, 'match', 'matches')} of ${JSON.stringify(search)} stayed as ${blocked.length === 1 ? 'it was' : 'they were'}. ${blocked.slice(0, MOST_NAMED).join('. ')}.`,
    )
}

function nothingFound(done: readonly Done[]): Refusal {
  const reasons = done.flatMap(({ found }) => found.blocked)
  const searches = done.map(({ search }) => JSON.stringify(search)).join(', ')
  if (reasons.length > 0)
    return new Refusal(
      'CONFLICT',
      `${searches} cannot be replaced: ${reasons.slice(0, MOST_NAMED).join('. ')}`,
    )
  return new Refusal(
    'NO_SUCH_REGION',
    `${searches} was not found; the match is exact, with case, and crosses no line break; search_files or read_file shows the text as it stands`,
  )
}
