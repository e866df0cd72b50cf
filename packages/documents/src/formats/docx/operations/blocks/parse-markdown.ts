/** What Markdown consists of, as far as a document has a form for it. */
export type MarkdownBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph' | 'quote'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' }
  | {
      readonly kind: 'item'
      readonly isOrdered: boolean
      readonly level: number
      /** The list that it belongs to: numbers of two lists do not go on. */
      readonly list: number
      readonly start: number
      readonly text: string
    }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/
const QUOTE = /^ {0,3}>\s?(.*)$/
const SEPARATOR = /^\s*\|?\s*:?-{1,}:?\s*(\|\s*:?-{1,}:?\s*)*\|?\s*$/
const MAX_LEVEL = 8

/** Headings, paragraphs, lists, quotes, code, rules and simple tables. Anything else is text. */
export function parseMarkdown(text: string): readonly MarkdownBlock[] {
  return new MarkdownParser(text.split(/\r?\n/)).parse()
}

class MarkdownParser {
  readonly #lines: readonly string[]
  readonly #blocks: MarkdownBlock[] = []
  /** The indents of the open items, outermost first, and whether each list counts. */
  #open: { indent: number; isOrdered: boolean; list: number }[] = []
  #lists = 0
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  parse(): readonly MarkdownBlock[] {
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at]!
      if (line.trim() === '') this.#at++
      else
        this.#fence(line) ||
          this.#single(line) ||
          this.#item(line) ||
          this.#table(line) ||
          this.#text(line)
    }
    return this.#blocks
  }

  #push(block: MarkdownBlock): void {
    if (block.kind !== 'item') this.#open = []
    this.#blocks.push(block)
  }

  #fence(line: string): boolean {
    const fence = FENCE.exec(line)?.[1]
    if (fence === undefined) return false
    const end = this.#lines.findIndex(
      (own, index) => index > this.#at && own.trim().startsWith(fence) && own.trim().length < 12,
    )
    const last = end < 0 ? this.#lines.length : end
    this.#push({ kind: 'code', text: this.#lines.slice(this.#at + 1, last).join('\n') })
    this.#at = last + 1
    return true
  }

  #single(line: string): boolean {
    const heading = HEADING.exec(line)
    if (heading) this.#push({ kind: 'heading', level: heading[1]!.length, text: heading[2]! })
    else if (RULE.test(line)) this.#push({ kind: 'rule' })
    else return false
    this.#at++
    return true
  }

  #item(line: string): boolean {
    const [, space, number, text] = ITEM.exec(line) ?? []
    if (space === undefined) return false
    const indent = space.replaceAll('\t', '    ').length
    const isOrdered = number !== undefined
    while (this.#open.length > 0 && this.#open.at(-1)!.indent > indent) this.#open.pop()
    const top = this.#open.at(-1)
    if (!top || indent >= top.indent + 2)
      this.#open.push({
        indent,
        isOrdered,
        list: top && top.isOrdered === isOrdered ? top.list : this.#lists++,
      })
    else if (top.isOrdered !== isOrdered) {
      this.#open.pop()
      this.#open.push({ indent: top.indent, isOrdered, list: this.#lists++ })
    }
    this.#at++
    const whole = [text!, ...this.#continued(indent)].join(' ')
    this.#push({
      kind: 'item',
      isOrdered,
      level: Math.min(this.#open.length - 1, MAX_LEVEL),
      list: this.#open.at(-1)!.list,
      start: number === undefined ? 1 : Number(number),
      text: whole,
    })
    return true
  }

  /** Lines that belong to an item: indented further, and nothing of their own. */
  #continued(indent: number): string[] {
    const lines: string[] = []
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!
      const isDeeper = line.length - line.trimStart().length > indent
      if (line.trim() === '' || !isDeeper || ITEM.test(line) || FENCE.test(line)) break
      lines.push(line.trim())
    }
    return lines
  }

  #table(line: string): boolean {
    const next = this.#lines[this.#at + 1]
    if (!line.includes('|') || next === undefined || !SEPARATOR.test(next) || !next.includes('-'))
      return false
    const rows = [cellsOf(line)]
    this.#at += 2
    for (; this.#at < this.#lines.length && this.#lines[this.#at]!.includes('|'); this.#at++)
      rows.push(cellsOf(this.#lines[this.#at]!))
    const width = rows[0]!.length
    this.#push({
      kind: 'table',
      rows: rows.map(row => Array.from({ length: width }, (_, column) => row[column] ?? '')),
    })
    return true
  }

  /** Lines up to the next block; a quote stays one. */
  #text(line: string): void {
    const isQuote = QUOTE.test(line)
    const lines: string[] = []
    for (; this.#at < this.#lines.length; this.#at++) {
      const own = this.#lines[this.#at]!
      const isOther = [FENCE, HEADING, RULE, ITEM].some(pattern => pattern.test(own))
      if (own.trim() === '' || QUOTE.test(own) !== isQuote || (isOther && lines.length > 0)) break
      const text = isQuote ? QUOTE.exec(own)![1]! : own
      lines.push(/ {2,}$|\\$/.test(text) ? `${text.replace(/\\$/, '').trim()}⏎` : `${text.trim()} `)
    }
    this.#push({ kind: isQuote ? 'quote' : 'paragraph', text: lines.join('').replace(/[ ⏎]$/, '') })
  }
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll('\\|', '|'))
}
