import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a person set once, so that the environment need not say it; readable by its user alone. */
export const SETTING_NAMES = [
  'model',
  'base-url',
  'api-key',
  'openai-key',
  'anthropic-key',
  'google-key',
] as const
export type SettingName = (typeof SETTING_NAMES)[number]
export type SavedSettings = Readonly<Partial<Record<SettingName, string>>>

export function readSettings(stateRoot: string): SavedSettings {
  try {
    return toSettings(JSON.parse(readFileSync(fileIn(stateRoot), 'utf8')))
  } catch {
    return {}
  }
}

/** What a person wrote into the file by hand may be anything. */
function toSettings(saved: unknown): SavedSettings {
  const entries = Object.entries(Object(saved) as object)
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
}

/** Undefined takes it away. */
export function writeSetting(
  stateRoot: string,
  name: SettingName,
  value: string | undefined,
): void {
  const { [name]: _, ...others } = readSettings(stateRoot)
  const settings = value === undefined ? others : { ...others, [name]: value }
  mkdirSync(stateRoot, { recursive: true, mode: 0o700 })
  const temporary = `${fileIn(stateRoot)}.new`
  writeFileSync(temporary, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, fileIn(stateRoot))
}

export function isSecret(name: SettingName): boolean {
  return name.endsWith('-key')
}

function fileIn(stateRoot: string): string {
  return join(stateRoot, 'config.json')
}
