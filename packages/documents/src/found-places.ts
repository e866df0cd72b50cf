import { deflate, inflate } from './opc/inflate.ts'

/** What an operation found where it looked, by the name of the look-up: ids of paragraphs and the like. JSON only. */
export type FoundPlaces = Record<string, unknown>

/** Beyond this, a log keeps it packed: a sort of a million rows is megabytes as JSON. */
const PLAIN_CHARACTERS = 4_096

/** In base64, and how many bytes it has when unpacked. */
type Packed = readonly [packed: string, size: number]

/** As a log keeps it: JSON, and short where it follows a pattern. */
export function packFound(found: FoundPlaces): FoundPlaces | Packed | undefined {
  if (Object.keys(found).length === 0) return undefined
  const json = JSON.stringify(toSteps(found))
  if (json.length <= PLAIN_CHARACTERS) return found
  const bytes = new TextEncoder().encode(json)
  return [Buffer.from(deflate(bytes)).toString('base64'), bytes.length]
}

export function unpackFound(kept: unknown): FoundPlaces {
  if (!Array.isArray(kept)) return kept as FoundPlaces
  const [packed, size] = kept as unknown as Packed
  const bytes = inflate(Buffer.from(packed, 'base64'), size)
  if (!bytes) throw new Error('What an operation found is damaged in the log of its draft')
  return fromSteps(JSON.parse(new TextDecoder().decode(bytes))) as FoundPlaces
}

/** Numbers in a row mostly follow each other: their differences repeat, and pack a hundred times smaller. */
function toSteps(value: unknown): unknown {
  if (isWholeNumbers(value)) return { steps: value.map((own, i) => own - (value[i - 1] ?? 0)) }
  if (Array.isArray(value)) return value.map(toSteps)
  if (typeof value !== 'object' || value === null) return value
  return { fields: mapFields(value, toSteps) }
}

function fromSteps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromSteps)
  if (typeof value !== 'object' || value === null) return value
  const { steps, fields } = value as { steps?: readonly number[]; fields?: object }
  if (!steps) return mapFields(fields!, fromSteps)
  let last = 0
  return steps.map(step => (last += step))
}

function mapFields(value: object, map: (own: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, map(own)]))
}

function isWholeNumbers(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length > 1 &&
    value.every(own => own === (own | 0) && !Object.is(own, -0))
  )
}
