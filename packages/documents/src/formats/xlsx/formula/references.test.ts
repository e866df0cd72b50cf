import { tokenize } from '@borgar/fx/xlsx'
import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { corpusFiles, hasCorpus, readCorpusFile, sampleOf } from '../../../corpus.contract.ts'
import { openWorkbook } from '../book/workbook-part.ts'
import { boxName, parseBox } from '../cell/address.ts'
import { dropSheetIn, renameSheetIn, shiftFormula } from '../places/rewrites.ts'
import { formulasOf } from '../testing/formulas-of.contract.ts'
import { isOneRowDown } from '../view/one-row-down.ts'
import { findReferences } from './references.ts'
import { SimpleReferences } from './simple-references.ts'

function found(formula: string): string[] {
  const { areas, names, structured, isDynamic } = findReferences(formula)
  const texts = areas.map(
    area => `${area.sheets ? `${area.sheets.join(':')}!` : ''}${boxName(area)}`,
  )
  return [
    ...texts,
    ...names.map(name => `name ${name}`),
    ...structured.map(({ table, part }) => `table ${table}: ${part}`),
    ...(isDynamic ? ['dynamic'] : []),
  ]
}

describe('references', () => {
  test.each([
    ['A1+$B$2', ['A1', 'B2']],
    ['SUM(A1:B2,C:C,$3:4)', ['A1:B2', 'C:C', '3:4']],
    ["Sheet1!A1+'My Sheet'!B2:C3+'It''s'!D4", ['Sheet1!A1', 'My Sheet!B2:C3', "It's!D4"]],
    ['SUM(Jan:Mar!A1)', ['Jan:Mar!A1']],
    ["SUM('Jan 1:Mar 1'!A1)", ['Jan 1:Mar 1!A1']],
    ['LOG10(2)+TRUE+1.5E3', []],
    ['"A1"&B2', ['B2']],
    ['Rate*Table1[Units]', ['name rate', 'table table1: Units']],
    ['SUM(T[[#This Row],[a]:[b]])', ['table t: [#This Row],[a]:[b]']],
    ['Tax*VAT+G', ['name tax', 'name vat', 'name g']],
    ['[@Units]', ['table : @Units']],
    ['[1]Other!A1+B1', ['B1']],
    ["'[Book 2.xlsx]Other'!A1+B1", ['!A1', 'B1']],
    ['#REF!+A1', ['A1']],
    ['INDIRECT("A"&B1)', ['B1', 'dynamic']],
    ['A1:INDEX(B:B,3)', ['A1', 'B:B', 'dynamic']],
    ['A1#+@B1', ['A1', 'B1']],
    ['SUM(Sheet1!A1:sheet1!B3)+C1', ['Sheet1!A1:B3', 'C1']],
    ["SUM('My Sheet'!A:'My Sheet'!B)", ['My Sheet!A:B']],
    ["Sheet1!A1:'It''s'!B3", ['Sheet1!A1', "It's!B3", 'dynamic']],
  ])('of %s', (formula, expected) => {
    expect(found(formula).sort()).toEqual([...expected].sort())
  })
})

describe('references in bytes', () => {
  test.each([
    ['A1+$B$2*3.5-(C3:B1)', ['A1', 'B2', 'B1:C3']],
    ['SUM(A1:A9,ROUND(B2,2))%', ['A1:A9', 'B2']],
    ['LOG10(XFD1048576)', ['XFD1048576']],
    ['', []],
  ])('%s is simple', (formula, expected) => {
    expect(simple(formula)).toEqual(expected)
    expect(found(formula)).toEqual(expected)
  })

  test.each([
    'Sheet1!A1',
    "'My Sheet'!B2",
    'C:C',
    '3:4',
    '"A1"',
    'Rate',
    'Rate.A1',
    'A1.B2',
    'OFFSET(A1,1,1)',
    'cell("row")',
    'INFO(A1)',
    'INDIRECT(A1)',
    'A1:INDEX(B:B,3)',
    'INDEX(B1:B3,3):A1',
    'A1:B2:C3',
    'A1#',
    'A1&amp;B1',
    '1E5',
    'XFE1',
    'A1048577',
    'A0',
    'ABCD1',
    'Table1[x]',
    '[1]!x',
    'Ä1',
    '_A1',
  ])('%s is left to the other', formula => {
    expect(simple(formula)).toBeUndefined()
  })
})

function simple(formula: string): string[] | undefined {
  const references = new SimpleReferences()
  const bytes = Buffer.from(`<f>${formula}</f>A9`)
  if (!references.read(bytes, 3, bytes.length - 6)) return undefined
  return Array.from({ length: references.count }, (_, index) => {
    const [top, left, bottom, right] = references.corners.subarray(4 * index, 4 * index + 4)
    return boxName({ top: top!, left: left!, bottom: bottom!, right: right! })
  })
}

describe('formulas', () => {
  test('move with their cell, but not where they are fixed', () => {
    expect(shiftFormula('A1+$B1+C$1+$D$1+SUM(E1:F2)+G:G+$H:H+3:$4+"A1"', 2, 1)).toBe(
      'B3+$B3+D$1+$D$1+SUM(F3:G4)+H:H+$H:I+5:$4+"A1"',
    )
  })

  test.each([
    ['A1+$B1*C$1+$D$1', 'A2+$B2*C$1+$D$1', true],
    ['SUM(A9:B9)*Rate', 'SUM(A10:B10)*Rate', true],
    ["'A1'!B1+LOG10(2)", "'A1'!B2+LOG10(2)", true],
    ['T[[#This Row],[A1]]', 'T[[#This Row],[A1]]', true],
    ['A1', 'A1', false],
    ['A1+B1', 'A2+B1', false],
    ['"A1"', '"A2"', false],
    ['&quot;A1&quot;', '&quot;A2&quot;', false],
    ['SUM(3:4)', 'SUM(3:4)', false],
    ['$3:$4', '$4:$5', false],
    ['A1*2', 'A2*3', false],
    ['A1', 'A2+1', false],
    ['LOG10(A1)', 'LOG11(A2)', false],
    ['A1!B1', 'A2!B2', false],
  ])('%s to %s is one row down: %s', (above, own, expected) => {
    const bytes = Buffer.from(`${above}${own}`)
    const end = above.length
    expect(isOneRowDown(bytes, { start: 0, end }, { start: end, end: bytes.length })).toBe(expected)
    if (expected) expect(shiftFormula(above, 1, 0)).toBe(own)
  })

  test('follow a renamed sheet, quoted where needed', () => {
    expect(
      renameSheetIn('Data!A1+\'Data\'!B2+Other!C1+"Data!A1"+Data2!A1', 'Data', 'New data'),
    ).toBe("'New data'!A1+'New data'!B2+Other!C1+\"Data!A1\"+Data2!A1")
    expect(renameSheetIn('SUM(Jan:Mar!A1)', 'Mar', 'March 26')).toBe("SUM('Jan:March 26'!A1)")
    expect(renameSheetIn('[1]Data!A1', 'Data', 'X')).toBe('[1]Data!A1')
  })

  test('lose a deleted sheet, and a range of sheets that ends there has no answer', () => {
    expect(dropSheetIn('SUM(Data!A1:B2)+Data!C1+Other!A1', 'Data')).toBe(
      'SUM(#REF!)+#REF!+Other!A1',
    )
    expect(dropSheetIn('SUM(Data:Other!A1)', 'Data')).toBeUndefined()
  })
})

describe.skipIf(!hasCorpus)('on real formulas', () => {
  const files = sampleOf(
    corpusFiles(file => file.category === 'xlsx' && file.features.includes('formulas')),
    12,
  )

  test.each(files)('$file: no reference that the tokens name is missed', file => {
    const book = unwrap(openWorkbook(readCorpusFile(file)))
    for (const formula of formulasOf(book)) {
      const references = findReferences(formula)
      const areas = references.areas.map(area => boxName(area))
      const quick = simple(formula.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
      if (quick) {
        expect(quick, formula).toEqual(areas)
        expect(references.names, formula).toEqual([])
        expect(references.isDynamic, formula).toBe(false)
      }
      for (const wanted of rangesOf(formula)) expect(areas, formula).toContain(wanted)
      expect(shiftFormula(shiftFormula(formula, 3, 2), -3, -2)).toBe(formula)
      const above = Buffer.from(formula)
      for (const other of [formula, shiftFormula(formula, 1, 0), shiftFormula(formula, 0, 1)]) {
        const bytes = Buffer.concat([above, Buffer.from(other)])
        const end = above.length
        if (isOneRowDown(bytes, { start: 0, end }, { start: end, end: bytes.length }))
          expect(other).toBe(shiftFormula(formula, 1, 0))
      }
    }
  })
})

/** What @borgar/fx calls ranges, without those of other workbooks. */
function rangesOf(formula: string): string[] {
  return tokenize(formula, { mergeRefs: true })
    .filter(
      token =>
        (token.type === 'range' || token.type === 'range_beam') && !token.value.includes('['),
    )
    .flatMap(token => {
      const box = parseBox(token.value.slice(token.value.lastIndexOf('!') + 1).replaceAll('$', ''))
      return box ? [boxName(box)] : []
    })
}
