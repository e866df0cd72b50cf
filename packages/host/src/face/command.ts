import type { Host } from '../work/host.ts'
import type { ArgumentDeclaration, OptionDeclaration, ValuesOf } from './command-line.ts'

export type CommandDeclaration = Command | CommandGroup

/** One command, declared beside its code. */
export interface Command<Given = Readonly<Record<string, unknown>>> {
  readonly name: string
  readonly summary: string
  /** What its help says below the options. */
  details?(): string
  /** In the order in which they are given, each by the name under which `run` takes it. */
  readonly arguments?: Readonly<Record<string, ArgumentDeclaration<unknown>>>
  readonly options?: Readonly<Record<string, OptionDeclaration<unknown>>>
  /** Of a group: meant when no other word is given. */
  readonly isDefault?: boolean
  /** Imports its code, which is not loaded before. */
  run(given: Given, host: Host): void | Promise<void>
}

/** Commands of two words, as `draft list`. */
export interface CommandGroup {
  readonly name: string
  readonly summary: string
  readonly commands: readonly Command[]
}

/** So that `run` gets what the arguments and options say. */
export function defineCommand<
  Arguments extends NonNullable<Command['arguments']>,
  Options extends NonNullable<Command['options']>,
>(
  command: Command<ValuesOf<Arguments> & ValuesOf<Options>> & {
    readonly arguments?: Arguments
    readonly options?: Options
  },
): Command {
  return command
}

export function isGroup(command: CommandDeclaration): command is CommandGroup {
  return 'commands' in command
}
