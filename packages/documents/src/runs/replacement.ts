import type { Fields } from '@filewright/protocol'
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

/** The selector of text that all operations share: `search` or `regex`, `match_case`, `whole_word`. */
export function queryField(fields: Fields): TextQuery {
  const search = fields.search ?? fields.find
  const { regex } = fields
  if (typeof regex === 'string' && regex !== '')
    return { regex, matchCase: fields.match_case !== false, wholeWord: fields.whole_word === true }
  if (typeof search === 'string' && search !== '')
    return { search, matchCase: fields.match_case !== false, wholeWord: fields.whole_word === true }
  throw new Refusal('INVALID_ARGUMENT', `${fields.op} needs search: the text to find`)
}

/** 1 for the first match; undefined for every match. */
export function nthField({ op, nth }: Fields): number | undefined {
  if (nth === undefined || nth === null) return undefined
  if (typeof nth === 'number' && Number.isInteger(nth) && nth >= 1) return nth
  throw new Refusal(
    'INVALID_ARGUMENT',
    `${op}: nth counts from 1, so ${JSON.stringify(nth)} is no match`,
  )
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
