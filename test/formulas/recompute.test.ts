import type { Operation } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { xlsxFormat } from '../../packages/documents/src/formats/xlsx/format.ts'
import {
  logged,
  NAME,
  partText,
  shown,
  type ZooBook,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'

const evaluator = createEvaluator()

function edit(book: ZooBook, operations: readonly Operation[]) {
  const bytes = zooBook(book)
  const document = unwrap(XlsxDocument.open(bytes, NAME, evaluator))
  const applied = unwrap(document.apply(logged(operations)))
  const after = toBytes(unwrap(document.content()), bytes)
  return { document, applied, after, saved: unwrap(xlsxFormat.open(after, NAME)) }
}

const set = (cell: string, value: unknown, sheet = 'S'): Operation => ({
  op: 'set_cells',
  sheet,
  cells: [{ cell, value }],
})

const BOOK: ZooBook = {
  sheets: {
    S:
      '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1*2</f><v>4</v></c><c r="C1" t="str"><f>IF(B1&gt;5,"big","small")</f><v>small</v></c></row>' +
      '<row r="2"><c r="A2"><v>3</v></c><c r="B2"><f>SUM(A1:A2)</f><v>5</v></c><c r="C2"><f>T!A1+1</f><v>15</v></c></row>',
    T: '<row r="1"><c r="A1"><f>S!B2+S!B1*2+1</f><v>14</v></c></row>',
  },
}

describe('after an edit', () => {
  test('what depends on it is computed, across sheets, and nothing is left to do on opening', () => {
    const { after, saved, applied } = edit(BOOK, [set('A1', 10)])
    expect(applied.results[0]).toMatchObject({ totals: [{ cell: 'S!B2', from: 5, to: 13 }] })
    expect(applied.warnings).toEqual([])
    expect(shown(saved, 'S', 'B1')).toBe('20 {=A1*2}')
    expect(shown(saved, 'S', 'C1')).toBe('big {=IF(B1>5,"big","small")}')
    expect(shown(saved, 'S', 'B2')).toBe('13 {=SUM(A1:A2)}')
    expect(shown(saved, 'T', 'A1')).toBe('54 {=S!B2+S!B1*2+1}')
    expect(shown(saved, 'S', 'C2')).toBe('55 {=T!A1+1}')
    expect(partText(after, 'xl/workbook.xml')).not.toContain('fullCalcOnLoad')
  })
})
