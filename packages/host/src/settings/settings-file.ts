import { join } from 'node:path'
import type { KeptSetting } from '@filewright/loop'
import { readKept, writeKept } from './kept-object.ts'
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
  for (const [name, kept] of Object.entries(readKept(fileIn(stateRoot)))) {
    if (typeof kept !== 'string') continue // a person wrote it by hand
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
  const { [name]: _, ...others } = readKept(fileIn(stateRoot))
  const { current } = secrets
  const kept = value !== undefined && isSecret && current ? seal(value, name, current) : value
  writeKept(fileIn(stateRoot), kept === undefined ? others : { ...others, [name]: kept })
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

function fileIn(stateRoot: string): string {
  return join(stateRoot, 'config.json')
}
