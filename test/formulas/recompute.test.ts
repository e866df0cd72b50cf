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

  test('a SUBTOTAL on a new or copied sheet is computed, unless it reads another one', () => {
    const values = [1, 2, { formula: 'SUBTOTAL(9,A1:A2)' }, { formula: 'SUBTOTAL(9,A1:A3)' }]
    const { saved } = edit(BOOK, [
      { op: 'ensure_sheet', sheet: 'New' },
      { op: 'set_range', sheet: 'New', start: 'A1', values: values.map(own => [own]) },
      { op: 'copy_sheet', sheet: 'New', new_name: 'Copy' },
      set('A1', 5, 'Copy'),
    ])
    expect(shown(saved, 'New', 'A3')).toBe('3 {=SUBTOTAL(9,A1:A2)}')
    expect(shown(saved, 'Copy', 'A3')).toBe('7 {=SUBTOTAL(9,A1:A2)}')
    expect(shown(saved, 'New', 'A4')).toBe('? {=SUBTOTAL(9,A1:A3)}')
    expect(shown(saved, 'Copy', 'A4')).toBe('? {=SUBTOTAL(9,A1:A3)}')
  })

  test('names, ranges of sheets and whole columns are followed', () => {
    const formulas = ['Rate*2', 'SUM(S:T!A1)', 'SUM(A:A)']
    const book: ZooBook = {
      sheets: {
        S: '<row r="1"><c r="A1"><v>2</v></c></row><row r="2"><c r="A2"><v>3</v></c></row>',
        T: '<row r="1"><c r="A1"><v>4</v></c></row>',
        U: '<row r="1"/>',
      },
      names: '<definedName name="Rate">S!$A$1</definedName>',
    }
    const cells = formulas
      .slice(0, 2)
      .map((formula, at) => ({ cell: `B${at + 1}`, value: { formula } }))
    const { applied, document } = edit(book, [
      { op: 'set_cells', sheet: 'U', cells },
      { op: 'set_cells', sheet: 'S', cells: [{ cell: 'B9', value: { formula: formulas[2] } }] },
      set('A1', 20),
    ])
    expect(applied.results[0]).toMatchObject({ formulas: [{ value: 40 }, { value: 24 }] })
    expect(shown(document, 'S', 'B9')).toBe('23 {=SUM(A:A)}')
  })
})

describe('a formula has no result, and the answer says why', () => {
  const lost = (formula: string, stored: string, more = '') => {
    const rows = `<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>${formula}</f><v>${stored}</v></c></row>${more}`
    const { applied, after, saved } = edit({ sheets: { S: rows } }, [set('A1', 3)])
    expect(shown(saved, 'S', 'B1')).toMatch(/^\? /)
    expect(partText(after, 'xl/workbook.xml')).toContain('fullCalcOnLoad="1"')
    return applied.warnings.join(' ')
  }

  test('where its stored result is not the one that is computed from the old inputs', () => {
    expect(lost('BESSELI(A1,1)', '5')).toContain('S!B1 (its stored result is not the one')
  })

  test('but not where all of it is proven: then the file was wrong', () => {
    const rows =
      '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>AVERAGE(A1:A3)</f><v>77</v></c><c r="C1"><f>RANK(A2,A1:A3)</f><v>9</v></c></row>' +
      '<row r="2"><c r="A2"><v>4</v></c><c r="B2"><f>B1*2</f><v>154</v></c></row>'
    const { saved, applied } = edit({ sheets: { S: rows } }, [set('A1', 6)])
    expect(shown(saved, 'S', 'B1')).toBe('5 {=AVERAGE(A1:A3)}')
    expect(shown(saved, 'S', 'C1')).toBe('2 {=RANK(A2,A1:A3)}')
    expect(shown(saved, 'S', 'B2')).toBe('10 {=B1*2}')
    expect(applied.warnings).toEqual([])
  })

  test('where it needs a function that cannot be computed here', () => {
    expect(lost('A1+RAND()', '2.5')).toContain('S!B1 (it has RAND, which changes each time)')
    expect(lost('A1+CUBEVALUE("x")', '2')).toContain('S!B1 (it has CUBEVALUE, which needs another')
    expect(lost('A1+MyMacro(1)', '2')).toContain('S!B1 (')
  })

  test('where a branch that was not taken uses what is not proven', () => {
    expect(lost('IF(A1&gt;2,SECOND(A1),7)', '7')).toContain('SECOND is not proven')
  })

  test('where it is part of a circle, or reads what has no result', () => {
    const circle = '<row r="2"><c r="A2"><f>B1+1</f><v>1</v></c></row>'
    expect(lost('A1+A2', '3', circle)).toContain('circular')
    const reader = '<row r="2"><c r="A2"><f>B1*2</f><v>5</v></c></row>'
    expect(lost('A1+RAND()', '2.5', reader)).toContain('S!A2 (it reads a cell without a result)')
  })
})

test('a formula on another workbook keeps its stored result, with a warning', () => {
  const rows = '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>[1]X!A1*A1</f><v>8</v></c></row>'
  const { applied, saved } = edit({ sheets: { S: rows } }, [set('A1', 3)])
  expect(shown(saved, 'S', 'B1')).toBe('8 {=[1]X!A1*A1}')
  expect(applied.warnings.join(' ')).toContain('a link to another workbook')
})

test('TODAY is the day of the call, and the answer says so', () => {
  const { applied } = edit(BOOK, [set('D1', { formula: 'TODAY()-TODAY()+5' })])
  expect(applied.results[0]).toMatchObject({ formulas: [{ cell: 'S!D1', value: 5 }] })
  expect(applied.warnings.join(' ')).toContain('Computed for the time of this call')
})

test('an error value comes with its reason', () => {
  const { applied } = edit(BOOK, [set('D1', { formula: 'A1/0' })])
  expect(applied.results[0]).toMatchObject({
    formulas: [
      { cell: 'S!D1', value: '#DIV/0!', reason: 'it divides by zero or by an empty cell' },
    ],
  })
})

test('a result that an edit cannot have changed keeps its bytes', () => {
  const rows =
    '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>INDIRECT("A"&amp;C1)</f><v>2.0</v></c><c r="C1"><v>1</v></c><c r="D1"><f>OFFSET(A1,0,0)</f><v>2.0</v></c><c r="E1"><f>A9*0+SUM(A1)</f><v>2.0</v></c></row>'
  const { applied, after } = edit({ sheets: { S: rows } }, [set('A9', 3)])
  expect(applied.warnings).toEqual([])
  const sheet = partText(after, 'xl/worksheets/sheet1.xml')
  for (const cell of ['B1', 'D1', 'E1'])
    expect(sheet).toMatch(new RegExp(`<c r="${cell}"><f>[^<]*</f><v>2\\.0</v></c>`))
})

test('a computation that takes too long leaves the edit without results', () => {
  const bytes = zooBook(BOOK)
  const late = createEvaluator({ timeMs: 0 })
  const document = unwrap(XlsxDocument.open(bytes, NAME, late))
  const applied = unwrap(document.apply(logged([set('A1', 10)])))
  expect(applied.warnings.join(' ')).toContain('it takes too long to compute here')
  expect(shown(document, 'S', 'B1')).toBe('? {=A1*2}')
})

test('nothing is started where nothing is to be computed', () => {
  const never = () => {
    throw new Error('asked')
  }
  const bytes = zooBook({ sheets: { S: '<row r="1"><c r="A1"><v>2</v></c></row>' } })
  const document = unwrap(XlsxDocument.open(bytes, NAME, never))
  expect(unwrap(document.apply(logged([set('A1', 10)]))).warnings).toEqual([])
  expect(document.content().ok).toBe(true)
})

/** One input in A1, one formula in B1 with its stored result. */
const oneFormula = (
  formula: string,
  result: string,
  input = '<c r="A1"><v>45000</v></c>',
): ZooBook => ({
  sheets: {
    S: `<row r="1">${input}<c r="B1"${/^-?\d/.test(result) ? '' : ' t="str"'}><f>${formula}</f><v>${result}</v></c><c r="D1"><v>7</v></c></row>`,
  },
})

describe('a proof is for the kinds of values it was made with', () => {
  test('a day that is taken away leaves EOMONTH without a result, with the reason', () => {
    const { saved, applied } = edit(oneFormula('EOMONTH(A1,1)', '45046'), [set('A1', null)])
    expect(shown(saved, 'S', 'B1')).toBe('? {=EOMONTH(A1,1)}')
    expect(applied.warnings.join()).toContain(
      'S!B1 (programs may differ about a day before March 1900)',
    )
    const other = edit(oneFormula('EOMONTH(A1,1)', '45046'), [set('A1', 45100)])
    expect(shown(other.saved, 'S', 'B1')).toBe('45138 {=EOMONTH(A1,1)}')
  })

  test('a function without any proof is trusted with the kinds that gave its stored result, and no others', () => {
    const book = oneFormula('GAMMALN(A1)', '12.801827480081469', '<c r="A1"><v>10</v></c>')
    const same = edit(book, [set('A1', 11)])
    expect(shown(same.saved, 'S', 'B1')).toMatch(/^15\.104/)
    const { saved, applied } = edit(book, [set('A1', 'text')])
    expect(shown(saved, 'S', 'B1')).toBe('? {=GAMMALN(A1)}')
    expect(applied.warnings.join()).toContain('GAMMALN')
  })

  test('an empty text that a formula gave is no zero for the next one', () => {
    const book: ZooBook = {
      sheets: {
        S: '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>IF(A1=1,5,"")</f><v>5</v></c><c r="C1"><f>IFERROR(B1-2,"none")</f><v>3</v></c></row>',
      },
    }
    const { saved } = edit(book, [set('A1', 2)])
    expect(shown(saved, 'S', 'C1')).toBe('none {=IFERROR(B1-2,"none")}')
  })
})

test.each([
  ['IFERROR(VLOOKUP(#REF!,D1:E1,2,FALSE),"NA")&amp;A1', 'NA45000', 'NA1'],
  ['INDIRECT("A"&amp;ROW())+1', '45001', '2'],
  ['OFFSET(A1,0,COLUMN()-2)*2', '90000', '2'],
  ['A1+ROW(B1)', '45001', '2'],
])('%s is computed', (formula, result, expected) => {
  const { saved } = edit(oneFormula(formula, result), [set('A1', 1)])
  expect(shown(saved, 'S', 'B1').split(' {')[0]).toBe(expected)
})

test('a thousand lookups in a range of computed cells have an order', () => {
  const rows = Array.from({ length: 1000 }, (_, index) => {
    const row = index + 1
    return `<row r="${row}"><c r="A${row}"><f>$Z$1+${row}</f><v>${row}</v></c><c r="C${row}"><f>VLOOKUP($Z$1+${row},$A$1:$A$1000,1,FALSE)</f><v>${row}</v></c>${row === 1 ? '<c r="Z1"><v>0</v></c>' : ''}</row>`
  })
  const { saved, applied } = edit({ sheets: { S: rows.join('') } }, [set('Z1', 5)])
  expect(applied.warnings).toEqual([])
  expect(shown(saved, 'S', 'C1000')).toMatch(/^1005 /)
})

test('a total behind a name is told when it moves', () => {
  const book: ZooBook = {
    names: '<definedName name="Income">SUM(S!$A$1:$A$2)</definedName>',
    sheets: {
      S: '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>Income</f><v>5</v></c></row><row r="2"><c r="A2"><v>3</v></c></row>',
    },
  }
  const { applied } = edit(book, [set('A1', 10)])
  expect(applied.results[0]).toMatchObject({ totals: [{ cell: 'S!B1', from: 5, to: 13 }] })
})
