import { visible } from '@filewright/protocol'
import type { Colours } from './colours.ts'
import { widthOf, wrap } from './text-width.ts'

/**
 * Makes the Markdown of an answer readable, a line at a time as it arrives: nothing that was printed changes later. What could
 * steer the terminal is spelled out first.
 */
export class MarkdownLines {
  readonly #colours: Colours
  readonly #columns: () => number
  #rest = ''
  #fence: string | undefined
  #table: string[] = []

  constructor(colours: Colours, columns: () => number) {
    this.#colours = colours
    this.#columns = columns
  }

  /** The finished lines; the last one waits for its end. */
  take(text: string): string[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    return lines.flatMap(line => this.#line(line))
  }

  /** What came of a line that is not finished, as plain text. */
  get unfinished(): string {
    return visible(this.#rest)
  }

  end(): string[] {
    const last = this.#rest === '' ? [] : this.#line(this.#rest)
    this.#rest = ''
    this.#fence = undefined
    return [...last, ...this.#endTable()]
  }

  #line(raw: string): string[] {
    const line = visible(raw.replace(/\r$/, ''))
    if (this.#fence === undefined && isTableRow(line)) {
      this.#table.push(line)
      return []
    }
    return [...this.#endTable(), ...this.#other(line)]
  }

  #other(line: string): string[] {
    const { bold, dim, cyan } = this.#colours
    const fence = /^\s*(```+|~~~+)(.*)$/.exec(line)
    if (fence && (this.#fence === undefined || line.trim().startsWith(this.#fence))) {
      const isStart = this.#fence === undefined
      this.#fence = isStart ? fence[1] : undefined
      return isStart && fence[2]?.trim() ? [dim(`  ${fence[2].trim()}`)] : []
    }
    if (this.#fence !== undefined) return [cyan(`  ${line}`)]
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line)
    if (heading) return this.#wrapped(bold(this.#inline(heading[2]!)), '')
    if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line))
      return [dim('─'.repeat(Math.min(this.#columns(), 40)))]
    const item = /^(\s*)(?:[-*+]|(\d+[.)]))\s+(.*)$/.exec(line)
    if (item) {
      const [, space = '', number, text = ''] = item
      const mark = `${space}${number ?? '•'} `
      return this.#wrapped(mark + this.#inline(text), ' '.repeat(widthOf(mark)))
    }
    const quote = /^>\s?(.*)$/.exec(line)
    if (quote) return this.#wrapped(dim(`│ ${this.#inline(quote[1]!)}`), '│ ')
    return this.#wrapped(this.#inline(line), '')
  }

  #wrapped(text: string, indent: string): string[] {
    return wrap(text, this.#columns(), indent)
  }

  #inline(text: string): string {
    const { bold, italic, cyan, dim } = this.#colours
    return text
      .split(/(`[^`]+`)/)
      .map(part =>
        /^`[^`]+`$/.test(part)
          ? cyan(part.slice(1, -1))
          : part
              .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label, target) =>
                label === target ? label : `${label} ${dim(`(${target})`)}`,
              )
              .replace(/\*\*([^*]+)\*\*/g, (_, inner) => bold(inner))
              .replace(/(?<![\w*])[*_]([^*_\s][^*_]*)[*_](?![\w*])/g, (_, inner) => italic(inner)),
      )
      .join('')
  }

  #endTable(): string[] {
    const isRule = (row: string) => /^[\s|:-]+$/.test(row)
    const rule = this.#table.find(isRule)
    const isRight = rule ? cellsOf(rule).map(cell => /^[^:].*:$/.test(cell)) : []
    const rows = this.#table.filter(row => !isRule(row)).map(cellsOf)
    this.#table = []
    if (rows.length === 0) return []
    const { bold, dim } = this.#colours
    const shown = rows.map((row, index) =>
      row.map(cell => (index === 0 ? bold(this.#inline(cell)) : this.#inline(cell))),
    )
    const widths = shown[0]!.map((_, at) => Math.max(...shown.map(row => widthOf(row[at] ?? ''))))
    return shown.flatMap(row => {
      const cells = widths.map((width, at) => pad(row[at] ?? '', width, isRight[at] === true))
      const line = cells.join(dim(' │ ')).trimEnd()
      return widthOf(line) > this.#columns() ? this.#wrapped(row.join(' | '), '  ') : [line]
    })
  }
}

function isTableRow(line: string): boolean {
  return /^\s*\|.*\|\s*$/.test(line)
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map(cell => cell.trim())
}

function pad(text: string, width: number, isRight: boolean): string {
  const room = ' '.repeat(Math.max(0, width - widthOf(text)))
  return isRight ? room + text : text + room
}
