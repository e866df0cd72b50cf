import type { Colours } from './colours.ts'

/** What an interactive session says to a person and hears from one. */
export interface Console {
  readonly colours: Colours
  readonly columns: number
  /** Lines that stay; already safe for a terminal. */
  say(lines: string | readonly string[]): void
  /** The text of the model as it comes. */
  stream(text: string): void
  /** The text is whole, or something else comes next. */
  endStream(): void
  /** What goes on right now; it leaves no trace. */
  status(text: string | undefined): void
  /**
   * Asks in place. Only keys pressed after the question was shown count: whatever was typed ahead stays in the field. Undefined
   * if the person declines to answer (Escape, Ctrl-C, the end of the input).
   */
  ask(question: string, options?: QuestionOptions): Promise<string | undefined>
  /** The person's own text in the field, for them to go on with. */
  prefill(text: string): void
  /** Tells a person who looks elsewhere that something waits. */
  ring(text: string): void
  /** Another program has the terminal while it runs. */
  lend<Value>(run: () => Promise<Value>): Promise<Value>
  close(): void
}

export interface QuestionOptions {
  /** What stands in the field already. */
  readonly preset?: string
}

/** What a person does at any time. */
export interface ConsoleListener {
  onSubmit(text: string): void
  onInterrupt(): void
  onEnd(): void
  /** Ctrl-X: the text is edited elsewhere. */
  onEditor?(text: string): void
  /** What could stand in place of the word before the cursor. */
  complete?(before: string): Promise<Completion>
  /** Ctrl-Z: the shell has the terminal until it gives it back. */
  onSuspend?(): void
}

export interface Completion {
  /** The end of the text that `found` could replace. */
  readonly word: string
  readonly found: readonly string[]
}
