import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { IS_FULL } from '../../packages/documents/src/corpus.contract.ts'
import { DOUBTFUL_KINDS } from '../../packages/documents/src/formats/xlsx/recompute/doubtful-kinds.ts'
import { doubtfulKinds } from './kinds.contract.ts'
import { evaluate } from './proofs.contract.ts'

const LIST = new URL(
  '../../packages/documents/src/formats/xlsx/recompute/doubtful-kinds.ts',
  import.meta.url,
)
const isUpdate = process.env.FILEWRIGHT_UPDATE_PROOFS === '1'

test.skipIf(!IS_FULL && !isUpdate)(
  'what is given to a function and makes its result differ from LibreOffice is on the list',
  () => {
    const { doubtful, count } = doubtfulKinds()
    const byName: Record<string, string[]> = {}
    for (const kind of doubtful) {
      const at = kind.indexOf(' ')
      const name = kind.slice(0, at)
      byName[name] = [...(byName[name] ?? []), kind.slice(at + 1)]
    }
    if (isUpdate)
      writeFileSync(
        LIST,
        `/** Made by test/formulas/kinds.test.ts: what functions are given where their results are not proven. */
export const DOUBTFUL_KINDS: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(byName, null, 2)}
`,
      )
    expect(count).toBeGreaterThan(5000)
    if (!isUpdate) expect(byName).toEqual(DOUBTFUL_KINDS)
  },
  600_000,
)

test('the evaluator says which kinds of values a function was given', () => {
  const watched = ['EOMONTH 0 blank', 'PLUS 1 empty', 'ROUND']
  const { kinds } = evaluate(['EOMONTH(C4,1)', 'A1+W1', 'ROUND(W3,1)', 'SUM(A1:A3)'], watched)
  expect(kinds).toEqual({
    0: ['EOMONTH 0 blank'],
    1: ['PLUS 1 empty'],
    2: ['ROUND 0 negative', 'ROUND 1 small'],
  })
})

test('an empty text is no empty cell, and a number is joined with fifteen digits', () => {
  const formulas = [
    'W1-A1',
    'W1=0',
    'W1=""',
    'W1',
    'COUNTA(W1)',
    '"in "&2207.7000000000003',
    'A1/3&""',
  ]
  expect(evaluate(formulas).values).toEqual([
    { error: '#VALUE!' },
    false,
    true,
    '',
    1,
    'in 2207.7',
    '0.333333333333333',
  ])
})

test('what the library gets wrong is mended: TRUNC, MAXIFS without a match, MATCH of a text among numbers', () => {
  const formulas = ['TRUNC(-2.5,1)', 'MAXIFS(I1:I6,H1:H6,"none")', 'MATCH("text",F1:F5)', 'A5&"%"']
  expect(evaluate(formulas).values).toEqual([-2.5, 0, { error: '#N/A' }, '5%'])
})

test('numbers are rounded as their digits are read, and not where the last ones decide', () => {
  const right = {
    'ROUND(1.005,2)': 1.01,
    'ROUND(-2.675,2)': -2.68,
    'ROUND(1234.5,-2)': 1200,
    'ROUND(-0.2,0)': 0,
    'ROUND(1*(0.001+0.5-0.4-0.05-0.001),1)': 0.1, // as Excel has it, although the number is below 0.05
    'TEXT(1.005,"0.00")': '1.01',
    'TEXT(1234567.125,"#,##0.00")': '1,234,567.13',
    'TEXT(0.1455,"0.0%")': '14.6%',
    'TEXT(0.999,"00")': '01',
    'MOD(7.5,2)': 1.5,
    'MOD(1,0.5)': 0,
    'MROUND(7,2)': 8,
    'QUOTIENT(7,2)': 3,
  }
  expect(evaluate(Object.keys(right)).values).toEqual(Object.values(right))
  const doubtful = [
    'ROUND(VALUE("0.049999999999999975"),1)',
    'MOD(0.1+0.2,0.1)',
    'QUOTIENT(1.1*3,0.1)',
    'MROUND(2.675,0.05)',
    'FIXED(1E15/3,2)',
  ]
  expect(evaluate(doubtful).values).toEqual(doubtful.map(() => null))
})

test('an exact lookup finds the first row, whatever its case, and sees results computed before it', () => {
  const formulas = [
    'VLOOKUP("B",H1:J6,2,FALSE)',
    'VLOOKUP("ap*",B1:C10,2,FALSE)',
    'VLOOKUP(30,F1:G5,2,0)',
    'VLOOKUP(31,F1:G5,2,FALSE)',
    'VLOOKUP(30,F1:G5,3,FALSE)',
    'VLOOKUP("7",C1:D10,2,FALSE)',
    'VLOOKUP(7,C1:D10,2,FALSE)',
    'VLOOKUP("cherry",B1:C10,2,FALSE)',
    // column Z holds the results so far: the third is `thirty`
    'VLOOKUP("thirty",Z1:AA3,1,FALSE)',
    'VLOOKUP("thirty",Z8:AA9,1,FALSE)',
  ]
  const none = { error: '#N/A' }
  expect(evaluate(formulas).values).toEqual([
    20,
    5,
    'thirty',
    none,
    { error: '#REF!' },
    45153,
    none,
    true,
    'thirty',
    'thirty',
  ])
})
