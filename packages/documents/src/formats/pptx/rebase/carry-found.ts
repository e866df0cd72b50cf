import type { FoundPlaces } from '../../../operation-trace.ts'
import { parseRef } from '../slide/refs.ts'

/** Text of the deck, never a reference. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'groups', 'blocked'])

/** Every reference that an operation found; `isWhole` where it takes a slide with all that is on it. */
export function referencesIn(
  found: FoundPlaces,
): readonly { readonly ref: string; readonly isWhole: boolean }[] {
  const refs: { ref: string; isWhole: boolean }[] = []
  const see = (value: unknown, isWhole: boolean): void => {
    if (typeof value === 'string') {
      if (parseRef(value)) refs.push({ ref: value, isWhole })
    } else if (Array.isArray(value)) for (const own of value) see(own, isWhole)
    else if (typeof value === 'object' && value !== null)
      for (const [key, own] of Object.entries(value))
        if (!TEXTS.has(key)) see(own, isWhole || key === 'whole')
  }
  see(found, false)
  return refs
}
