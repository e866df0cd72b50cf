import type { Key, KeyName } from './keys.ts'

/** A text of one or more lines under the cursor of a person. */
export interface FieldText {
  readonly text: string
  /** In characters of the text, between 0 and its length. */
  readonly cursor: number
}

export const EMPTY: FieldText = { text: '', cursor: 0 }

export function editedEnd(text: string): FieldText {
  return { text, cursor: text.length }
}

/** The text after a key; undefined if the key means nothing to an editor. */
export function edit(state: FieldText, key: Key): FieldText | undefined {
  if (key.type === 'key') return moves[key.name]?.(state)
  return insert(state, key.text.replaceAll('\t', '  '))
}

export function insert({ text, cursor }: FieldText, added: string): FieldText {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length }
}

/** Where the cursor stands: the line, and the place in it. */
export function cursorPlace({ text, cursor }: FieldText): {
  readonly line: number
  readonly column: number
} {
  const before = text.slice(0, cursor).split('\n')
  return { line: before.length - 1, column: before.at(-1)!.length }
}

const moves: Partial<Record<KeyName, (state: FieldText) => FieldText>> = {
  left: state => at(state, before(state)),
  right: state => at(state, after(state)),
  home: state => at(state, lineStart(state)),
  end: state => at(state, lineEnd(state)),
  'word-left': state => at(state, wordBefore(state)),
  'word-right': state => at(state, wordAfter(state)),
  backspace: state => without(state, before(state), state.cursor),
  delete: state => without(state, state.cursor, after(state)),
  'delete-word': state => without(state, wordBefore(state), state.cursor),
  'delete-word-after': state => without(state, state.cursor, wordAfter(state)),
  'delete-to-start': state => without(state, lineStart(state), state.cursor),
  'delete-to-end': state => without(state, state.cursor, lineEnd(state)),
  newline: state => insert(state, '\n'),
  'open-line': state => insert(state, '\n'),
}

function at(state: FieldText, cursor: number): FieldText {
  return { ...state, cursor }
}

function without({ text }: FieldText, from: number, to: number): FieldText {
  return { text: text.slice(0, from) + text.slice(to), cursor: from }
}

/** Whole letters: an accent or a part of an emoji never stays behind. */
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function before({ text, cursor }: FieldText): number {
  const start = lineStart({ text, cursor: Math.max(0, cursor - 1) })
  let last = Math.max(0, cursor - 1)
  for (const { index } of letters.segment(text.slice(start, cursor))) last = start + index
  return last
}

function after({ text, cursor }: FieldText): number {
  for (const { segment } of letters.segment(text.slice(cursor, cursor + 64)))
    return cursor + segment.length
  return cursor
}

function lineStart({ text, cursor }: FieldText): number {
  return text.lastIndexOf('\n', cursor - 1) + 1
}

function lineEnd({ text, cursor }: FieldText): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

function wordBefore({ text, cursor }: FieldText): number {
  const words = /\S+\s*$/.exec(text.slice(0, cursor))
  return words ? words.index : 0
}

function wordAfter({ text, cursor }: FieldText): number {
  const words = /^\s*\S+/.exec(text.slice(cursor))
  return words ? cursor + words[0].length : text.length
}

/** True where Up or Down leave the text: there they mean the history. */
export function isFirstLine({ text, cursor }: FieldText): boolean {
  return !text.slice(0, cursor).includes('\n')
}

export function isLastLine({ text, cursor }: FieldText): boolean {
  return !text.slice(cursor).includes('\n')
}

/** One line up (-1) or down (1), in about the same column. */
export function moveLine(state: FieldText, by: -1 | 1): FieldText {
  const { line, column } = cursorPlace(state)
  const lines = state.text.split('\n')
  const target = Math.min(Math.max(line + by, 0), lines.length - 1)
  const start = lines.slice(0, target).reduce((sum, each) => sum + each.length + 1, 0)
  return at(state, start + Math.min(column, lines[target]!.length))
}
