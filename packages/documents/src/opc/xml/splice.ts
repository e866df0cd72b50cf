import { bufferOf } from './encoding.ts'

/** Edits of a part, in any order; everything outside them keeps every byte. */
export class Splices {
  readonly #edits: { start: number; end: number; text: string | Uint8Array; order: number }[] = []

  get size(): number {
    return this.#edits.length
  }

  /** Insertions at one place keep the order in which they were made. */
  insert(at: number, text: string | Uint8Array): void {
    this.replace(at, at, text)
  }

  replace(start: number, end: number, text: string | Uint8Array): void {
    this.#edits.push({ start, end, text, order: this.#edits.length })
  }

  remove(start: number, end: number): void {
    this.replace(start, end, '')
  }

  /** Makes the same edits among those of another list. */
  addTo(other: Splices): void {
    for (const { start, end, text } of this.#edits) other.replace(start, end, text)
  }

  apply(bytes: Uint8Array): Uint8Array {
    if (this.#edits.length === 0) return bytes
    const edits = this.#edits.sort(
      (a, b) => a.start - b.start || a.end - b.end || a.order - b.order,
    )
    let length = bytes.length
    let last = 0
    for (const { start, end, text } of edits) {
      if (start < last) throw new Error(`Edits of a part overlap at byte ${start}`)
      last = end
      length += Buffer.byteLength(text) - (end - start)
    }
    // There may be a million edits, so nothing is allocated per edit.
    const before = bufferOf(bytes)
    const out = Buffer.allocUnsafe(length)
    let from = 0
    let at = 0
    for (const { start, end, text } of edits) {
      at += before.copy(out, at, from, start)
      if (typeof text === 'string') at += out.write(text, at, 'utf8')
      else {
        out.set(text, at)
        at += text.length
      }
      from = end
    }
    before.copy(out, at, from)
    return out
  }
}
