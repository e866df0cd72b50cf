import {
  Exit,
  findSetting,
  note,
  readConfig,
  readSettings,
  rotateSettings,
  SETTINGS,
  type SettingsPlace,
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
  const place = readConfig()
  if (action === undefined || action === 'list') return list(place)
  if (action === 'rotate') return rotate(place)
  const setting = findSetting(name)
  if (!setting)
    throw new Exit(
      EXIT_CODES.invalid,
      `the settings are ${SETTINGS.map(each => each.name).join(', ')}`,
    )
  if (action === 'unset') writeSetting(place, setting, undefined)
  else if (action === 'set' && value !== undefined) writeSetting(place, setting, value)
  else
    throw new Exit(
      EXIT_CODES.invalid,
      'use: filewright config [list | set NAME VALUE | unset NAME | rotate]',
    )
  note(`${name} is ${action === 'set' ? 'set' : 'no longer set'}.`)
}

function list(place: SettingsPlace): void {
  const { settings, unreadable } = readSettings(place)
  const width = Math.max(...SETTINGS.map(({ name }) => name.length))
  const shown = ({ name, isSecret }: (typeof SETTINGS)[number]) => {
    if (unreadable.includes(name))
      return '(encrypted with a FILEWRIGHT_SECRET that is not set here)'
    const value = settings[name]
    return value === undefined ? '-' : isSecret ? '(set)' : value
  }
  for (const setting of SETTINGS) answer(`${setting.name.padEnd(width)}  ${shown(setting)}`)
}

/** Keys are encrypted with the secret of now: the first time, and whenever it changed. */
function rotate(place: SettingsPlace): void {
  if (!place.secrets.current)
    throw new Exit(
      EXIT_CODES.invalid,
      'set FILEWRIGHT_SECRET to the secret that keys are to be encrypted with, and FILEWRIGHT_SECRET_OLD to the one before, if there was one',
    )
  const { unreadable } = readSettings(place)
  if (unreadable.length > 0)
    throw new Exit(
      EXIT_CODES.denied,
      `nothing was changed: ${unreadable.join(', ')} cannot be read with FILEWRIGHT_SECRET or FILEWRIGHT_SECRET_OLD. Name the secret they were encrypted with, or unset them`,
    )
  const names = rotateSettings(place, SETTINGS)
  note(`Encrypted with FILEWRIGHT_SECRET: ${names.join(', ') || 'no key is set'}.`)
}
