import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { note } from '../exit/note.ts'

export type KeptObject = Readonly<Record<string, unknown>>

const told = new Set<string>()

/** A file of the state folder that holds one JSON object, empty where there is none yet. A damaged one is told by name, once. */
export function readKept(path: string): KeptObject {
  const found = read(path)
  if ('object' in found) return found.object
  if (!told.has(path)) note(describe(path, found.bytes))
  told.add(path)
  return {}
}

/** Whole or not at all, and for its user alone. A damaged file is never overwritten: it is kept beside the new one. */
export function writeKept(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const found = read(path)
  if ('bytes' in found) {
    const aside = `${path}.damaged-${createHash('sha256').update(found.bytes).digest('hex').slice(0, 8)}`
    renameSync(path, aside)
    note(`The damaged ${basename(path)} is kept as ${basename(aside)} in the state folder.`)
  }
  const temporary = `${path}.new`
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, path)
}

function read(path: string): { object: KeptObject } | { bytes: Buffer } {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { object: {} } // no state yet, or no place for it
    throw error
  }
  try {
    const object: unknown = JSON.parse(isUtf8(bytes) ? bytes.toString() : '')
    const isObject = typeof object === 'object' && object !== null && !Array.isArray(object)
    if (isObject) return { object: object as KeptObject }
  } catch {
    // damaged: told by whoever reads it
  }
  return { bytes }
}

/** Names alone: a value may be a key, and a damaged one must not be used unseen. */
function describe(path: string, bytes: Buffer): string {
  const names = [...bytes.toString().matchAll(/"([\w./:-]+)"\s*:\s*(?:"(?:[^"\\\n]|\\.)*"|\{)/g)]
  const left = [...new Set(names.map(([, name]) => name))].join(', ')
  return `${basename(path)} in the state folder is damaged, so nothing in it applies. ${left ? `It still shows ${left}: set what you need again` : 'Nothing in it can be read: set what you need again'}, and the damaged file is kept beside the new one. It is ${path}.`
}
