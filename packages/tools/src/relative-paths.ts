import { isFields, isSameName } from '@filewright/protocol'
import { namesFor } from './synonyms.ts'

/** Arguments and fields that name files. */
const NAMES = [
  ...['path', 'from', 'to'].flatMap(namesFor),
  ...['copy_from', 'paths', 'folder', 'directory', 'dir'],
]

/**
 * The arguments with paths from the workspace's root, where they were sent as absolute paths into it. Undefined if none
 * was.
 */
export function relativePaths(given: unknown, root: string): unknown {
  const found = { any: false }
  const relative = inside(given, root, found)
  return found.any ? relative : undefined
}

interface Found {
  any: boolean
}

function inside(value: unknown, root: string, found: Found): unknown {
  if (Array.isArray(value)) return value.map(item => inside(item, root, found))
  if (!isFields(value)) return value
  const fields = Object.entries(value).map(([name, own]) => [name, field(name, own, root, found)])
  return Object.fromEntries(fields.filter(([, own]) => own !== undefined))
}

function field(name: string, value: unknown, root: string, found: Found): unknown {
  if (typeof value !== 'string') return inside(value, root, found)
  if (!NAMES.some(known => isSameName(known, name))) return value
  const rest = relativeTo(root, value)
  if (rest === undefined) return value
  found.any = true
  return rest === '' ? undefined : rest // the root itself: no path
}

/** Undefined unless it is absolute and lies in the root. */
function relativeTo(root: string, path: string): string | undefined {
  const folder = slashed(root).replace(/\/$/, '')
  const spelled = slashed(path.replace(/^file:\/\/(?=\/)/i, ''))
  const isDrive = /^[a-z]:/i.test(folder)
  const at = isDrive ? spelled.replace(/^\/(?=[a-z]:)/i, '') : spelled
  const fold = (text: string) => (isDrive ? text.toLowerCase() : text)
  if (fold(at) === fold(folder)) return ''
  return fold(at).startsWith(`${fold(folder)}/`) ? at.slice(folder.length + 1) : undefined
}

function slashed(path: string): string {
  return path.normalize('NFC').replaceAll('\\', '/')
}
