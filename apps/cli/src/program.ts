import { Command, CommanderError } from 'commander'
import { addCommands } from './commands/index.ts'
import { Exit, note } from './output.ts'
import { version } from './version.ts'

export async function runProgram(): Promise<void> {
  process.stdout.on('error', endQuietly)
  const program = new Command('filewright')
    .description('Agents that work on your files, and cannot wreck them.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(filewright --help lists the commands)')
    .configureOutput({ writeErr: text => void process.stderr.write(text) })
  addCommands(program)
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = toExitCode(error)
  }
}

function toExitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Exit) {
    if (error.message) note(`filewright: ${error.message}`)
    return error.code
  }
  note(`filewright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 1
}

/** Whoever read our answer has enough of it, as `head` does. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
}
