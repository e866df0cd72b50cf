import type { TypedCommand, WordKind } from '@filewright/host'
import type { NamedThings } from './named-things.ts'

/** What could stand for the last of these words; nothing where the shell's own file names do. */
export async function candidatesFor(
  commands: readonly TypedCommand[],
  words: readonly string[],
  named: NamedThings,
): Promise<readonly string[]> {
  const given = asTyped(words)
  const last = given.at(-1) ?? ''
  const typed = given.slice(0, -1)
  const { words: fixed, names } = wanted(commands, typed)
  const found = names ? await named(names, typedFolder(words, typed)) : []
  return [...found, ...fixed].filter(each => each.startsWith(last) && PLAIN.test(each))
}

/** Whatever else a name holds, a shell could run. */
const PLAIN = /^[\w.:/@+,=-]+$/

/** A folder may come first, and a session is begun by its options alone. */
function asTyped(words: readonly string[]): readonly string[] {
  const isFolder = words.length > 2 && /^(-C|--cwd)$/.test(words[0]!)
  const rest = isFolder ? words.slice(2) : words
  return rest[0]?.startsWith('-') ? ['session', ...rest] : rest
}

function typedFolder(words: readonly string[], typed: readonly string[]): readonly string[] {
  return /^(-C|--cwd)$/.test(words[0] ?? '') ? [...typed, ...words.slice(0, 2)] : typed
}

interface Wanted {
  readonly words: readonly string[]
  readonly names?: WordKind
}

function wanted(commands: readonly TypedCommand[], before: readonly string[]): Wanted {
  const [name, ...rest] = before
  if (name === undefined) return { words: commands.map(each => each.name) }
  const declared = commands.find(each => each.name === name)
  if (!declared) return { words: [] }
  if (!declared.commands) return wantedOf(declared, rest)
  const [word, ...more] = rest
  if (word === undefined) return { words: declared.commands.map(each => each.name) }
  const inner = declared.commands.find(each => each.name === word)
  return inner ? wantedOf(inner, more) : { words: [] }
}

function wantedOf(command: TypedCommand, before: readonly string[]): Wanted {
  const options = Object.values(command.options ?? {})
  const flagged = before.findLastIndex(word => word.startsWith('-'))
  const open = options.find(
    ({ flags }) => flagged >= 0 && flagsOf(flags).includes(before[flagged]!) && takesValue(flags),
  )
  const given = before.length - 1 - flagged
  const isOpen = open !== undefined && (given === 0 || open.flags.includes('...'))
  const flags = options.flatMap(each => flagsOf(each.flags).slice(-1))
  if (isOpen) return { words: open.choices ?? (given > 0 ? flags : []), names: open.names }
  const argument = Object.values(command.arguments ?? {})[countArguments(before, options)]
  return { words: flags, names: argument?.names }
}

/** Words that are neither an option nor its value. */
function countArguments(
  before: readonly string[],
  options: readonly { readonly flags: string }[],
): number {
  const valued = options
    .filter(({ flags }) => takesValue(flags))
    .flatMap(({ flags }) => flagsOf(flags))
  return before.filter(
    (word, at) => !word.startsWith('-') && !valued.includes(before[at - 1] ?? ''),
  ).length
}

function takesValue(flags: string): boolean {
  return /[<[]/.test(flags)
}

/** `-C, --cwd <dir>` is -C and --cwd. */
function flagsOf(flags: string): string[] {
  return flags.split(/[ ,]+/).filter(word => word.startsWith('-'))
}
