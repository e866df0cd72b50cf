import { counted } from '@filewright/protocol'
import type { OperationResult } from './format.ts'
import type { OperationEditor } from './operation-editor.ts'
import { Refusal } from './refusal.ts'
import { finderOf, foldedFinderOf, type TextFinder, type TextQuery } from './runs/find-text.ts'
import type { TextArguments } from './runs/replacement.ts'

/** Where a text was found. */
export interface TextMatches<Match> {
  readonly matches: readonly Match[]
  /** Found, and not to be edited; in words. */
  readonly blocked: readonly string[]
  /** Found only with no-break spaces, hyphens and curly quotes taken as plain ones. */
  readonly wasFolded: boolean
}

/** One pair of `search` and `replace`, done. */
export interface ReplacedPair {
  readonly search: string
  readonly count: number
  readonly places: readonly string[]
  readonly found: TextMatches<unknown>
}

export interface ReplacingArguments extends TextArguments {
  readonly replace?: string | undefined
  readonly replacements?:
    | readonly { readonly search: string; readonly replace: string }[]
    | undefined
}

/** One search and its replacement, with what the operation says of all. */
export type ReplacedText<Args> = Args & { readonly replace: string }

export interface PairReplacer<Args> {
  /** Where the text stands, in words: paragraph. */
  readonly noun: string
  /** What to do where nothing was found. */
  hint(pairs: readonly ReplacedText<Args>[]): string
  replace(pair: ReplacedText<Args>, number: number): ReplacedPair
  /** Called once everything is replaced. */
  done?(pairs: readonly ReplacedText<Args>[]): void
}

const MOST_NAMED = 5

/** Matches as they are, else folded; `nth` takes one of them. */
export function chooseMatches<Match>(
  query: TextQuery,
  nth: number | undefined,
  collect: (find: TextFinder) => Omit<TextMatches<Match>, 'wasFolded'>,
): TextMatches<Match> {
  const exact = collect(finderOf(query))
  const isFound = exact.matches.length + exact.blocked.length > 0
  const folded = isFound ? undefined : foldedFinderOf(query)
  const found = folded ? collect(folded) : exact
  const wasFolded = folded !== undefined && found.matches.length > 0
  const isNone = found.matches.length + found.blocked.length === 0
  if (nth === undefined || isNone) return { ...found, wasFolded }
  const chosen = found.matches[nth - 1]
  if (chosen !== undefined) return { matches: [chosen], blocked: [], wasFolded }
  if (found.blocked.length > 0)
    throw new Refusal(
      'CONFLICT',
      `match ${nth} cannot be edited: ${found.blocked.slice(0, MOST_NAMED).join('. ')}`,
    )
  throw new Refusal(
    'NO_SUCH_REGION',
    `nth is ${nth}, and of ${JSON.stringify(query.search ?? query.regex)} there ${found.matches.length === 1 ? 'is' : 'are'} ${counted(found.matches.length, 'match', 'matches')}`,
  )
}

/** `replace_text` of one pair or a list of them, with its report. */
export function replacePairs<Args extends ReplacingArguments>(
  editor: OperationEditor,
  args: Args,
  replacer: PairReplacer<Args>,
): OperationResult {
  const pairs = pairsOf(args)
  const done = pairs.map((pair, number) => {
    const own = replacer.replace(pair, number)
    warnOf(editor, own)
    return own
  })
  const replacements = done.reduce((sum, { count }) => sum + count, 0)
  const places = [...new Set(done.flatMap(each => each.places))]
  if (replacements === 0 && !editor.isReplay) throw nothingFound(done, replacer.hint(pairs))
  for (const { search, count, found } of done)
    if (count + found.blocked.length === 0)
      editor.warn(`${JSON.stringify(search)} was not found, so nothing was replaced there.`)
  replacer.done?.(pairs)
  return {
    op: 'replace_text',
    message: `Replaced ${counted(replacements, 'match', 'matches')} in ${counted(places.length, replacer.noun)}.`,
    replacements,
    places: places.slice(0, 100),
    ...(pairs.length > 1 && { each: done.map(({ search, count }) => ({ search, count })) }),
  }
}

function pairsOf<Args extends ReplacingArguments>(args: Args): readonly ReplacedText<Args>[] {
  const { replacements, replace } = args
  if (replacements) return replacements.map(pair => ({ ...args, ...pair }))
  if (replace !== undefined) return [{ ...args, replace }]
  throw new Refusal('INVALID_ARGUMENT', 'replace_text needs replace: the new text, or "" for none')
}

function warnOf(editor: OperationEditor, { search, found }: ReplacedPair): void {
  const { blocked, wasFolded, matches } = found
  if (wasFolded)
    editor.warn(
      `${JSON.stringify(search)} was found only with no-break spaces, hyphens or curly quotes taken as plain ones; ${counted(matches.length, 'match was', 'matches were')} replaced.`,
    )
  if (blocked.length > 0 && matches.length > 0)
    editor.warn(
      `${counted(blocked.length, 'match', 'matches')} of ${JSON.stringify(search)} stayed as ${blocked.length === 1 ? 'it was' : 'they were'}. ${blocked.slice(0, MOST_NAMED).join('. ')}.`,
    )
}

function nothingFound(done: readonly ReplacedPair[], hint: string): Refusal {
  const reasons = done.flatMap(({ found }) => found.blocked)
  const searches = done.map(({ search }) => JSON.stringify(search)).join(', ')
  if (reasons.length > 0)
    return new Refusal(
      'CONFLICT',
      `${searches} cannot be replaced: ${reasons.slice(0, MOST_NAMED).join('. ')}`,
    )
  return new Refusal('NO_SUCH_REGION', `${searches} was not found; ${hint}`)
}
