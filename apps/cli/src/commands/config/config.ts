import {
  Exit,
  findSetting,
  note,
  readConfig,
  readSettings,
  SETTINGS,
  writeSetting,
} from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { answer } from '../../output/output.ts'

interface ConfigOptions {
  readonly action?: string
  readonly name?: string
  readonly value?: string
}

/** Without arguments it lists; a secret is never shown. */
export function config({ action, name, value }: ConfigOptions): void {
  const { stateRoot } = readConfig()
  if (action === undefined || action === 'list') return list(stateRoot)
  const setting = findSetting(name)
  if (!setting)
    throw new Exit(
      EXIT_CODES.invalid,
      `the settings are ${SETTINGS.map(each => each.name).join(', ')}`,
    )
  if (action === 'unset') writeSetting(stateRoot, setting, undefined)
  else if (action === 'set' && value !== undefined) writeSetting(stateRoot, setting, value)
  else
    throw new Exit(
      EXIT_CODES.invalid,
      'use: filewright config [list | set NAME VALUE | unset NAME]',
    )
  note(`${name} is ${action === 'set' ? 'set' : 'no longer set'}.`)
}

function list(stateRoot: string): void {
  const settings = readSettings(stateRoot)
  const width = Math.max(...SETTINGS.map(({ name }) => name.length))
  for (const { name, isSecret } of SETTINGS) {
    const value = settings[name]
    answer(`${name.padEnd(width)}  ${value === undefined ? '-' : isSecret ? '(set)' : value}`)
  }
}
