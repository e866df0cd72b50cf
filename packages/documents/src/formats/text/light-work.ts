import { isUtf8 } from 'node:buffer'
import type { LoggedOperation } from '@filewright/protocol'
import type { WeighedWork } from '../../format-facts.ts'

/** Measured on one core: everything below takes less than 30 ms, and most of it less than one. */
const LIGHT_BYTES = 64 * 1024
const LIGHT_PLACES = 2_000 // a place costs about 10 µs
const LIGHT_EDITED_BYTES = 4 * 1024 * 1024 // each edit makes the text anew
const LIGHT_PLAIN_BYTES = 1024 * 1024
const LIGHT_PLAIN_LINES = 50_000
const LINE_FEED = 0x0a

/**
 * Whether a text of this size with these operations may be worked on where nobody can stop it. Cheap, and never too
 * low: `all` is counted as if the text held nothing else.
 */
export function isLightText({ sizeBytes, log, more = [], isHeld = false }: WeighedWork): boolean {
  const weight = new TextWeight(sizeBytes)
  for (let i = isHeld ? lastWriting(log) : 0; i < log.length; i++)
    if (!weight.add(log.at(i)!)) return false
  if (isHeld) weight.forgetWork()
  for (const each of more) if (!weight.add(each)) return false
  return weight.isLight
}

/** Whether these bytes are quick to decode and to count: UTF-8 with lines of some length. */
export function isPlainText(bytes: Uint8Array): boolean {
  if (bytes.length > LIGHT_PLAIN_BYTES || !isUtf8(bytes)) return false
  let lines = 0
  for (let i = 0; i < bytes.length; i++)
    if (bytes[i] === LINE_FEED && ++lines > LIGHT_PLAIN_LINES) return false
  return true
}

/** What came before it no longer counts in a text that is at hand; 0 if no operation replaces the whole. */
function lastWriting(log: WeighedWork['log']): number {
  for (let i = log.length - 1; i > 0; i--) if (writtenBy(log.at(i)!) !== undefined) return i
  return 0
}

/** The text that an operation puts in place of all that is there. */
function writtenBy({ operation }: LoggedOperation): string | undefined {
  return operation.op === 'write_text' && typeof operation.content === 'string'
    ? operation.content
    : undefined
}

class TextWeight {
  /** What the text may have grown to, and the most that it ever may have been. */
  #size: number
  #most: number
  #edits = 0
  #places = 0

  constructor(sizeBytes: number) {
    this.#size = sizeBytes
    this.#most = sizeBytes
  }

  /** False as soon as it is too much. */
  add(logged: LoggedOperation): boolean {
    const written = writtenBy(logged)
    if (written === undefined) this.#addEdits(logged)
    else {
      this.#size = written.length
      this.#edits++
    }
    this.#most = Math.max(this.#most, this.#size)
    return this.#edits <= LIGHT_PLACES
  }

  /** It was done before: only the size that it left counts. */
  forgetWork(): void {
    this.#most = this.#size
    this.#edits = 0
    this.#places = 0
  }

  get isLight(): boolean {
    return (
      this.#most <= LIGHT_BYTES &&
      this.#places <= LIGHT_PLACES &&
      this.#most * this.#edits <= LIGHT_EDITED_BYTES
    )
  }

  #addEdits({ operation }: LoggedOperation): void {
    for (const value of Object.values(operation)) {
      if (typeof value === 'string') this.#size += value.length
      if (!Array.isArray(value)) continue
      this.#edits += value.length
      if (this.#edits > LIGHT_PLACES) return
      for (const each of value) {
        const length = charactersIn(each)
        const own = isForAll(each) ? this.#size / Math.max(1, each.search.length) : 1
        this.#places += own
        this.#size += own * length
      }
    }
  }
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
