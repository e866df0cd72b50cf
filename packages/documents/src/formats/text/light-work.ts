import type { LoggedOperation } from '@filewright/protocol'

/** Measured on one core: everything below takes less than 30 ms, and most of it less than one. */
const LIGHT_BYTES = 64 * 1024
const LIGHT_PLACES = 2_000 // a place costs about 10 µs
const LIGHT_EDITED_BYTES = 4 * 1024 * 1024 // each edit makes the text anew

/**
 * Whether a text of this size with these operations may be worked on where nobody can stop it. Cheap, and never too
 * low: `all` is counted as if the text held nothing else.
 */
export function isLightText(sizeBytes: number, log: Iterable<LoggedOperation>): boolean {
  let most = sizeBytes // what the text may have grown to
  let edits = 0
  let places = 0
  for (const { operation } of log)
    for (const value of Object.values(operation)) {
      if (typeof value === 'string') most += value.length
      if (!Array.isArray(value)) continue
      edits += value.length
      if (edits > LIGHT_PLACES) return false
      for (const each of value) {
        const length = charactersIn(each)
        const own = isForAll(each) ? most / Math.max(1, each.search.length) : 1
        places += own
        most += own * length
      }
    }
  return most <= LIGHT_BYTES && places <= LIGHT_PLACES && most * edits <= LIGHT_EDITED_BYTES
}

function isForAll(edit: unknown): edit is { readonly search: string } {
  const { all, search } = edit as { readonly all?: unknown; readonly search?: unknown }
  return all === true && typeof search === 'string'
}

/** Of an edit or a line change: its own strings, and those in its lists. */
function charactersIn(edit: unknown): number {
  let characters = 0
  for (const value of Object.values((edit ?? {}) as object)) {
    if (typeof value === 'string') characters += value.length
    if (!Array.isArray(value)) continue
    for (const line of value) characters += typeof line === 'string' ? line.length + 1 : 1
  }
  return characters
}
