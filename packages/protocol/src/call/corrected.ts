import { type Fields, isFields, parseIfJson } from '../words/fields.ts'

/** A longer corrected call is sent as the difference from what was sent: its caller has the rest. */
const MOST_CHARACTERS = 1000

/** What to change in the arguments that were sent, each place by JSON Pointer. */
export interface ChangesOnly {
  readonly changesOnly: true
  /** From a place in the arguments sent to its place in the corrected ones. */
  readonly rename?: Readonly<Record<string, string>>
  /** Places in the arguments sent. */
  readonly drop?: readonly string[]
  /** By place in the corrected arguments. */
  readonly set?: Readonly<Record<string, unknown>>
}

/** A call as it was probably meant, for a caller that has what it sent. */
export function toCorrected(sent: unknown, meant: Fields): Fields | ChangesOnly {
  if (JSON.stringify(meant).length <= MOST_CHARACTERS) return meant
  const changes = changesTo(sent, meant)
  return changes.set?.[''] === undefined ? changes : meant
}

/** How a refusal offers it. */
export function offerOf(corrected: Fields | ChangesOnly): string {
  return corrected.changesOnly === true
    ? ' If "corrected" is what you mean, send the same call with its changes: rename, drop and set, by JSON Pointer.'
    : ' If you mean "corrected", send that.'
}

function changesTo(sent: unknown, meant: Fields): ChangesOnly {
  const found: Found = { gone: new Map(), come: new Map() }
  compare(found, sent, meant, '')
  const movable = movablePlaces(found)
  const rename: Record<string, string> = {}
  const set: Record<string, unknown> = {}
  for (const [place, value] of found.come) {
    const left = takeMoved(value, place, movable, rename)
    if (left !== MOVED) set[place] = left
  }
  const drop = [...found.gone.keys()].filter(place => !found.come.has(place) && !rename[place])
  return {
    changesOnly: true,
    ...(Object.keys(rename).length > 0 && { rename }),
    ...(drop.length > 0 && { drop }),
    ...(Object.keys(set).length > 0 && { set }),
  }
}

interface Found {
  /** What was sent and is not meant, by place. */
  readonly gone: Map<string, unknown>
  /** What is meant and was not sent. */
  readonly come: Map<string, unknown>
}

function compare(found: Found, sent: unknown, meant: unknown, at: string): void {
  const plain = typeof meant === 'object' ? parseIfJson(sent) : sent
  if (isFields(plain) && isFields(meant)) compareFields(found, plain, meant, at)
  else if (Array.isArray(plain) && Array.isArray(meant) && plain.length === meant.length)
    for (const [i, item] of meant.entries()) compare(found, plain[i], item, `${at}/${i}`)
  else if (JSON.stringify(plain) !== JSON.stringify(meant)) {
    found.gone.set(at, plain)
    found.come.set(at, meant)
  }
}

function compareFields({ gone, come }: Found, sent: Fields, meant: Fields, at: string): void {
  for (const [name, value] of Object.entries(meant))
    if (Object.hasOwn(sent, name)) compare({ gone, come }, sent[name], value, below(at, name))
    else come.set(below(at, name), value)
  for (const [name, value] of Object.entries(sent))
    if (!Object.hasOwn(meant, name)) gone.set(below(at, name), value)
}

/** RFC 6901 */
function below(place: string, name: string): string {
  return `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

const MOST_PLACES = 1000
const LEAST_CHARACTERS = 10 // shorter ones are sent again, which costs less than two pointers

/** What is gone, and the parts of it, by their JSON: each may only have moved. */
function movablePlaces({ gone, come }: Found): Map<string, string> {
  const places = new Map<string, string>()
  const note = (value: unknown, place: string, least: number) => {
    const json = JSON.stringify(value)
    if (places.size >= MOST_PLACES || json.length < least || places.has(json)) return
    places.set(json, place)
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        note(inner, below(place, name), LEAST_CHARACTERS)
  }
  for (const [place, value] of gone) note(value, place, come.has(place) ? LEAST_CHARACTERS : 0)
  return places
}

const MOVED = Symbol('moved')

/** The value without its parts that were sent elsewhere, which are noted as renamed. */
function takeMoved(
  value: unknown,
  place: string,
  movable: Map<string, string>,
  rename: Record<string, string>,
): unknown {
  const json = JSON.stringify(value)
  const from = movable.get(json)
  if (from !== undefined) {
    movable.delete(json)
    rename[from] = place
    return MOVED
  }
  if (Array.isArray(value))
    return value.map((item, i) => {
      const left = takeMoved(item, `${place}/${i}`, movable, rename)
      return left === MOVED ? null : left
    })
  if (!isFields(value)) return value
  const left = Object.entries(value).map(
    ([name, inner]) => [name, takeMoved(inner, below(place, name), movable, rename)] as const,
  )
  return Object.fromEntries(left.filter(([, inner]) => inner !== MOVED))
}
