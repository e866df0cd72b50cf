import {
  type Change,
  type ChangeSide,
  fail,
  type LoggedOperation,
  type OperationTrace,
  type Result,
} from '@filewright/protocol'
import type { StrayedOperation } from './format.ts'
import { deflate, inflate } from './opc/inflate.ts'

/** What an operation found where it looked, by the name of the look-up: ids of paragraphs and the like. JSON only. */
export type FoundPlaces = Record<string, unknown>

/** What an operation found when it was accepted; undefined: it looks for the first time. */
export function recalledBy({ operation, trace }: LoggedOperation): FoundPlaces | undefined {
  if (trace) return foundIn(trace)
  return operation.found as FoundPlaces | undefined // where 0.1 kept it, in logs carried to another file
}

export function foundIn({ found }: OperationTrace): FoundPlaces {
  return found === undefined ? {} : unpackFound(found)
}

/** The same operation, which finds these places. */
export function withFound(logged: LoggedOperation, found: FoundPlaces): LoggedOperation {
  return { ...logged, trace: { found: packFound(found) } }
}

/** A replay keeps what was found at first. `changes`: all that it made; absent where some were left out. */
export function traceOf(
  { trace }: LoggedOperation,
  found: FoundPlaces,
  changes: readonly Change[] | undefined,
): OperationTrace {
  const kept = trace ? trace.found : packFound(found)
  return {
    ...(kept !== undefined && { found: kept }),
    ...(changes && { made: hashOf(changes) }),
  }
}

/** With what it left when it was accepted, which a replay does not change. */
export function traced<Logged extends LoggedOperation>(
  logged: Logged,
  trace: OperationTrace,
): Logged {
  return logged.trace ? logged : { ...logged, trace }
}

/** It made other changes than when it was accepted. */
export function hasStrayed({ trace }: LoggedOperation, { made }: OperationTrace): boolean {
  return trace?.made !== undefined && made !== undefined && trace.made !== made
}

export function operationOf({ toolCallId, index, operation }: LoggedOperation): StrayedOperation {
  return { toolCallId, index, op: operation.op }
}

/** Why a log that was accepted cannot be done again: at which of its operations. */
export function refusedAt(refused: Result<never>, logged: LoggedOperation): Result<never> {
  if (refused.ok) return refused
  const { code, message, kind, errors, details } = refused.failure
  const reason = message.replace(/^Nothing was written: (operations\[\d+\] \(\w+\): )?|\.$/g, '')
  const operation = operationOf(logged)
  return fail(
    code,
    `The draft of this file cannot be done again: its operation ${operation.op} was accepted, and is refused now (${reason}). "filewright review" says how a person drops that operation; the other files of the draft go on.`,
    { kind, errors, details: { ...details, refused: { ...operation, reason } } },
  )
}

/** Of what a person reviews: which places changed, from what to what. */
function hashOf(changes: readonly Change[]): string {
  const hash = new Hash()
  for (const { id, before, after } of changes) {
    hash.add(id)
    addSide(hash, before)
    addSide(hash, after)
  }
  return hash.digest()
}

function addSide(hash: Hash, side: ChangeSide | null): void {
  if (!side) return hash.add('')
  const { text, lines, value, formula, format } = side
  hash.add(text ?? '-')
  hash.add(value === undefined ? '-' : String(value))
  hash.add(formula ?? '-')
  hash.add(format ?? '-')
  for (const line of lines ?? NO_LINES) hash.add(line)
}

const NO_LINES: readonly string[] = []

/** cyrb53 over many texts: as in `toChangeId`. */
class Hash {
  #a = 0xdeadbeef
  #b = 0x41c6ce57

  add(text: string): void {
    let [a, b] = [this.#a, this.#b]
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 2654435761)
      b = Math.imul(b ^ code, 1597334677)
    }
    this.#a = Math.imul(a ^ BORDER, 2654435761)
    this.#b = Math.imul(b ^ BORDER, 1597334677)
  }

  digest(): string {
    const [a, b] = [this.#a, this.#b]
    const first = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
    const second = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
    return (
      (second >>> 0).toString(16).padStart(8, '0') + (first >>> 0).toString(16).padStart(8, '0')
    )
  }
}

const BORDER = 0x1_0000 // no character has it

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
