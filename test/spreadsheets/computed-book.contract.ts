import { type LoggedOperation, type Operation, toBytes, unwrap } from '@filewright/protocol'
import { expect } from 'vitest'
import type { Format } from '../../packages/documents/src/format.ts'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { xlsxFormat } from '../../packages/documents/src/formats/xlsx/format.ts'
import { newSheetFaults } from '../../packages/documents/src/formats/xlsx/testing/sheet-rules.contract.ts'
import {
  logged,
  NAME,
  partText,
  type ZooBook,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { evaluator } from '../formulas/sessions.contract.ts'

const format = xlsxFormat.computing!(evaluator) as Format

/** A workbook in a draft that computes formulas: each call, and what the cells show. */
export class ComputedBook {
  readonly base: Uint8Array
  readonly #document: XlsxDocument
  readonly #log: LoggedOperation[] = []

  constructor(book: ZooBook | Uint8Array) {
    this.base = book instanceof Uint8Array ? book : zooBook(book)
    this.#document = unwrap(XlsxDocument.open(this.base, NAME, evaluator))
  }

  /** One call. */
  run(...operations: Operation[]) {
    const call = logged(operations, `tc_${this.#log.length}`)
    const applied = unwrap(this.#document.apply(call))
    this.#log.push(...call.map((own, index) => ({ ...own, trace: applied.traces[index]! })))
    return applied
  }

  /** Why a call is refused; it changes nothing. */
  refusal(...operations: Operation[]): string {
    const before = this.bytes()
    const applied = this.#document.apply(logged(operations, `tc_${this.#log.length}`))
    expect(Buffer.compare(this.bytes(), before)).toBe(0)
    return applied.ok ? '' : applied.failure.message
  }

  /** What cells show: a value, `=formula` where it has none, null for an empty cell. */
  shows(sheet: string, ...cells: string[]): unknown[] {
    return showsIn(this.#document, sheet, cells)
  }

  bytes(): Uint8Array {
    return toBytes(unwrap(this.#document.content()), this.base)
  }

  part(name: string): string {
    return partText(this.bytes(), name)
  }

  /** A fresh process has the same, the file is sound, and each change can be refused; what is left then. */
  holds(): void {
    expect(newSheetFaults(this.base, this.bytes())).toEqual([])
    const log = JSON.parse(JSON.stringify(this.#log)) as LoggedOperation[]
    unwrap(xlsxFormat.replay(this.base, log, new Set(), NAME)) // where nothing computes
    const whole = unwrap(format.replay(this.base, log, new Set(), NAME))
    expect(Buffer.compare(toBytes(whole.content, this.base), this.bytes())).toBe(0)
    for (const { id } of whole.changes) {
      const left = unwrap(format.replay(this.base, log, new Set([id]), NAME))
      expect(left.changes.map(own => own.id)).not.toContain(id)
      expect(newSheetFaults(this.base, toBytes(left.content, this.base))).toEqual([])
    }
  }

  /** What a replay without the changes at these places shows. */
  without(places: readonly string[], sheet: string, ...cells: string[]): unknown[] {
    const changes = this.#document.changes()
    const refused = changes.filter(({ place }) => places.includes(place))
    expect(refused.length).toBeGreaterThanOrEqual(places.length)
    const left = unwrap(
      format.replay(this.base, this.#log, new Set(refused.map(({ id }) => id)), NAME),
    )
    const bytes = toBytes(left.content, this.base)
    return showsIn(unwrap(XlsxDocument.open(bytes, NAME, evaluator)), sheet, cells)
  }
}

function showsIn(document: XlsxDocument, sheet: string, cells: readonly string[]): unknown[] {
  return cells.map(cell => {
    const reading = document.read({ sheet, range: cell }, { maxBytes: 10_000 })
    if (!reading.ok) return null
    const [own] = reading.value.fields.cells as { value?: unknown; formula?: string }[]
    return own === undefined ? null : (own.value ?? own.formula ?? null)
  })
}
