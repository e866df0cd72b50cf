import type { CellValue } from '@filewright/documents'

interface Lines {
  readonly sheet: string
  readonly column: number
  readonly top: number
  readonly bottom: number
}

/**
 * Where values stand in a column, so that thousands of exact lookups in one table do not each read all of it. An index
 * lasts until a cell of its sheet is written.
 */
export class LookupIndex {
  readonly #known = new Map<
    string,
    { readonly writes: number; readonly rows: Map<string, number> }
  >()
  readonly #writes = new Map<string, number>()

  clear(): void {
    this.#known.clear()
    this.#writes.clear()
  }

  noteWrite(sheet: string): void {
    this.#writes.set(sheet, (this.#writes.get(sheet) ?? 0) + 1)
  }

  /** The first row with that number or text, whatever its letters' case; undefined: none has it. */
  find(
    { sheet, column, top, bottom }: Lines,
    value: number | string,
    cellAt: (row: number) => CellValue | null,
  ): number | undefined {
    const writes = this.#writes.get(sheet) ?? 0
    const name = `${sheet} ${column} ${top} ${bottom}`
    let index = this.#known.get(name)
    if (index?.writes !== writes) {
      const rows = new Map<string, number>()
      for (let row = top; row <= bottom; row++) {
        const own = cellAt(row)
        if (typeof own !== 'number' && typeof own !== 'string') continue
        const key = keyOf(own)
        if (!rows.has(key)) rows.set(key, row)
      }
      index = { writes, rows }
      this.#known.set(name, index)
    }
    return index.rows.get(keyOf(value))
  }
}

function keyOf(value: number | string): string {
  return typeof value === 'number' ? `n${value}` : `t${value.toLowerCase()}`
}
