import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasCorpus, IS_FULL, sampleOf } from '../../../corpus.contract.ts'
import { dropTableIn, renameTableIn } from '../table/table-rewrites.ts'
import { allFormulas } from '../testing/formulas-of.contract.ts'
import { randomFormula, SHEETS } from '../testing/random-formulas.contract.ts'
import { type LineShift, mapBox } from './line-shift.ts'
import { mapReferences } from './map-references.ts'
import { GONE } from './place-step.ts'
import {
  dropSheetIn,
  fixReferences,
  renameNamesIn,
  renameSheetIn,
  sheetsIn,
  shiftFormula,
} from './rewrites.ts'

const RUNS = IS_FULL ? 20_000 : 1_000

/** A formula on the sheet `home` after lines of the sheet `on` moved. */
function moved(formula: string, lines: LineShift, home = 'Data', on = home) {
  return mapReferences(formula, {
    isOn: name => (name ?? home).toLowerCase() === on.toLowerCase(),
    isSheet: name => SHEETS.includes(name),
    box: box => mapBox(lines, box) ?? GONE,
  })
}

const rows = (kind: LineShift['kind'], at: number, count = 1): LineShift => ({
  axis: 'row',
  kind,
  runs: [{ at, count }],
})

describe('rows and columns that move', () => {
  test.each([
    ["'O''Brien'!A5", "'O''Brien'!A6", "O'Brien"],
    ['A1:.B9+A9.:.B10', 'A1:.B10+A10.:.B11', 'Data'],
    ['A5 : B9', 'A6 : B10', 'Data'],
    ['A1:Data!B9', 'A1:Data!B10', 'Data'],
    ['#REF!A5+[1]Data!A5', '#REF!A5+[1]Data!A5', 'Data'],
    ["'C:\\x\\[B.xlsx]Data'!A5", "'C:\\x\\[B.xlsx]Data'!A5", 'Data'],
    ['Q1:Q4!A5+Q2:Data!B9', 'Q1:Q4!A5+Q3:Data!B10', 'Data'],
    ["'[0]O''Brien'!A5", "'[0]O''Brien'!A6", "O'Brien"],
  ])('%s after a row at 2: %s', (before, after, on) => {
    expect(moved(before, rows('insert', 2), on).text).toBe(after)
  })

  test('columns of a range that ends where its values do', () => {
    const columns: LineShift = { axis: 'column', kind: 'insert', runs: [{ at: 2, count: 1 }] }
    expect(moved('A.:.B+$C.:.$D', columns).text).toBe('A.:.C+$D.:.$E')
  })

  test('a range over the rows that go becomes #REF! as a whole', () => {
    for (const formula of ['A2:Data!B3', 'A2:.B3', 'A2 : B3', 'Data!A2:Data!B3'])
      expect(moved(formula, rows('delete', 2, 2)).text).toBe('#REF!')
  })
})

const line = fc.integer({ min: 1, max: 30 })
const lines = fc
  .tuple(fc.constantFrom('row' as const, 'column' as const), line, fc.integer({ min: 1, max: 9 }))
  .map(([axis, at, count]) => ({ axis, kind: 'insert', runs: [{ at, count }] }) as const)

function expectBack(formula: string, inserted: LineShift, home: string, on: string): void {
  const there = moved(formula, inserted, home, on)
  if (there.isLost) return // beyond the last line
  const back = moved(there.text, { ...inserted, kind: 'delete' }, home, on)
  expect(back.text.toUpperCase()).toBe(formula.toUpperCase())
  expect(back.isLost).toBe(false)
}

test('lines inserted and deleted again leave a formula as it was', () => {
  const name = fc.constantFrom(...SHEETS)
  fc.assert(fc.property(randomFormula, lines, name, name, expectBack), { numRuns: RUNS })
})

test.skipIf(!hasCorpus)(
  'lines inserted and deleted again leave real formulas as they were',
  () => {
    for (const formula of sampleOf([...allFormulas()], 3_000)) {
      expectBack(formula, rows('insert', 5, 3), 'Data', 'Data')
      expectBack(
        formula,
        { axis: 'column', kind: 'insert', runs: [{ at: 3, count: 2 }] },
        'Data',
        'Data',
      )
      const [sheet] = sheetsIn(formula, () => true)
      if (sheet !== undefined) expectBack(formula, rows('insert', 5, 3), 'another', sheet)
    }
  },
  120_000,
)

describe('a renamed sheet', () => {
  const isSheet = (name: string) => SHEETS.includes(name)

  test('keeps its old name where it is taken back', () => {
    const name = fc.constantFrom(...SHEETS)
    const other = fc.constantFrom('New', "It's new", 'A1', 'Sum 2', 'false', "'q'", 'x!y')
    fc.assert(
      fc.property(randomFormula, name, other, (formula, from, to) => {
        const plain = renameSheetIn(formula, from, from, isSheet) // with quotes as Excel writes them
        const there = renameSheetIn(formula, from, to, isSheet)
        expect(sheetsIn(there, own => isSheet(own) || own === to)).not.toContain(from)
        expect(renameSheetIn(there, to, from, isSheet)).toBe(plain)
      }),
      { numRuns: RUNS },
    )
  })

  test('is followed by both corners, and by no other workbook', () => {
    expect(renameSheetIn("S!A1:S!B2+[1]S!A1+'[0]S'!A1", 'S', 'My S')).toBe(
      "'My S'!A1:'My S'!B2+[1]S!A1+'[0]My S'!A1",
    )
  })

  test('is lost with all that names it', () => {
    expect(dropSheetIn('S!A1:S!B2+S!Rate+S!T[x]+S!#REF!+S!A1#+[1]S!A1', 'S')).toBe(
      '#REF!+#REF!+#REF!+#REF!+#REF!#+[1]S!A1',
    )
  })
})

test('a copied range of sheets keeps its sheets, even if they look like cells', () => {
  expect(shiftFormula('SUM(Q1:Q4!B1)+A.:.B', 1, 1)).toBe('SUM(Q1:Q4!C2)+B.:.C')
})

test('a name is renamed as a function too, but not another workbook’s', () => {
  const rename = (formula: string) =>
    renameNamesIn(formula, ({ name }) => (name.toLowerCase() === 'twice' ? 'Tax' : undefined))
  expect(rename('twice+Twice(1)+Data!Twice+[1]!Twice+"twice"+Twice!A1')).toBe(
    'Tax+Tax(1)+Data!Tax+[1]!Twice+"twice"+Twice!A1',
  )
})

test('references get their sheet and their marks', () => {
  expect(fixReferences('a1+B2:C3+D:D+4:5+Other!A1', 'My S')).toBe(
    "'My S'!$A$1+'My S'!$B$2:$C$3+'My S'!$D:$D+'My S'!$4:$5+Other!$A$1",
  )
})

test('a table follows, and not one of another workbook', () => {
  expect(renameTableIn('T[x]+SUM(t)+[1]!T[x]+"T"+[0]!T[x]', 'T', 'New')).toBe(
    'New[x]+SUM(New)+[1]!T[x]+"T"+[0]!New[x]',
  )
  expect(dropTableIn('T[x]+SUM(t)+[1]!T[x]', 'T')).toBe('#REF!+SUM(#REF!)+[1]!T[x]')
})
