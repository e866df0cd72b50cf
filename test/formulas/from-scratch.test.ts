import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IS_FULL } from '../../packages/documents/src/corpus.contract.ts'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import {
  logged,
  NAME,
  shown,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'

const ROWS = 8
const evaluator = createEvaluator()

/** Formulas that read inputs, the formulas above them and those beside them. */
const TEMPLATES: readonly ((row: number) => string)[] = [
  row => `A${row}*2+B${row}`,
  row => `SUM(A1:A${row})`,
  row => `IF(A${row}>B${row},"more",B${row}-A${row})`,
  row => (row > 1 ? `C${row - 1}&"-"&A${row}` : 'A1'),
  row => `ROUND(A${row}/3,1)`,
  row => `IFERROR(A${row}/B${row},"none")`,
  row => `SUMIF($A$1:$A$${ROWS},">"&B${row})`,
  row => `COUNTIF(A$1:A$${ROWS},A${row})`,
  row => (row > 1 ? `MAX(C1:C${row - 1})+1` : 'B1'),
  row => `VLOOKUP(A${row},$A$1:$B$${ROWS},2,FALSE)`,
]

const inputs = fc.array(
  fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })),
  {
    minLength: ROWS,
    maxLength: ROWS,
  },
)
const formulas = fc.array(fc.nat(TEMPLATES.length - 1), { minLength: ROWS, maxLength: ROWS })

test('what is computed after an edit is what is computed from scratch', () => {
  fc.assert(
    fc.property(inputs, inputs, formulas, (first, second, chosen) => {
      const texts = chosen.map((index, at) => TEMPLATES[index]!(at + 1))
      const saved = written(first, texts).bytes
      const edited = unwrap(XlsxDocument.open(saved, NAME, evaluator))
      unwrap(edited.apply(logged([setInputs(second)])))
      const scratch = written(second, texts).document
      for (const row of texts.keys()) {
        const now = shown(edited, 'S', `C${row + 1}`)
        // a text such as "9-9" that stands in the file may be read as a date: what depends on it is left
        if (now.startsWith('? ') && hasText(texts.slice(0, row))) continue
        expect(now).toBe(shown(scratch, 'S', `C${row + 1}`))
      }
      if (!mayBeLeft(texts[0]!, first, second)) expect(shown(edited, 'S', 'C1')).not.toMatch(/^\?/)
    }),
    { numRuns: IS_FULL ? 500 : 20, seed: 20_261_118 },
  )
})

function hasText(formulas: readonly string[]): boolean {
  return formulas.some(formula => formula.includes('"-"'))
}

/** To count what equals zero is left to the program that opens the file: it differs about empty cells. */
function mayBeLeft(formula: string, ...inputs: readonly (readonly (readonly number[])[])[]) {
  return formula.startsWith('COUNTIF') && inputs.some(rows => rows[0]![0] === 0)
}

/** A workbook with these inputs in A and B, whose formulas were just set in C. */
function written(own: readonly (readonly [number, number])[], texts: readonly string[]) {
  const base = zooBook({ sheets: { S: '<row r="1"/>' } })
  const document = unwrap(XlsxDocument.open(base, NAME, evaluator))
  const cells = texts.map((formula, at) => ({ cell: `C${at + 1}`, value: { formula } }))
  unwrap(document.apply(logged([setInputs(own), { op: 'set_cells', sheet: 'S', cells }])))
  return { document, bytes: toBytes(unwrap(document.content()), base) }
}

function setInputs(own: readonly (readonly [number, number])[]): Operation {
  return { op: 'set_range', sheet: 'S', start: 'A1', values: own.map(row => [...row]) }
}
