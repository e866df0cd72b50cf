import { visible, visibleName } from '@filewright/protocol'
import type { Console, ConsoleListener, QuestionOptions } from './console.ts'
import { InputLine } from './input-line.ts'
import type { Key } from './keys.ts'
import { EMPTY, editedEnd, insert } from './line-editor.ts'
import { MarkdownLines } from './markdown.ts'
import { Screen } from './screen.ts'
import type { Terminal } from './terminal.ts'
import { clip, wrap, wrapHanging } from './text-width.ts'
import { TOO_SOON_MS } from './too-soon.ts'

const DRAW_MS = 33

interface Asked {
  readonly question: string
  readonly field: InputLine
  readonly since: number
  readonly answer: (text: string | undefined) => void
}

/** On a terminal: scrollback above, and a field with what goes on below. */
export class ScreenConsole implements Console {
  readonly #terminal: Terminal
  readonly #screen: Screen
  readonly #listener: ConsoleListener
  readonly #field: InputLine
  readonly #text: MarkdownLines
  #status: string | undefined
  #asked: Asked | undefined
  #choices: readonly string[] = []
  #drawing: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(terminal: Terminal, listener: ConsoleListener, history: readonly string[] = []) {
    this.#terminal = terminal
    this.#screen = new Screen(terminal)
    this.#listener = listener
    this.#field = new InputLine(history)
    this.#text = new MarkdownLines(terminal.colours, () => terminal.columns)
    terminal.onKey(key => this.#press(key))
    terminal.onResize(() => {
      this.#screen.resized()
      this.#draw()
    })
    terminal.onGone(() => {
      this.#asked?.answer(undefined)
      listener.onEnd()
    })
    this.#draw()
  }

  get colours() {
    return this.#terminal.colours
  }

  get columns() {
    return this.#terminal.columns
  }

  say(lines: string | readonly string[]): void {
    const all = typeof lines === 'string' ? lines.split('\n') : lines
    this.#screen.print(all.flatMap(line => wrapHanging(line, this.columns)))
  }

  stream(text: string): void {
    this.#screen.print(this.#text.take(text))
    this.#drawSoon()
  }

  endStream(): void {
    this.#screen.print(this.#text.end())
    this.#draw()
  }

  status(text: string | undefined): void {
    this.#status = text
    this.#drawSoon()
  }

  ask(question: string, { preset = '' }: QuestionOptions = {}): Promise<string | undefined> {
    return new Promise(resolve => {
      const field = new InputLine()
      field.set(editedEnd(preset))
      const answer = (text: string | undefined) => {
        this.#asked = undefined
        this.say(`${this.colours.dim(question)} ${visible(text ?? '')}`)
        this.#draw()
        resolve(text)
      }
      this.#asked = { question, field, since: performance.now(), answer }
      this.#draw()
    })
  }

  prefill(text: string): void {
    this.#field.set(editedEnd(text))
    this.#draw()
  }

  ring(text: string): void {
    this.#terminal.write(`\x07\x1b]9;${visibleName(text).replaceAll(/[^ -~]/g, '?')}\x07`)
  }

  async lend<Value>(run: () => Promise<Value>): Promise<Value> {
    this.#screen.clear()
    try {
      return await this.#terminal.lend(run)
    } finally {
      this.#draw()
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#drawing)
    this.#screen.print(this.#text.end())
    this.#screen.clear()
    this.#terminal.close()
  }

  #press(key: Key): void {
    const asked = this.#asked
    if (asked && performance.now() - asked.since >= TOO_SOON_MS) this.#pressAsked(asked, key)
    else this.#pressField(key, asked !== undefined)
    this.#draw()
  }

  #pressAsked({ field, answer }: Asked, key: Key): void {
    const action = field.press(key)
    if (action?.type === 'submit') answer(action.text)
    if (action?.type === 'interrupt' || action?.type === 'escape' || action?.type === 'end')
      answer(undefined)
  }

  /** @param isAhead a question has just appeared: nothing that is typed now is sent */
  #pressField(key: Key, isAhead: boolean): void {
    if (isAhead && key.type === 'key' && key.name !== 'backspace') return
    const action = this.#field.press(key)
    if (action?.type !== 'complete') this.#choices = []
    switch (action?.type) {
      case 'submit':
        if (action.text.trim() !== '') this.#submit(action.text)
        return
      case 'interrupt':
        if (this.#field.text !== '') this.#field.set(EMPTY)
        else this.#listener.onInterrupt()
        return
      case 'end':
        return this.#listener.onEnd()
      case 'editor':
        return this.#listener.onEditor?.(this.#field.text)
      case 'complete':
        void this.#complete()
        return
      case 'suspend':
        return this.#listener.onSuspend?.()
      case 'redraw':
        return this.#screen.resized()
    }
  }

  #submit(text: string): void {
    const [first = '', ...rest] = text.split('\n')
    const { bold } = this.colours
    this.say(['', bold(`> ${visible(first)}`), ...rest.map(line => bold(`  ${visible(line)}`))])
    this.#listener.onSubmit(text)
  }

  async #complete(): Promise<void> {
    const { text, cursor } = this.#field.state
    const before = text.slice(0, cursor)
    const { word = '', found = [] } = (await this.#listener.complete?.(before)) ?? {}
    if (this.#field.text !== text || found.length === 0) return
    const common = commonStart(found)
    if (common.length > word.length || found.length === 1) {
      const start = cursor - word.length
      const without = { text: text.slice(0, start) + text.slice(cursor), cursor: start }
      this.#field.set(insert(without, `${common}${found.length === 1 ? ' ' : ''}`))
    }
    this.#choices = found.length > 1 ? found : []
    this.#draw()
  }

  #drawSoon(): void {
    this.#drawing ??= setTimeout(() => this.#draw(), DRAW_MS)
  }

  #draw(): void {
    clearTimeout(this.#drawing)
    this.#drawing = undefined
    if (this.#isClosed) return
    const { columns, colours } = this
    const unfinished = this.#text.unfinished
    const above = [
      ...(unfinished === '' ? [] : wrap(unfinished, columns).slice(-3)),
      ...(this.#status === undefined ? [] : [colours.dim(clip(this.#status, columns))]),
    ]
    const { lines, cursor } = this.#asked
      ? this.#asked.field.view(columns, `${clip(this.#asked.question, columns - 12)} `)
      : this.#field.view(columns, '> ')
    const below =
      this.#choices.length > 0 ? [colours.dim(clip(this.#choices.join('  '), columns))] : []
    this.#screen.show([...above, ...lines, ...below], {
      line: above.length + cursor.line,
      column: cursor.column,
    })
  }
}

function commonStart(texts: readonly string[]): string {
  let common = texts[0] ?? ''
  for (const text of texts) while (!text.startsWith(common)) common = common.slice(0, -1)
  return common
}
