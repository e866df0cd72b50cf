import type { Fields } from '@filewright/protocol'
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
