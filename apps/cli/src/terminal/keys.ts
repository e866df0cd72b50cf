/** What a person did at the keyboard. */
export type Key =
  | { readonly type: 'text'; readonly text: string }
  /** Between the marks of a bracketed paste: never an Enter. */
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'key'; readonly name: KeyName }

export type KeyName =
  | (typeof CONTROL)[keyof typeof CONTROL]
  | (typeof SEQUENCES)[keyof typeof SEQUENCES]
  | 'escape'

const CONTROL = {
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'interrupt',
  '\x04': 'end-of-input',
  '\x05': 'end',
  '\x06': 'right',
  '\x07': 'escape',
  '\b': 'backspace',
  '\t': 'tab',
  '\n': 'newline',
  '\x0b': 'delete-to-end',
  '\x0c': 'redraw',
  '\r': 'enter',
  '\x0e': 'down',
  '\x0f': 'open-line',
  '\x10': 'up',
  '\x12': 'search',
  '\x15': 'delete-to-start',
  '\x17': 'delete-word',
  '\x18': 'editor',
  '\x1a': 'suspend',
  '\x7f': 'backspace',
} as const

const SEQUENCES = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[7~': 'home',
  '[8~': 'end',
  '[3~': 'delete',
  '[Z': 'back-tab',
  '[1;5C': 'word-right',
  '[1;5D': 'word-left',
  '[1;3C': 'word-right',
  '[1;3D': 'word-left',
  '[13;2u': 'newline',
  '[27;2;13~': 'newline',
  f: 'word-right',
  b: 'word-left',
  d: 'delete-word-after',
  '\r': 'newline',
  '\n': 'newline',
  '\x7f': 'delete-word',
} as const

const PASTE_START = '\x1b[200~'
const PASTE_END = '\x1b[201~'
const ESCAPE = '\x1b'

/** A sequence that a terminal may send, as far as it has come. */
const SEQUENCE = /^\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Za-z]|[^[O])/
const BEGUN = /^\x1b(?:\[[0-9;?]*[ -/]*|O)?$/

/** Turns what a terminal sends into keys. A sequence may arrive in pieces: its beginning waits for the rest. */
export class KeyReader {
  #rest = ''

  take(text: string): Key[] {
    this.#rest += text
    const keys: Key[] = []
    for (let key = this.#next(); key !== undefined; key = this.#next())
      if (key !== 'ignored') keys.push(key)
    return keys
  }

  /** Nothing followed: an Escape alone was the key. */
  flush(): Key[] {
    if (this.#rest !== ESCAPE) return []
    this.#rest = ''
    return [{ type: 'key', name: 'escape' }]
  }

  #next(): Key | 'ignored' | undefined {
    const rest = this.#rest
    if (rest === '') return undefined
    if (rest.startsWith(PASTE_START)) return this.#paste()
    if (rest.startsWith(ESCAPE)) return this.#sequence()
    const name = CONTROL[rest[0] as keyof typeof CONTROL]
    if (name) return this.#give(1, { type: 'key', name })
    if (isControl(rest.charCodeAt(0))) return this.#give(1, 'ignored')
    let end = 0
    while (end < rest.length && !isControl(rest.charCodeAt(end))) end++
    return this.#give(end, { type: 'text', text: rest.slice(0, end) })
  }

  #paste(): Key | undefined {
    const end = this.#rest.indexOf(PASTE_END)
    if (end < 0) return undefined
    const text = this.#rest.slice(PASTE_START.length, end).replace(/\r\n?/g, '\n')
    return this.#give(end + PASTE_END.length, { type: 'paste', text })
  }

  #sequence(): Key | 'ignored' | undefined {
    const rest = this.#rest
    if (BEGUN.test(rest) || PASTE_START.startsWith(rest)) return undefined
    const found = SEQUENCE.exec(rest)?.[0]
    if (!found) return this.#give(1, { type: 'key', name: 'escape' })
    const name = SEQUENCES[found.slice(1) as keyof typeof SEQUENCES]
    return this.#give(found.length, name ? { type: 'key', name } : 'ignored')
  }

  #give<Given>(length: number, given: Given): Given {
    this.#rest = this.#rest.slice(length)
    return given
  }
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0)
}
