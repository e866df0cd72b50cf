import { unwrap } from '@filewright/protocol'
import { expect } from 'vitest'
import { xlsxFormat } from '../formats/xlsx/format.ts'
import type { LivePackage } from '../opc/index.ts'
import type { Chart } from './chart.ts'
import { formulaIn } from './chart-cache.ts'
import { columnName, parseRange, workbookPart } from './chart-workbook.ts'

const BOOK = { docPath: 'b.xlsx', path: 'b.xlsx' } as unknown as Parameters<
  typeof xlsxFormat.open
>[1]

/** Every series of the chart shows what the cells that it names hold; false where the chart has no workbook. */
export function agreesWithWorkbook(own: LivePackage, chart: Chart): boolean {
  const part = workbookPart(own, chart)
  if (part === undefined) return false
  const book = unwrap(xlsxFormat.open(unwrap(own.bytesOf(part)), BOOK))
  const cellsAt = (formula: string | undefined): readonly unknown[] | undefined => {
    const line = parseRange(formula ?? '')
    if (!line) return undefined
    const range = formula!.slice(formula!.lastIndexOf('!') + 1).replaceAll('$', '')
    const { fields } = unwrap(book.read({ sheet: line.sheet, range }, { maxBytes: 1_000_000 }))
    const cells = new Map(
      (fields.cells as { cell: string; value: unknown }[]).map(own => [own.cell, own.value]),
    )
    return Array.from({ length: line.length }, (_, at) => {
      const [right, down] = line.isAcross ? [at, 0] : [0, at]
      return cells.get(`${columnName(line.column + right)}${line.row + down}`) ?? null
    })
  }
  for (const { node, name, values, categories } of chart.series) {
    const y = node.child('c:val') ?? node.child('c:yVal')
    const x = node.child('c:cat') ?? node.child('c:xVal')
    const numbers = cellsAt(formulaIn(chart.tree, y))
    if (numbers) expect(numbers.map(asNumber), name).toEqual(values.map(asNumber))
    const texts = cellsAt(formulaIn(chart.tree, x))
    if (texts?.every(own => typeof own === 'string')) expect(texts, name).toEqual(categories)
  }
  return true
}

/** A chart keeps fifteen digits of a number. */
function asNumber(value: unknown): number | null {
  return value === null ? null : Number(Number(value).toPrecision(12))
}
