import {
  Exit,
  isSecret,
  note,
  readConfig,
  readSettings,
  SETTING_NAMES,
  type SettingName,
  writeSetting,
} from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { answer } from '../output/output.ts'

/** Without arguments it lists; a secret is never shown. */
export function config(
  action: string | undefined,
  name: string | undefined,
  value: string | undefined,
): void {
  const { stateRoot } = readConfig()
  if (action === undefined || action === 'list') return list(stateRoot)
  if (!isSettingName(name))
    throw new Exit(EXIT_CODES.invalid, `the settings are ${SETTING_NAMES.join(', ')}`)
  if (action === 'unset') writeSetting(stateRoot, name, undefined)
  else if (action === 'set' && value !== undefined) writeSetting(stateRoot, name, value)
  else
    throw new Exit(
      EXIT_CODES.invalid,
      'use: filewright config [list | set NAME VALUE | unset NAME]',
    )
  note(`${name} is ${action === 'set' ? 'set' : 'not set any more'}.`)
}

function list(stateRoot: string): void {
  const settings = readSettings(stateRoot)
  for (const name of SETTING_NAMES) {
    const value = settings[name]
    answer(`${name.padEnd(14)} ${value === undefined ? '-' : isSecret(name) ? '(set)' : value}`)
  }
}

function isSettingName(name: string | undefined): name is SettingName {
  return (SETTING_NAMES as readonly (string | undefined)[]).includes(name)
}
