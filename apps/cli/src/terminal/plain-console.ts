import { createInterface, type Interface } from 'node:readline'
import { visible } from '@filewright/protocol'
import { createColours } from './colours.ts'
import type { Console, ConsoleListener, QuestionOptions } from './console.ts'
import type { Display, Keyboard } from './terminal.ts'

/** Plain lines, for a screen reader or a simple terminal: nothing is drawn over, and every line is said once. */
export class PlainConsole implements Console {
  readonly colours = createColours({ isOn: false })
  readonly #display: Display
  readonly #lines: Interface
  #answer: ((text: string | undefined) => void) | undefined
  #isMidLine = false
  #status: string | undefined

  constructor(keyboard: Keyboard, display: Display, listener: ConsoleListener) {
    this.#display = display
    this.#lines = createInterface({ input: keyboard, terminal: false })
    this.#lines.on('line', line => {
      if (this.#answer) this.#answer(line.trim() === '' ? undefined : line.trim())
      else if (line.trim() !== '') listener.onSubmit(line)
    })
    this.#lines.on('close', () => {
      this.#answer?.(undefined)
      listener.onEnd()
    })
    this.#write('> ')
  }

  get columns(): number {
    return Math.max(20, this.#display.columns ?? 80)
  }

  say(lines: string | readonly string[]): void {
    this.endStream()
    this.#write(`${typeof lines === 'string' ? lines : lines.join('\n')}\n`)
  }

  stream(text: string): void {
    this.#write(visible(text))
    this.#isMidLine = !text.endsWith('\n')
  }

  endStream(): void {
    if (this.#isMidLine) this.#write('\n')
    this.#isMidLine = false
  }

  /** Each thing once: a spinner read aloud would be noise. */
  status(text: string | undefined): void {
    const what = text?.split(' · ')[0]
    if (what === this.#status) return
    this.#status = what
    if (what === undefined) this.#write('> ')
  }

  ask(question: string, _options?: QuestionOptions): Promise<string | undefined> {
    this.endStream()
    this.#write(`${question} `)
    return new Promise(resolve => {
      this.#answer = text => {
        this.#answer = undefined
        resolve(text)
      }
    })
  }

  prefill(text: string): void {
    this.say(`Your text was: ${visible(text)}`)
  }

  ring(): void {
    this.#write('\x07')
  }

  lend<Value>(run: () => Promise<Value>): Promise<Value> {
    return run()
  }

  close(): void {
    this.#lines.close()
  }

  #write(text: string): void {
    this.#display.write(text)
  }
}
