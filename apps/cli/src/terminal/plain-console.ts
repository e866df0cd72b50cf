import { visible } from '@filewright/protocol'
import { createColours } from './colours.ts'
import type { Console, ConsoleListener, QuestionOptions } from './console.ts'
import { MarkdownLines } from './markdown.ts'
import type { Display, Keyboard } from './terminal.ts'
import { wrapHanging } from './text-width.ts'
import { TOO_SOON_MS } from './too-soon.ts'

const PROMPT_MS = 50 // what is said in a row has one prompt, at its end
const WAIT_MS = 1_000 // what takes longer is said
const INTERRUPT = '\x03'

interface Asked {
  readonly question: string
  readonly since: number
  readonly answer: (text: string | undefined) => void
}

/** Plain lines, for a screen reader or a simple terminal: nothing is drawn over, and every line is said once. */
export class PlainConsole implements Console {
  readonly colours = createColours({ isOn: false })
  readonly #keyboard: Keyboard
  readonly #display: Display
  readonly #listener: ConsoleListener
  /** A line that has begun; of it, what was typed before the question that is open now. */
  #rest = ''
  #ahead = 0
  #asked: Asked | undefined
  #isMidLine = false
  #isPrompted = false
  #prompting: NodeJS.Timeout | undefined
  #status: string | undefined
  #waiting: NodeJS.Timeout | undefined
  #last = ''
  readonly #text = new MarkdownLines(this.colours, () => this.columns)

  constructor(keyboard: Keyboard, display: Display, listener: ConsoleListener) {
    this.#keyboard = keyboard
    this.#display = display
    this.#listener = listener
    keyboard.on('data', this.#take)
    keyboard.once('end', this.#onEnd)
    keyboard.resume()
    process.on('SIGINT', this.#interrupt)
    this.#promptSoon()
  }

  get columns(): number {
    return Math.max(20, this.#display.columns ?? 80)
  }

  say(lines: string | readonly string[]): void {
    this.endStream()
    const all = typeof lines === 'string' ? lines.split('\n') : lines
    this.#writeLines(all.flatMap(line => wrapHanging(line, this.columns)))
  }

  /** Whole lines, so that each is said once. */
  stream(text: string): void {
    this.#writeLines(this.#text.take(text))
  }

  endStream(): void {
    if (this.#isMidLine) this.#write('\n')
    this.#isMidLine = false
    this.#writeLines(this.#text.end())
  }

  /** Each thing once: a spinner read aloud would be noise. */
  status(text: string | undefined): void {
    const status = text?.split(' · ')[0]
    if (status === this.#status) return
    this.#status = status
    clearTimeout(this.#waiting)
    if (status !== undefined) this.#waiting = setTimeout(() => this.#sayWait(status), WAIT_MS)
    this.#waiting?.unref()
    this.#promptSoon()
  }

  ask(question: string, { preset }: QuestionOptions = {}): Promise<string | undefined> {
    this.endStream()
    if (preset) this.#write(`Now: ${visible(preset)}\n`)
    return new Promise(resolve => {
      const answer = (text: string | undefined) => {
        this.#asked = undefined
        this.#promptSoon()
        resolve(text)
      }
      this.#asked = { question, since: performance.now(), answer }
      this.#write(`${question} `)
      this.#isMidLine = true
      this.#takeBegunLine()
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
    clearTimeout(this.#prompting)
    clearTimeout(this.#waiting)
    process.off('SIGINT', this.#interrupt)
    this.#keyboard.off('data', this.#take)
    this.#keyboard.off('end', this.#onEnd)
    this.#keyboard.pause()
  }

  readonly #take = (data: Buffer | string): void => {
    for (const part of data.toString().split(/(\r\n?|\n|\x03)/)) {
      if (part === INTERRUPT) this.#interrupt()
      else if (/^[\r\n]/.test(part)) this.#endLine()
      else this.#rest += part
    }
    if (this.#isTooSoon()) this.#ahead = this.#rest.length
  }

  /** @returns whether a question is open that nobody can have read yet */
  #isTooSoon(): boolean {
    return this.#asked !== undefined && performance.now() - this.#asked.since < TOO_SOON_MS
  }

  #endLine(): void {
    const line = this.#rest.slice(this.#ahead)
    const isAhead = this.#isTooSoon() || (this.#ahead > 0 && line.trim() === '')
    this.#rest = ''
    this.#ahead = 0
    this.#isPrompted = false
    this.#isMidLine = false
    const asked = this.#asked
    if (asked && isAhead) {
      this.#write(`What was typed before the question does not answer it.\n${asked.question} `)
      this.#isMidLine = true
    } else if (asked) asked.answer(line.trim() === '' ? undefined : line.trim())
    else if (line.trim() === '') this.#promptSoon()
    else this.#listener.onSubmit(line)
  }

  /** What a person has typed into a line without ending it, the terminal still holds: it must not begin the answer. */
  #takeBegunLine(): void {
    this.#ahead = this.#rest.length
    this.#keyboard.setRawMode?.(true)
    this.#keyboard.setRawMode?.(false)
  }

  readonly #interrupt = (): void => {
    this.#rest = ''
    this.#ahead = 0
    this.#write('\n')
    this.#isMidLine = false
    this.#isPrompted = false
    if (this.#asked) this.#asked.answer(undefined)
    else this.#listener.onInterrupt()
  }

  readonly #onEnd = (): void => {
    this.#asked?.answer(undefined)
    this.#listener.onEnd()
  }

  #promptSoon(): void {
    clearTimeout(this.#prompting)
    this.#prompting = setTimeout(() => {
      const isBusy = this.#status !== undefined || this.#asked !== undefined || this.#isMidLine
      if (isBusy || this.#isPrompted) return
      this.#display.write('> ')
      this.#isPrompted = true
    }, PROMPT_MS)
    this.#prompting.unref()
  }

  /** Unless the line above says it already, as that of a call does. */
  #sayWait(status: string): void {
    const line = `· ${visible(status)}`
    if (!this.#isMidLine && line !== this.#last) this.#writeLines([line])
  }

  #writeLines(lines: readonly string[]): void {
    if (lines.length === 0) return
    this.#last = lines.at(-1)!
    this.#write(lines.map(line => `${line}\n`).join(''))
    this.#promptSoon()
  }

  #write(text: string): void {
    if (this.#isPrompted) this.#display.write('\n')
    this.#isPrompted = false
    this.#display.write(text)
  }
}
