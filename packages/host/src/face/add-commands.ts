import { type Command as Commander, InvalidArgumentError, Option } from 'commander'
import type { Host } from '../work/host.ts'
import { patientHost } from '../work/patient-host.ts'
import { type Command, type CommandDeclaration, isGroup } from './command.ts'
import type { OptionDeclaration } from './command-line.ts'

/** Puts every command of the table into the program, in the table's order. */
export function addCommands(
  program: Commander,
  commands: readonly CommandDeclaration[],
  host: Host,
): void {
  for (const command of commands) {
    if (!isGroup(command)) {
      addCommand(program, command, host)
      continue
    }
    const group = program.command(command.name).description(command.summary)
    for (const each of command.commands) addCommand(group, each, host, `${command.name} `)
  }
}

function addCommand(parent: Commander, declared: Command, host: Host, group = ''): void {
  const { name, summary, isDefault, arguments: words = {}, options = {} } = declared
  const made = parent.command(name, { isDefault }).description(summary)
  for (const { usage, help, preset } of Object.values(words)) made.argument(usage, help, preset)
  for (const [key, option] of Object.entries(options)) made.addOption(toOption(key, option))
  if (declared.details) made.addHelpText('after', () => `\n${declared.details?.()}`)
  made.action(() => {
    const given = Object.keys(words).map((word, index) => [word, made.processedArgs[index]])
    const own = declared.showsProgress ? host : patientHost(host, `${group}${name}`)
    return declared.run({ ...Object.fromEntries(given), ...made.opts() }, own)
  })
}

function toOption(name: string, declared: OptionDeclaration<unknown>): Option {
  const { flags, help, choices, conflicts, preset, parse, isRequired = false } = declared
  const option = new Option(flags, help).makeOptionMandatory(isRequired)
  if (option.attributeName() !== name)
    throw new Error(`"${flags}" is given as ${option.attributeName()}, and declared as ${name}`)
  if (choices) option.choices(choices)
  if (conflicts) option.conflicts([...conflicts])
  if (preset !== undefined) option.default(preset)
  if (parse) option.argParser(text => unwrapOrRefuse(parse(text)))
  return option
}

function unwrapOrRefuse<Value>(result: ReturnType<NonNullable<OptionDeclaration<Value>['parse']>>) {
  if (result.ok) return result.value
  throw new InvalidArgumentError(result.failure.message)
}
