import type { Fields } from '@filewright/protocol'
import type { TextQuery } from '../story/find-text.ts'
import { invalid } from './editor.ts'

/** Reads an operation's fields; an error names what is missing or wrong and what would work. */
export function textField(fields: Fields, name: string, example: string): string {
  const value = fields[name]
  if (typeof value === 'string') return value
  throw invalid(`${fields.op} needs ${name}, such as ${JSON.stringify(example)}`)
}

/** One text or several. */
export function textsField(fields: Fields, name: string): readonly string[] {
  const value = fields[name]
  const list = Array.isArray(value) ? value : [value]
  if (list.length > 0 && list.every(each => typeof each === 'string')) return list as string[]
  throw invalid(`${fields.op} needs ${name}: the text of a paragraph, or a list of texts`)
}

/** The selector of text that all operations share: `search` or `regex`, `match_case`, `whole_word`. */
export function queryField(fields: Fields): TextQuery {
  const search = fields.search ?? fields.find
  const { regex } = fields
  if (typeof regex === 'string' && regex !== '')
    return { regex, matchCase: fields.match_case !== false, wholeWord: fields.whole_word === true }
  if (typeof search === 'string' && search !== '')
    return { search, matchCase: fields.match_case !== false, wholeWord: fields.whole_word === true }
  throw invalid(`${fields.op} needs search: the text to find`)
}

/** 1 for the first match; undefined for every match. */
export function nthField({ op, nth }: Fields): number | undefined {
  if (nth === undefined || nth === null) return undefined
  if (typeof nth === 'number' && Number.isInteger(nth) && nth >= 1) return nth
  throw invalid(`${op}: nth counts from 1, so ${JSON.stringify(nth)} is no match`)
}
