import { version } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { Command } from 'commander'
import { addCommands } from './commands/index.ts'

export async function runProgram(): Promise<void> {
  process.stdout.on('error', endQuietly)
  process.on('SIGINT', endCancelled)
  const program = new Command('filewright')
    .description('Agents that work on your files, and cannot wreck them.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(filewright --help lists the commands)')
    .configureOutput({ writeErr: text => void process.stderr.write(text) })
  addCommands(program)
  try {
    await program.parseAsync(folderLast(process.argv.slice(2)), { from: 'user' })
  } catch (error) {
    process.exitCode = (await import('./exit-code.ts')).toExitCode(error)
  }
}

/** Commands whose next word is another command. */
const GROUPS: ReadonlySet<string> = new Set(['approvals', 'draft', 'rules'])

/** `filewright -C DIR COMMAND …`, as git takes it, and `filewright draft -C DIR list` have their folder at the end. */
export function folderLast(given: readonly string[]): string[] {
  const words = GROUPS.has(given[0] ?? '') ? 2 : 1
  const at = given.slice(0, words).findIndex(word => word === '-C' || word === '--cwd')
  const [option, folder] = given.slice(at)
  if (at < 0 || option === undefined || folder === undefined) return [...given]
  const rest = given.toSpliced(at, 2)
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length
  return rest.toSpliced(end, 0, option, folder)
}

/** A command that has something to finish first listens itself. */
function endCancelled(): void {
  if (process.listenerCount('SIGINT') === 1) process.exit(EXIT_CODES.cancelled)
}

/** Whoever read our answer has enough of it, as `head` does; one that cannot be given whole is no success. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`filewright: the answer could not be written to stdout (${error.message})\n`)
  process.exit(EXIT_CODES.unavailable)
}
