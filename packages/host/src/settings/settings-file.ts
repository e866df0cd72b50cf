import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { KeptSetting } from '@filewright/loop'

/** By the setting's name; readable by its user alone. */
export type SavedSettings = Readonly<Record<string, string | undefined>>

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

/** Undefined removes it. */
export function writeSetting(
  stateRoot: string,
  { name }: KeptSetting,
  value: string | undefined,
): void {
  const { [name]: _, ...others } = readSettings(stateRoot)
  const settings = value === undefined ? others : { ...others, [name]: value }
  writePrivately(fileIn(stateRoot), settings)
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
