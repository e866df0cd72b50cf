import { widthOf } from './text-width.ts'

export interface Surface {
  readonly columns: number
  readonly rows: number
  write(text: string): void
}

/** Where the cursor stands in the live lines. */
export interface CursorPlace {
  readonly line: number
  readonly column: number
}

const MOST_LIVE_LINES = 12

/**
 * Text that stays, above a few lines that change. What is printed goes into the terminal's own history and is never
 * touched again; of the live lines only those that differ are written.
 */
export class Screen {
  readonly #surface: Surface
  #live: readonly string[] = []
  #cursor: CursorPlace = { line: 0, column: 0 }

  constructor(surface: Surface) {
    this.#surface = surface
  }

  print(lines: readonly string[]): void {
    if (lines.length === 0) return
    const [live, cursor] = [this.#live, this.#cursor]
    this.#surface.write(
      `${HIDE}${this.#toTop()}${CLEAR_BELOW}${lines.map(line => `${line}\r\n`).join('')}${drawn(live)}${moved(live, cursor)}${SHOW}`,
    )
  }

  /** The live lines from now on; each must fit the width. */
  show(lines: readonly string[], cursor: CursorPlace): void {
    const { columns, rows } = this.#surface
    const most = Math.max(1, Math.min(MOST_LIVE_LINES, rows - 1))
    const skipped = Math.max(0, lines.length - most)
    const live = lines.slice(skipped)
    const at = {
      line: Math.max(0, cursor.line - skipped),
      column: Math.min(cursor.column, columns - 1),
    }
    const same = commonStart(this.#live, live)
    if (same === live.length && same === this.#live.length) {
      if (at.line === this.#cursor.line && at.column === this.#cursor.column) return
      this.#surface.write(this.#moveTo(at))
      this.#cursor = at
      return
    }
    const from = Math.min(same, Math.max(0, live.length - 1))
    const begin = `${HIDE}${vertical(from - this.#cursor.line)}\r${CLEAR_BELOW}`
    this.#live = live
    this.#cursor = at
    this.#surface.write(`${begin}${drawn(live.slice(from))}${moved(live, at)}${SHOW}`)
  }

  /** The width changed: what is on the terminal has another shape now. */
  resized(): void {
    const { columns } = this.#surface
    const above = this.#live
      .slice(0, this.#cursor.line)
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
    this.#surface.write(`${vertical(-above)}\r${CLEAR_BELOW}`)
    this.#live = []
    this.#cursor = { line: 0, column: 0 }
  }

  /** Takes the live lines away. */
  clear(): void {
    this.#surface.write(`${this.#toTop()}${CLEAR_BELOW}${SHOW}`)
    this.#live = []
    this.#cursor = { line: 0, column: 0 }
  }

  #toTop(): string {
    return `${vertical(-this.#cursor.line)}\r`
  }

  #moveTo({ line, column }: CursorPlace): string {
    return `${vertical(line - this.#cursor.line)}\r${right(column)}`
  }
}

const HIDE = '\x1b[?25l'
const SHOW = '\x1b[?25h'
const CLEAR_BELOW = '\x1b[J'

function drawn(lines: readonly string[]): string {
  return lines.join('\r\n')
}

/** From the end of the last live line to the cursor's place. */
function moved(lines: readonly string[], { line, column }: CursorPlace): string {
  return `${vertical(line - Math.max(0, lines.length - 1))}\r${right(column)}`
}

function vertical(lines: number): string {
  if (lines === 0) return ''
  return lines < 0 ? `\x1b[${-lines}A` : `\x1b[${lines}B`
}

function right(columns: number): string {
  return columns > 0 ? `\x1b[${columns}C` : ''
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  let same = 0
  while (same < one.length && same < other.length && one[same] === other[same]) same++
  return same
}
