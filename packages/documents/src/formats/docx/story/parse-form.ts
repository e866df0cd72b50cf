import type { Looks } from './form.ts'
import { TOKEN } from './pieces.ts'

/** The form that `read` gives, parsed: text with one character for each token, and how each character looks. */
export interface ParsedForm {
  readonly text: string
  /** The labels of the tokens, in order. */
  readonly labels: readonly string[]
  /** Of each character. */
  readonly looks: readonly Looks[]
  readonly links: readonly {
    readonly start: number
    readonly end: number
    readonly target: string
  }[]
}

/** Marks without a partner, and everything else that is no mark, are text. */
export function parseForm(form: string): ParsedForm {
  return new FormParser(form).parse()
}

type Mark = '**' | '*' | '~~'

class FormParser {
  readonly #form: string
  readonly #labels: string[] = []
  readonly #looks: Looks[] = []
  readonly #links: { start: number; end: number; target: string }[] = []
  readonly #open = new Set<Mark>()
  #text = ''

  constructor(form: string) {
    this.#form = form
  }

  parse(): ParsedForm {
    this.#run(0, this.#form.length)
    return { text: this.#text, labels: this.#labels, looks: this.#looks, links: this.#links }
  }

  #run(from: number, to: number): void {
    const form = this.#form
    for (let at = from; at < to; ) {
      const char = form[at]!
      if (char === '\\' && at + 1 < to && /[\\*~⟦⟧⏎[]/.test(form[at + 1]!)) {
        this.#add(form[at + 1]!)
        at += 2
        continue
      }
      const after = this.#token(at, to) ?? this.#mark(at, to) ?? this.#link(at, to)
      if (after !== undefined) {
        at = after
        continue
      }
      this.#add(char === '⏎' ? '\n' : char)
      at++
    }
  }

  #token(at: number, to: number): number | undefined {
    if (this.#form[at] !== '⟦') return undefined
    const end = this.#form.indexOf('⟧', at)
    if (end < 0 || end >= to) return undefined
    this.#labels.push(this.#form.slice(at + 1, end))
    this.#add(TOKEN)
    return end + 1
  }

  #mark(at: number, to: number): number | undefined {
    const form = this.#form
    const mark = form.startsWith('**', at)
      ? '**'
      : form[at] === '*'
        ? '*'
        : form.startsWith('~~', at)
          ? '~~'
          : undefined
    if (mark === undefined) return undefined
    const next = at + mark.length
    if (this.#open.has(mark)) {
      if (/\s/.test(form[at - 1] ?? ' ')) return undefined
      this.#open.delete(mark)
      return next
    }
    if (next >= to || /\s/.test(form[next]!) || !this.#closes(mark, next, to)) return undefined
    this.#open.add(mark)
    return next
  }

  /** Whether a mark further on, next to a word, closes it. */
  #closes(mark: Mark, from: number, to: number): boolean {
    const form = this.#form
    for (let at = form.indexOf(mark, from); at >= 0 && at < to; at = form.indexOf(mark, at + 1)) {
      const isLonger =
        mark === '*' &&
        (form[at + 1] === '*' || form[at - 1] === '*') &&
        !form.startsWith('***', at - 2)
      if (!/[\s\\]/.test(form[at - 1]!) && at > from && !isLonger) return true
    }
    return false
  }

  /** `[text](target)` */
  #link(at: number, to: number): number | undefined {
    const form = this.#form
    if (form[at] !== '[') return undefined
    const close = form.indexOf('](', at)
    const end = close < 0 ? -1 : form.indexOf(')', close)
    if (end < 0 || end >= to || form.slice(at + 1, close).includes('[')) return undefined
    const start = this.#text.length
    this.#run(at + 1, close)
    this.#links.push({ start, end: this.#text.length, target: form.slice(close + 2, end) })
    return end + 1
  }

  #add(char: string): void {
    const looks = {
      bold: this.#open.has('**'),
      italic: this.#open.has('*'),
      strike: this.#open.has('~~'),
    }
    this.#text += char
    for (let i = 0; i < char.length; i++) this.#looks.push(looks)
  }
}
