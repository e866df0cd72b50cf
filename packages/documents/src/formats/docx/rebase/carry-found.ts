import type { FoundPlaces } from '../../../operation-trace.ts'

const ID = /^(?:[\w.-]+\/)?[pt]\d+$/

/** What an operation found, with the ids that paragraphs have now. `lost` hears of those that are not there. */
export function carryFound(
  found: FoundPlaces,
  idOf: (id: string) => string | undefined,
  lost: (id: string) => void,
): FoundPlaces {
  const carry = (value: unknown): unknown => {
    if (typeof value === 'string' && ID.test(value)) {
      const id = idOf(value)
      if (id === undefined) lost(value)
      return id ?? value
    }
    if (Array.isArray(value)) return value.map(carry)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, own]) => [key, TEXTS.has(key) ? own : carry(own)]),
    )
  }
  return carry(found) as FoundPlaces
}

/** Text of the document, never an id. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'groups', 'blocked'])

/** `paragraph 12` for the new id of what was `paragraph 10`; other places stay. */
export function carryPlace(
  place: string,
  idOf: (id: string) => string | undefined,
  placeOf: (id: string) => string,
): string {
  const [, story, noun, number, rest] = /^(?:(\S+) )?(paragraph|table) (\d+)(.*)$/.exec(place) ?? []
  if (number === undefined) return place
  const id = `${story === undefined ? '' : `${story}/`}${noun === 'table' ? 't' : 'p'}${number}`
  const now = idOf(id)
  return now === undefined ? place : `${placeOf(now)}${rest}`
}
