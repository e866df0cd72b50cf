import { EXIT_CODES } from '@filewright/protocol'
import { Command, CommanderError } from 'commander'
import { addCommands } from './commands/index.ts'
import { Exit, note } from './output.ts'
import { version } from './version.ts'

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
    process.exitCode = await toExitCode(error)
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

async function toExitCode(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Exit) {
    if (error.message) note(`filewright: ${error.message}`)
    return error.code
  }
  if (isDiskTrouble(error)) {
    const { readConfig } = await import('./config.ts')
    note(
      `filewright: the state folder ${readConfig().stateRoot} cannot be used (${error.message}). Make room or give permission there, or set FILEWRIGHT_STATE to another folder.`,
    )
    return EXIT_CODES.unavailable
  }
  if (isNoMoreFiles(error)) {
    note(
      `filewright: too many files are open on this machine (${error.message}). Try again when others have ended, or allow more of them: ulimit -n.`,
    )
    return EXIT_CODES.unavailable
  }
  note(`filewright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 1
}

function isNoMoreFiles(error: unknown): error is Error {
  return error instanceof Error && /^E[MN]FILE$/.test(String((error as NodeJS.ErrnoException).code))
}

const DISK_CODES = 'ENOSPC EDQUOT EACCES EPERM EROFS ENOTDIR EISDIR EEXIST EIO'.split(' ')
const DISK_WORDS =
  /disk is full|readonly database|unable to open database|disk I\/O error|not a database/ // SQLite's

/** What a tool meets on the person's disk is a failure of that tool; what is thrown up to here came from our own files. */
function isDiskTrouble(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return (
    DISK_CODES.includes(String((error as NodeJS.ErrnoException).code)) ||
    DISK_WORDS.test(error.message)
  )
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
