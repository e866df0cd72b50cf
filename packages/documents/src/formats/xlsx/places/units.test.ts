import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasCorpus, IS_FULL, sampleOf } from '../../../corpus.contract.ts'
import { findReferences, type Reference } from '../formula/references.ts'
import { allFormulas } from '../testing/formulas-of.contract.ts'
import { randomFormula } from '../testing/random-formulas.contract.ts'
import { cornersBox, parseCorner } from './corners.ts'
import { shiftFormula } from './rewrites.ts'
import { isExternal, type ReferenceUnit, rewriteUnits, textOf, unitsOf } from './units.ts'

const RUNS = IS_FULL ? 20_000 : 1_000

function shown(formula: string, options = {}): string[] {
  return unitsOf(formula, options)
    .filter(({ kind }) => kind !== 'other')
    .map(unit => `${unit.kind} ${textOf(unit)}`)
}

describe('a formula falls into', () => {
  test.each([
    [
      "Sales!A1:Sales!B2+'O''Brien'!$A:B",
      ['reference Sales!A1:Sales!B2', "reference 'O''Brien'!$A:B"],
    ],
    ['Sales!A1:Costs!B2', ['reference Sales!A1', 'reference Costs!B2']],
    ['Jan:Mar!A1+2019:2021!B2', ['reference Jan:Mar!A1', 'reference 2019:2021!B2']],
    ["'Jan':Mar!A1+Jan:'Mar'!A1", ["reference 'Jan':Mar!A1", "reference Jan:'Mar'!A1"]],
    ['TRUE!A1+TRUE:Jan!A1', ['reference TRUE!A1', 'reference TRUE:Jan!A1']],
    ['A1 :\n B2 A1:.B9', ['reference A1 :\n B2', 'reference A1:.B9']],
    ['A.:.B+$1:3', ['reference A.:.B', 'reference $1:3']],
    ['A1#+@B2', ['reference A1', 'reference B2']],
    ['Sales[Net]+[@Net]+Sales', ['structured Sales[Net]', 'structured [@Net]', 'name Sales']],
    ['[0]!Rate+Data!Rate+[1]!Rate', ['name [0]!Rate', 'name Data!Rate', 'name [1]!Rate']],
    ['Data!#REF!+#REF!A1:B2', ['error Data!#REF!', 'reference #REF!A1:B2']],
    ['R1C1+RC+XFE1', ['name R1C1', 'name RC', 'name XFE1']],
    ['A1:INDEX(B:B,3)', ['reference A1', 'function INDEX', 'reference B:B']],
    ["'C:\\x\\[B.xlsx]S'!A1", ['name C', 'reference A1'].slice(1)],
  ])('%s: %j', (formula, expected) => {
    expect(shown(formula)).toEqual(expected)
  })

  test('a range of sheets or of cells, by the sheets there are', () => {
    const isSheet = (name: string) => name === 'Q1' || name === 'Q4' || name === 'S'
    expect(shown('Q1:Q4!A1', { isSheet })).toEqual(['reference Q1:Q4!A1'])
    expect(shown('Q2:S!A1', { isSheet })).toEqual(['reference Q2', 'reference S!A1'])
    expect(shown('Rate:S!A1', { isSheet })).toEqual(['name Rate', 'reference S!A1'])
    expect(shown('Q2:S!A1', { isSheet, isHome: (name: string) => name === 'S' })).toEqual([
      'reference Q2:S!A1',
    ])
  })

  test('references of this workbook and of others', () => {
    const units = unitsOf("[1]S!A1+'C:\\x\\[B.xlsx]S'!A1+[0]S!A1+S!A1+A1").filter(
      (unit): unit is ReferenceUnit => unit.kind === 'reference',
    )
    expect(units.map(isExternal)).toEqual([true, true, false, false, false])
  })
})

function expectLaws(formula: string): void {
  expect(rewriteUnits(formula, () => undefined)).toBe(formula)
  expect(rewriteUnits(formula, textOf)).toBe(formula)
  const { areas, isDynamic } = findReferences(formula)
  if (isDynamic) return
  const found = new Set(areas.map(inWords))
  for (const area of unitsOf(formula).flatMap(areaOf))
    expect(found.has(inWords(area)), `${formula}: ${inWords(area)}`).toBe(true)
}

function inWords({ sheets, ...area }: Reference): string {
  return `${sheets?.join(':')} ${Object.entries(area).sort().join(' ')}`
}

/** As the fast reader gives it. */
function areaOf(unit: ReturnType<typeof unitsOf>[number]): Reference[] {
  if (unit.kind !== 'reference' || isExternal(unit) || unit.context?.sheets.length === 0) return []
  const [a, b = a] = unit.corners.map(parseCorner)
  if (!a || !b) return []
  const [top, bottom] = a.row > b.row ? [b, a] : [a, b]
  const [left, right] = a.column > b.column ? [b, a] : [a, b]
  const isOpen = { row: a.row === 0, column: a.column === 0 }
  const { top: first, left: start, bottom: last, right: end } = cornersBox(a, b)
  return [
    {
      sheets: unit.context?.sheets,
      top: first,
      left: start,
      bottom: last,
      right: end,
      fixedTop: isOpen.row || top.fixedRow,
      fixedLeft: isOpen.column || left.fixedColumn,
      fixedBottom: isOpen.row || bottom.fixedRow,
      fixedRight: isOpen.column || right.fixedColumn,
    },
  ]
}

test('random formulas are the sum of their units, and the fast reader misses no reference', () => {
  fc.assert(fc.property(randomFormula, expectLaws), { numRuns: RUNS })
})

test('a formula copied elsewhere and back is the same', () => {
  const by = fc.integer({ min: -50, max: 50 })
  fc.assert(
    fc.property(randomFormula, by, by, (formula, rows, columns) => {
      expect(shiftFormula(shiftFormula(formula, rows, columns), -rows, -columns)).toBe(formula)
    }),
    { numRuns: RUNS },
  )
})

test.skipIf(!hasCorpus)(
  'every formula of real workbooks is the sum of its units',
  () => {
    const formulas = sampleOf([...allFormulas()], 3_000)
    expect(formulas.length).toBeGreaterThan(1_000)
    for (const formula of formulas) {
      expectLaws(formula)
      expect(shiftFormula(shiftFormula(formula, 3, 2), -3, -2).toUpperCase()).toBe(
        formula.toUpperCase(),
      )
    }
  },
  120_000,
)
