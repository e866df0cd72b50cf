import {
  addCommands,
  createHost,
  type Face,
  isGroup,
  type Load,
  loadFaces,
  version,
} from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { Command, CommanderError } from 'commander'

/** Runs the command that the command line names, from the faces in the table. */
export async function runProgram(table: readonly Load<Face>[]): Promise<void> {
  process.stdout.on('error', endQuietly)
  process.on('SIGINT', endCancelled)
  const program = new Command('filewright')
    .description('Agents that work on your files, and cannot wreck them.')
    .version(version)
    .exitOverride()
    .configureHelp({ subcommandTerm })
    .showHelpAfterError('(filewright --help lists the commands)')
    .configureOutput({ writeErr: text => void process.stderr.write(text) })
  const loaded = await loadFaces(table)
  const { commands } = loaded
  addCommands(program, commands, createHost(loaded))
  const groups = commands.filter(isGroup).map(({ name }) => name)
  try {
    const names = commands.map(({ name }) => name)
    const given = withSession(folderLast(helpFirst(process.argv.slice(2), names), groups))
    if (given.length === 0) program.addHelpText('after', `\n${NO_TERMINAL}`)
    await program.parseAsync(given, { from: 'user' })
  } catch (error) {
    process.exitCode = await toExitCode(error)
  }
}

/** All commands fit a terminal of 80 columns by their names alone; those of a group have their arguments. */
function subcommandTerm(command: Command): string {
  const words = command.parent?.parent
    ? command.usage().replace(/\[(options|command)\] ?/g, '')
    : ''
  return `${command.name()} ${words}`.trim()
}

/** 2 for a command line that cannot be read; `--help` and `--version` arrive here too, with 0. */
async function toExitCode(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  return (await import('./exit-code.ts')).exitCodeFor(error)
}

/** `filewright` alone, with a folder or an option, is an interactive session; without a terminal it lists the commands. */
export function withSession(given: readonly string[], isTerminal = process.stdin.isTTY === true) {
  const [first] = given
  if (first === undefined && !isTerminal) return [...given]
  const isBare = first === undefined || (first.startsWith('-') && !PROGRAM_OPTIONS.test(first))
  return isBare ? ['session', ...given] : [...given]
}

/** `filewright help run` is `filewright run --help`, and `help` alone the list of commands. */
export function helpFirst(given: readonly string[], commands: readonly string[]): string[] {
  const [first, topic, ...rest] = given
  if (first !== 'help') return [...given]
  if (topic === undefined) return ['--help']
  return topic !== 'help' && commands.includes(topic) ? [topic, ...rest, '--help'] : [...given]
}

const NO_TERMINAL =
  'An interactive session needs a terminal; without one, use: filewright run "TASK"'

const PROGRAM_OPTIONS = /^(-h|--help|-V|--version)$/

/**
 * `filewright -C DIR COMMAND …`, as git takes it, and `filewright draft -C DIR list` have their folder at the end.
 * @param groups commands whose next word is another command
 */
export function folderLast(given: readonly string[], groups: readonly string[]): string[] {
  const words = groups.includes(given[0] ?? '') ? 2 : 1
  const at = given.slice(0, words).findIndex(word => word === '-C' || word === '--cwd')
  const [option, folder] = given.slice(at)
  if (at < 0 || option === undefined || folder === undefined) return [...given]
  const rest = given.toSpliced(at, 2)
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length
  return rest.toSpliced(end, 0, option, folder)
}

/** A command with something to finish first has a listener of its own. */
function endCancelled(): void {
  if (process.listenerCount('SIGINT') === 1) process.exit(EXIT_CODES.cancelled)
}

/** A reader such as `head` may stop early, which is fine; any other trouble means the answer is incomplete. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`filewright: the answer could not be written to stdout (${error.message})\n`)
  process.exit(EXIT_CODES.unavailable)
}
