import type { TypedCommand } from '@filewright/host'

/** What could stand for the last of these words; nothing where the shell's own file names do. */
export async function candidatesFor(
  commands: readonly TypedCommand[],
  words: readonly string[],
): Promise<readonly string[]> {
  const last = words.at(-1) ?? ''
  const found = await allFor(commands, words.slice(0, -1))
  return found.filter(each => each.startsWith(last))
}

async function allFor(
  commands: readonly TypedCommand[],
  before: readonly string[],
): Promise<readonly string[]> {
  const [name, ...rest] = before
  if (name === undefined) return commands.map(each => each.name)
  const declared = commands.find(each => each.name === name)
  if (!declared) return []
  if (!declared.commands) return wordsOf(declared, rest)
  const [word, ...more] = rest
  const names = declared.commands.map(each => each.name)
  if (word === undefined) return names
  const inner = declared.commands.find(each => each.name === word)
  return inner ? wordsOf(inner, more) : []
}

async function wordsOf(
  command: TypedCommand,
  before: readonly string[],
): Promise<readonly string[]> {
  const options = Object.values(command.options ?? {})
  const last = before.at(-1)
  const open = options.find(({ flags }) => last !== undefined && flagsOf(flags).includes(last))
  if (open?.choices) return open.choices
  if (open && /[<[]/.test(open.flags)) return []
  const firstArgument = Object.values(command.arguments ?? {})[0]
  const isFirst = before.length === 0
  const own = isFirst && firstArgument?.usage === '[tool]' ? await toolNames() : []
  return [...own, ...options.flatMap(({ flags }) => flagsOf(flags).slice(-1))]
}

/** `-C, --cwd <dir>` is -C and --cwd. */
function flagsOf(flags: string): string[] {
  return flags.split(/[ ,]+/).filter(word => word.startsWith('-'))
}

async function toolNames(): Promise<readonly string[]> {
  const { catalog } = await import('@filewright/tools')
  return catalog.map(({ declaration }) => declaration.name)
}
