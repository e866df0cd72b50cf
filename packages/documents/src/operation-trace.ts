import {
  type Change,
  type ChangeSide,
  fail,
  type LoggedOperation,
  type OperationTrace,
  type Result,
} from '@filewright/protocol'
import type { StrayedOperation } from './format.ts'
import { type FoundPlaces, packFound, unpackFound } from './found-places.ts'

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
