/** What is being typed at the cursor that can be completed. */
export interface Completing {
  readonly kind: 'file' | 'command'
  /** Without its sign. */
  readonly word: string
  /** Where the sign stands. */
  readonly start: number
}

export function completingAt(text: string, cursor: number): Completing | undefined {
  const before = text.slice(0, cursor)
  const command = /^\/(\w*)$/.exec(before)
  if (command) return { kind: 'command', word: command[1]!, start: 0 }
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before)
  if (!file) return undefined
  return { kind: 'file', word: file[1]!, start: cursor - file[1]!.length - 1 }
}

/** The text with the completed word, and where the cursor is then. */
export function complete(
  text: string,
  cursor: number,
  { start, kind }: Completing,
  chosen: string,
): { readonly text: string; readonly cursor: number } {
  const word = `${kind === 'file' ? '@' : '/'}${chosen} `
  return { text: text.slice(0, start) + word + text.slice(cursor), cursor: start + word.length }
}

export const COMMANDS = [
  { name: 'new', help: 'begin a new conversation' },
  { name: 'review', help: 'look at the changes in the draft' },
  { name: 'history', help: 'what was written, to undo it' },
  { name: 'stop', help: 'stop the run' },
  { name: 'plan', help: 'plan first: read, and write nothing' },
  { name: 'model', help: 'choose another model' },
] as const

export type CommandName = (typeof COMMANDS)[number]['name']

/** A line that begins with one of the commands, and what stands behind it. */
export function parseCommand(
  text: string,
): { readonly name: CommandName; readonly rest: string } | undefined {
  const found = /^\/(\w+)(?:\s+([\s\S]*))?$/.exec(text.trim())
  const command = COMMANDS.find(({ name }) => name === found?.[1])
  return command && { name: command.name, rest: found?.[2]?.trim() ?? '' }
}
