import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { KeptSetting } from '@filewright/loop'
import { isSealed, open, type Secrets, seal } from './sealed-text.ts'

/** By the setting's name; readable by its user alone. */
export type SavedSettings = Readonly<Record<string, string | undefined>>

/** Where settings are kept, and what the keys among them are encrypted with. */
export interface SettingsPlace {
  readonly stateRoot: string
  readonly secrets: Secrets
}

export interface ReadSettings {
  readonly settings: SavedSettings
  /** Names of those that were encrypted with a secret that is not here. */
  readonly unreadable: readonly string[]
}

export function readSettings({ stateRoot, secrets }: SettingsPlace): ReadSettings {
  const settings: Record<string, string> = {}
  const unreadable: string[] = []
  for (const [name, kept] of Object.entries(readKept(stateRoot))) {
    const value = isSealed(kept) ? open(kept, name, secrets) : kept
    if (value === undefined) unreadable.push(name)
    else settings[name] = value
  }
  return { settings, unreadable }
}

/** Undefined removes it. */
export function writeSetting(
  { stateRoot, secrets }: SettingsPlace,
  { name, isSecret }: KeptSetting,
  value: string | undefined,
): void {
  const { [name]: _, ...others } = readKept(stateRoot)
  const { current } = secrets
  const kept = value !== undefined && isSecret && current ? seal(value, name, current) : value
  writePrivately(fileIn(stateRoot), kept === undefined ? others : { ...others, [name]: kept })
}

/** Encrypts every key anew, those that were not encrypted too. Answers their names; an unreadable one stays as it is. */
export function rotateSettings(
  place: SettingsPlace,
  settings: readonly KeptSetting[],
): readonly string[] {
  const saved = readSettings(place).settings
  const secret = settings.filter(({ name, isSecret }) => isSecret && saved[name] !== undefined)
  for (const setting of secret) writeSetting(place, setting, saved[setting.name])
  return secret.map(({ name }) => name)
}

/** What a person wrote into the file by hand may be anything. */
function readKept(stateRoot: string): Readonly<Record<string, string>> {
  try {
    const saved: unknown = JSON.parse(readFileSync(fileIn(stateRoot), 'utf8'))
    const entries = Object.entries(Object(saved) as object)
    return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}

/** Whole or not at all, and for its user alone. */
export function writePrivately(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.new`
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, path)
}

function fileIn(stateRoot: string): string {
  return join(stateRoot, 'config.json')
}
