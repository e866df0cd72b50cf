import { counted, type Fields, isFields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { editsFor, nthField, queryField, replacementFor } from '../../../../runs/replacement.ts'
import { textField } from '../../edit/arguments.ts'
import { changeText } from '../../edit/change-text.ts'
import { type DocumentEditor, invalid } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { warnOfReach } from '../../edit/reach.ts'
import { byParagraph, type FoundMatches, matchesFor } from '../../edit/text-matches.ts'

const MOST_NAMED = 5

/** Replaces text wherever it stands: in the body, tables, headers, footers, notes and text boxes. */
export function replaceText(editor: DocumentEditor, operation: Fields): OperationResult {
  const pairs = pairsOf(operation)
  const done = pairs.map((pair, number) => replacePair(editor, pair, number))
  const replacements = done.reduce((sum, { count }) => sum + count, 0)
  const places = [...new Set(done.flatMap(each => each.places))]
  const missing = done.filter(({ count, blocked }) => count + blocked === 0)
  if (replacements === 0 && !editor.isReplay) throw nothingFound(pairs, done)
  for (const { search } of missing)
    editor.warn(`${JSON.stringify(search)} was not found, so nothing was replaced there.`)
  if (!editor.isReplay && operation.place === undefined && operation.nth === undefined)
    warnOfReach(
      editor,
      pairs.flatMap(({ search }) => (typeof search === 'string' ? [search] : [])),
    )
  return {
    op: 'replace_text',
    message: `Replaced ${counted(replacements, 'match', 'matches')} in ${counted(places.length, 'paragraph')}.`,
    replacements,
    places: places.slice(0, 100),
    ...(pairs.length > 1 && { each: done.map(({ search, count }) => ({ search, count })) }),
  }
}

interface Done {
  readonly search: string
  readonly count: number
  readonly places: readonly string[]
  readonly blocked: number
  readonly reasons: readonly string[]
}

function pairsOf(operation: Fields): readonly Fields[] {
  const { replacements, ...rest } = operation
  if (replacements === undefined) return [operation]
  if (!Array.isArray(replacements) || replacements.length === 0 || !replacements.every(isFields))
    throw invalid('replace_text: replacements is a list of {search, replace}')
  return replacements.map(pair => ({ ...rest, ...pair }))
}

function replacePair(editor: DocumentEditor, pair: Fields, number: number): Done {
  const query = queryField(pair)
  const replace = textField(pair, 'replace', 'the new text')
  refuseUnwritable(replace)
  const found = matchesFor(editor, `matches ${number}`, query, pair.place, nthField(pair))
  const places: string[] = []
  let count = 0
  for (const { paragraph, matches } of byParagraph(editor, found.matches)) {
    const edits = matches.flatMap(match =>
      editsFor(match, replacementFor(match, replace, query.regex !== undefined)),
    )
    if (!changeText(editor, paragraph, edits)) continue
    places.push(paragraph.id)
    count += matches.length
  }
  const search = query.search ?? `/${query.regex}/`
  warnOf(editor, search, found)
  return { search, count, places, blocked: found.blocked.length, reasons: found.blocked }
}

function warnOf(
  editor: DocumentEditor,
  search: string,
  { blocked, wasFolded, matches }: FoundMatches,
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

function nothingFound(pairs: readonly Fields[], done: readonly Done[]): Refusal {
  const reasons = done.flatMap(each => each.reasons)
  const searches = done.map(({ search }) => JSON.stringify(search)).join(', ')
  if (reasons.length > 0)
    return new Refusal(
      'CONFLICT',
      `${searches} cannot be replaced: ${reasons.slice(0, MOST_NAMED).join('. ')}`,
    )
  const crosses = pairs.some(({ search }) => typeof search === 'string' && /[\t\n]/.test(search))
  const hint = crosses
    ? 'a match does not cross tabs, line breaks or paragraphs; search for the text between them'
    : 'the match is exact, with case; search_files or read_file shows the text as it stands'
  return new Refusal('NO_SUCH_REGION', `${searches} was not found; ${hint}`)
}
