import type { Operation } from '@filewright/protocol'
import { cellKey, parseCell, splitSheet } from '../cell/address.ts'

/** The values that `set_cells` and `set_range` send, by the key of their cell. */
export function writtenValues({
  op,
  cells,
  start,
  values,
}: Operation): Map<number, { value: unknown }> {
  const found = new Map<number, { value: unknown }>()
  if (op === 'set_range') {
    const first = parseCell(splitSheet(String(start)).address)
    if (!first || !Array.isArray(values)) return found
    for (const [down, line] of values.entries())
      for (const [right, value] of (line as unknown[]).entries())
        found.set(cellKey(first.row + down, first.column + right), { value })
    return found
  }
  for (const { cell, value } of cells as { cell: string; value?: unknown }[]) {
    const at = parseCell(splitSheet(cell).address)
    if (at) found.set(cellKey(at.row, at.column), { value: value ?? null })
  }
  return found
}

/** A value whose formula, if it is one, is mapped; undefined if it cannot be. */
export function mapWritten(
  { formulas }: Operation,
  value: unknown,
  map: (formula: string) => string | undefined,
): unknown {
  const isText = typeof value === 'string' && formulas === true && value.startsWith('=')
  const given = isText ? value : formulaIn(value)
  if (given === undefined) return value
  const sign = given.trimStart().startsWith('=') ? '=' : ''
  const formula = given.trim().replace(/^=/, '')
  const mapped = map(formula)
  if (mapped === formula) return value
  if (mapped === undefined) return undefined
  return isText ? `=${mapped}` : { formula: `${sign}${mapped}` }
}

function formulaIn(value: unknown): string | undefined {
  const { formula } = (typeof value === 'object' && value !== null ? value : {}) as {
    formula?: unknown
  }
  return typeof formula === 'string' ? formula : undefined
}
