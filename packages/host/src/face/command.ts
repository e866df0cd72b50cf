import type { Host } from '../work/host.ts'
import type { ArgumentDeclaration, OptionDeclaration, ValuesOf } from './command-line.ts'

export type CommandDeclaration = Command | CommandGroup

/** One command, declared next to its code. */
export interface Command<Given = Readonly<Record<string, unknown>>> {
  readonly name: string
  readonly summary: string
  /** What its help says below the options. */
  details?(): string
  /** In the order in which they are given; `run` gets each by its name here. */
  readonly arguments?: Readonly<Record<string, ArgumentDeclaration<unknown>>>
  readonly options?: Readonly<Record<string, OptionDeclaration<unknown>>>
  /** In a group: the command that runs when no other is named. */
  readonly isDefault?: boolean
  /** It says by itself what goes on, or stays until it is ended: no line counts its seconds. */
  readonly showsProgress?: boolean
  /** Imports its code, so that it loads with the first use. */
  run(given: Given, host: Host): void | Promise<void>
}

/** Commands of two words, as `draft list`. */
export interface CommandGroup {
  readonly name: string
  readonly summary: string
  readonly commands: readonly Command[]
}

/** Gives `run` the types that the arguments and options declare. */
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
