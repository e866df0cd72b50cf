import type { Result } from '@filewright/protocol'
import type { WordKind } from '../work/word-kind.ts'

/** A word of the command line: `<task>`, `[session]` or `[paths...]`. */
export interface ArgumentDeclaration<Value> {
  readonly usage: string
  readonly help: string
  /** Used when none is given. */
  readonly preset?: Value
  readonly names?: WordKind
}

export interface OptionDeclaration<Value> {
  /** `--yes`, `--model <name>` or `-C, --cwd <dirs...>`. */
  readonly flags: string
  readonly help: string
  readonly choices?: readonly string[]
  /** Options that cannot be given with it. */
  readonly conflicts?: readonly string[]
  readonly isRequired?: boolean
  /** Used when none is given. */
  readonly preset?: Value & {}
  readonly parse?: (text: string) => Result<Value & {}>
  readonly names?: WordKind
}

/** The values a command gets for the arguments or options it declares. */
export type ValuesOf<Declared> = {
  readonly [Name in keyof Declared]: ValueOf<Declared[Name]>
}

type ValueOf<Declared> =
  Declared extends OptionDeclaration<infer Value>
    ? Value
    : Declared extends ArgumentDeclaration<infer Value>
      ? Value
      : never

type ArgumentValue<Usage extends string> = Usage extends `<${string}...>` | `[${string}...]`
  ? readonly string[]
  : Usage extends `<${string}>`
    ? string
    : string | undefined

type OptionValue<Flags extends string> = Flags extends `${string}...>`
  ? readonly string[]
  : Flags extends `${string}>`
    ? string
    : boolean

export function argument(usage: string, help: string, preset: string): ArgumentDeclaration<string>
export function argument<Usage extends string>(
  usage: Usage,
  help: string,
): ArgumentDeclaration<ArgumentValue<Usage>>
export function argument(usage: string, help: string, preset?: string) {
  return { usage, help, preset }
}

export function option<Flags extends string>(
  flags: Flags,
  help: string,
): OptionDeclaration<OptionValue<Flags> | undefined> {
  return { flags, help }
}

export function choice<const Choice extends string>(
  flags: string,
  help: string,
  choices: readonly Choice[],
): OptionDeclaration<Choice | undefined> {
  return { flags, help, choices }
}

export function parsed<Value>(
  flags: string,
  help: string,
  parse: (text: string) => Result<Value & {}>,
): OptionDeclaration<Value | undefined> {
  return { flags, help, parse }
}

export function required<Value>(
  declared: OptionDeclaration<Value | undefined>,
): OptionDeclaration<Value> {
  return { ...declared, isRequired: true }
}

export function withPreset<Value>(
  declared: OptionDeclaration<Value | undefined>,
  preset: NoInfer<Value & {}>,
): OptionDeclaration<Value> {
  return { ...declared, preset }
}

export function notWith<Value>(
  conflicts: readonly string[],
  declared: OptionDeclaration<Value>,
): OptionDeclaration<Value> {
  return { ...declared, conflicts }
}

export function naming<Declared extends ArgumentDeclaration<unknown> | OptionDeclaration<unknown>>(
  names: WordKind,
  declared: Declared,
): Declared {
  return { ...declared, names }
}
