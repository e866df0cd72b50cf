import { hash } from 'node:crypto'
import { parseDocPath } from '@filewright/protocol'
import { parseArguments } from '../port/arguments.ts'

const KEPT_CHARS = 20_000
const KEPT_KEYS = 64 // more calls than a turn has; each key is needed a few times
const keptKeys = new Map<string, string>()

/** Two calls are the same when they ask for the same, whatever the order of keys, the spacing and the spelling of paths. */
export function toCallKey(name: string, argumentsJson: string): string {
  const call = `${name}\n${argumentsJson}`
  const kept = keptKeys.get(call)
  if (kept) return kept
  if (keptKeys.size >= KEPT_KEYS) keptKeys.clear()
  const key = makeCallKey(name, argumentsJson)
  if (call.length < KEPT_CHARS) keptKeys.set(call, key)
  return key
}

function makeCallKey(name: string, argumentsJson: string): string {
  const args = parseArguments(argumentsJson)
  const asked = args.ok ? JSON.stringify(toCanonical(args.value)) : argumentsJson.trim()
  return digest(`${name.replaceAll('.', '_')}\n${asked}`)
}

/** Equal for results that say the same to the model, ignoring the call's own id and our notes. */
export function toResultKey(text: string, toolCallId: string, fullSha256 = ''): string {
  return digest(`${fullSha256}\n${text.replaceAll(toolCallId, '')}`)
}

function toCanonical(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return /path$/i.test(key) ? canonicalPath(value) : value
  if (Array.isArray(value)) return value.map(item => toCanonical(item))
  if (value === null || typeof value !== 'object') return value
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted.map(([name, item]) => [name, toCanonical(item, name)])
}

function canonicalPath(spelling: string): string {
  const docPath = parseDocPath(spelling)
  return docPath.ok ? docPath.value : spelling
}

function digest(text: string): string {
  return hash('sha1', text).slice(0, 16) // to compare, not to guard
}
