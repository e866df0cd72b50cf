import { visible } from '@filewright/protocol'
import type { Key } from './keys.ts'
import {
  cursorPlace,
  EMPTY,
  edit,
  editedEnd,
  type FieldText,
  insert,
  isFirstLine,
  isLastLine,
  moveLine,
} from './line-editor.ts'
import type { CursorPlace } from './screen.ts'
import { clip, widthOf } from './text-width.ts'

/** What a key led to. */
export type InputAction =
  | { readonly type: 'changed' }
  | { readonly type: 'submit'; readonly text: string }
  | { readonly type: 'interrupt' | 'end' | 'escape' | 'editor' | 'complete' | 'suspend' | 'redraw' }

export interface ShownInput {
  readonly lines: readonly string[]
  readonly cursor: CursorPlace
}

const CHANGED: InputAction = { type: 'changed' }

/** The field that a person types into: several lines, a history, and a search in it. */
export class InputLine {
  #state: FieldText = EMPTY
  readonly #history: string[]
  /** Which entry is shown; the history's length while it is the person's own text. */
  #at: number
  #own: FieldText = EMPTY
  #search: string | undefined

  constructor(history: readonly string[] = []) {
    this.#history = [...history]
    this.#at = this.#history.length
  }

  get text(): string {
    return this.#state.text
  }

  get state(): FieldText {
    return this.#state
  }

  set(state: FieldText): void {
    this.#state = state
    this.#search = undefined
    this.#at = this.#history.length
  }

  remember(text: string): void {
    if (text.trim() !== '' && this.#history.at(-1) !== text) this.#history.push(text)
    this.#at = this.#history.length
  }

  press(key: Key): InputAction | undefined {
    if (this.#search !== undefined) return this.#pressInSearch(key)
    if (key.type !== 'key') return this.#change(edit(this.#state, key))
    switch (key.name) {
      case 'enter':
        return this.#submit()
      case 'interrupt':
        return { type: 'interrupt' }
      case 'end-of-input':
        return this.#state.text === ''
          ? { type: 'end' }
          : this.press({ type: 'key', name: 'delete' })
      case 'escape':
        return { type: 'escape' }
      case 'editor':
        return { type: 'editor' }
      case 'tab':
        return { type: 'complete' }
      case 'suspend':
        return { type: 'suspend' }
      case 'redraw':
        return { type: 'redraw' }
      case 'search':
        this.#search = ''
        return CHANGED
      case 'up':
        return isFirstLine(this.#state) ? this.#recall(-1) : this.#change(moveLine(this.#state, -1))
      case 'down':
        return isLastLine(this.#state) ? this.#recall(1) : this.#change(moveLine(this.#state, 1))
      default:
        return this.#change(edit(this.#state, key))
    }
  }

  /** Lines and cursor for a terminal of this width, behind a mark. */
  view(columns: number, mark: string): ShownInput {
    if (this.#search !== undefined) {
      const line = clip(
        `search: ${this.#search}  ${visible(this.#found() ?? '')}`.split('\n')[0]!,
        columns,
      )
      return { lines: [line], cursor: { line: 0, column: widthOf(`search: ${this.#search}`) } }
    }
    const room = Math.max(8, columns - widthOf(mark) - 1)
    const { line, column } = cursorPlace(this.#state)
    const lines: string[] = []
    let cursor: CursorPlace = { line: 0, column: 0 }
    for (const [index, text] of this.#state.text.split('\n').entries()) {
      const rows = toRows(text, room)
      if (index === line) {
        const place = placeIn(rows, column)
        cursor = { line: lines.length + place.row, column: widthOf(mark) + place.width }
      }
      for (const row of rows)
        lines.push(`${lines.length === 0 ? mark : ' '.repeat(widthOf(mark))}${visible(row)}`)
    }
    return { lines, cursor }
  }

  #submit(): InputAction {
    if (this.#state.text.endsWith('\\')) {
      const { text } = this.#state
      return this.#change(editedEnd(`${text.slice(0, -1)}\n`))
    }
    const { text } = this.#state
    this.#state = EMPTY
    this.remember(text)
    return { type: 'submit', text }
  }

  #change(state: FieldText | undefined): InputAction {
    if (state) this.#state = state
    return CHANGED
  }

  #recall(by: -1 | 1): InputAction {
    const at = this.#at + by
    if (at < 0 || at > this.#history.length) return CHANGED
    if (this.#at === this.#history.length) this.#own = this.#state
    this.#at = at
    this.#state = at === this.#history.length ? this.#own : editedEnd(this.#history[at]!)
    return CHANGED
  }

  #found(): string | undefined {
    const sought = this.#search ?? ''
    return sought === '' ? undefined : this.#history.findLast(each => each.includes(sought))
  }

  #pressInSearch(key: Key): InputAction {
    if (key.type !== 'key')
      this.#search = insert(editedEnd(this.#search!), key.text.replaceAll('\n', ' ')).text
    else if (key.name === 'backspace') this.#search = this.#search!.slice(0, -1)
    else if (key.name === 'interrupt' || key.name === 'escape') this.#search = undefined
    else if (key.name !== 'search') {
      const found = this.#found()
      this.#search = undefined
      if (found !== undefined) this.#state = editedEnd(found)
    }
    return CHANGED
  }
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A line of the text in rows of the terminal. */
function toRows(text: string, room: number): string[] {
  const rows: string[] = []
  let row = ''
  let width = 0
  for (const { segment } of letters.segment(text)) {
    const own = widthOf(visible(segment))
    if (width + own > room) {
      rows.push(row)
      row = ''
      width = 0
    }
    row += segment
    width += own
  }
  return [...rows, row]
}

function placeIn(rows: readonly string[], column: number) {
  let rest = column
  for (const [row, text] of rows.entries()) {
    if (rest <= text.length && (rest < text.length || row === rows.length - 1))
      return { row, width: widthOf(visible(text.slice(0, rest))) }
    rest -= text.length
  }
  return { row: rows.length - 1, width: widthOf(visible(rows.at(-1)!)) }
}
