import { Refusal } from '../refusal.ts'
import { alignText, type TextEdit } from './align-text.ts'
import type { TextQuery } from './find-text.ts'

/** A match in a paragraph's text at the time it was found. */
export interface MatchedText {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The groups of a regular expression. */
  readonly groups?: readonly (string | undefined)[]
}

/** The selector of text that all operations share. */
export interface TextArguments {
  readonly search?: string | undefined
  readonly regex?: string | undefined
  /** 1 for the first match; absent for every match. */
  readonly nth?: number | undefined
  readonly match_case?: boolean | undefined
  readonly whole_word?: boolean | undefined
}

export function queryOf({ search, regex, nth, match_case, whole_word }: TextArguments): TextQuery {
  refuseBelowFirst(nth)
  const how = { matchCase: match_case !== false, wholeWord: whole_word === true }
  if (regex) return { regex, ...how }
  if (search) return { search, ...how }
  throw new Refusal('INVALID_ARGUMENT', 'search is empty; send the text to find')
}

/** Models send 0 for what they do not mean: it is wrong only where something is counted. */
export function refuseBelowFirst(nth: number | undefined): void {
  if (nth !== undefined && nth < 1)
    throw new Refusal('INVALID_ARGUMENT', `nth counts from 1, so ${nth} is no match`)
}

/** The edits that replace a match, tight around the words that change. */
export function editsFor({ start, text }: MatchedText, replacement: string): readonly TextEdit[] {
  return alignText(text, replacement).map(edit => ({
    ...edit,
    start: start + edit.start,
    end: start + edit.end,
  }))
}

/** `$1` in the replacement of a regular expression is its first group. */
export function replacementFor(
  { text, groups }: MatchedText,
  replace: string,
  isPattern: boolean,
): string {
  if (!isPattern) return replace
  return replace.replace(/\$(\$|&|[1-9])/g, (_, key: string) =>
    key === '$' ? '$' : key === '&' ? text : (groups?.[Number(key) - 1] ?? ''),
  )
}
