import { parse, tokenize } from '@borgar/fx/xlsx'
import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { arrayNeed } from '../formula/array-formula.ts'
import {
  edited,
  logged,
  openZoo,
  partText,
  saved,
  shown,
  type ZooBook,
} from '../testing/zoo.contract.ts'

const SHEET = 'xl/worksheets/sheet1.xml'
const PART = 'xl/metadata.xml'
const one = (rows = '', more: Partial<ZooBook> = {}): ZooBook => ({ sheets: { S: rows }, ...more })
const set = (cell: string, formula: string) => ({
  op: 'set_cells',
  sheet: 'S',
  cells: [{ cell, value: { formula } }],
})

test.each([
  // As a plain formula these mean the same.
  ['SUM(A1:A9)', undefined],
  ['SUM(UNIQUE(A1:A9))', 'one'],
  ['A1*B1', undefined],
  ['VLOOKUP(A1,D1:E9,2,FALSE)', undefined],
  ['IFERROR(INDEX(B1:B9,MATCH(A1,A1:A9,0)),"")', undefined],
  ['SUMPRODUCT((A1:A9="x")*B1:B9)', undefined],
  ['SUMPRODUCT(1/COUNTIF(A1:A9,A1:A9))', undefined],
  ['SUMIFS(C1:C9,A1:A9,"x",B1:B9,D1)', undefined],
  ['COUNTIFS(A1:A9,">"&D1,B1:B9,E1)', undefined],
  ['XLOOKUP(A1,B1:B9,C1:C9)', undefined],
  ['Sales[@Net]*2', undefined],
  ['SUM(A1#)', 'one'],
  ['@A1:A9*2', undefined],
  ['A:A*2', undefined],
  ['SUM((A1:A3,B5))', undefined],
  ['Price*Quantity', undefined],
  ['SUM(LARGE(A1:A9,{1,2,3}))', undefined],
  ['OR(A1={"x","y"})', undefined],
  ['INDEX(LINEST(B1:B9,A1:A9),1,2)', undefined],
  ['TREND(B1:B9,A1:A9,A10)', undefined],
  // These compute over ranges and give one value.
  ['SUM((A1:A9="x")*B1:B9)', 'one'],
  ['MAX(IF(A1:A9="x",B1:B9))', 'one'],
  ['SUM(LEN(A1:A9))', 'one'],
  ['SUM((A:A="x")*B:B)', 'one'],
  ['INDEX(C1:C9,MATCH(1,(A1:A9="x")*(B1:B9="y"),0))', 'one'],
  ['SUM(COUNTIF(A1:A9,D1:D3))', 'one'],
  ['SUM(Sales[Units]*Sales[Price])', 'one'],
  ['SUMPRODUCT(IF(A1:A9>0,1,0))', 'one'],
  ['LET(x,A1:A9,SUM(x*2))', 'one'],
  ['INDEX(LINEST(B1:B9,A1:A9^{1,2}),1)', 'one'],
  // These fill cells.
  ['SORT(A1:A9)', 'many'],
  ['_xlfn._xlws.SORT(A1:A9)', 'many'],
  ['IFERROR(FILTER(A1:B9,A1:A9>2),"none")', 'many'],
  ['SEQUENCE(5)*2', 'many'],
  ['A1:A9*B1:B9', 'many'],
  ['UPPER(A1:A9)', 'many'],
  ['LARGE(A1:A9,{1;2;3})', 'many'],
  ['VLOOKUP(A1,D1:F9,{2,3},FALSE)', 'many'],
  ['A1#', 'many'],
  ['LINEST(B1:B9,A1:A9)', 'many'],
  ['TREND(B1:B9,A1:A9,A10:A12)', 'many'],
  ['GROWTH(B1:B9)', 'many'],
  ['LET(x,SORT(A1:A9),x)', 'many'],
  ['XLOOKUP(A1,B1:B9,C1:E9)', 'many'],
  ['VLOOKUP(A1:A9,D1:E9,2,FALSE)', 'many'],
])('%s is needed as an array: %s', (formula, need) => {
  expect(arrayNeed(parse(tokenize(formula, { mergeRefs: true })))).toBe(need)
})

describe('a formula that computes over ranges is marked as Excel marks it', () => {
  test('the mark and the part that explains it', () => {
    const { bytes, after, warnings } = edited(one(), [
      set('D2', 'SORT(A1:A9)'),
      set('D1', 'SUM((A1:A9="x")*B1:B9)'),
    ])
    const sheet = partText(bytes, SHEET)
    expect(sheet).toContain(
      '<c r="D2" cm="1"><f t="array" ref="D2">_xlfn._xlws.SORT(A1:A9)</f></c>',
    )
    expect(sheet).toContain('<c r="D1" cm="1"><f t="array" ref="D1">SUM((A1:A9="x")*B1:B9)</f></c>')
    expect(partText(bytes, PART)).toContain('<cellMetadata count="1"><bk><rc t="1" v="0"/></bk>')
    expect(partText(bytes, 'xl/_rels/workbook.xml.rels')).toMatch(
      /<Relationship Id="rId\d+" Type="[^"]*\/relationships\/sheetMetadata" Target="metadata.xml"\/>/,
    )
    expect(partText(bytes, '[Content_Types].xml')).toContain(
      '<Override PartName="/xl/metadata.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheetMetadata+xml"/>',
    )
    expect(warnings).toEqual([
      expect.stringContaining('Excel fills the cells below and next to D2'),
    ])
    expect(shown(after, 'S', 'D2')).toBe('? {{=_xlfn._xlws.SORT(A1:A9)}}')
  })

  test('a second edit of the saved file uses the part that is there', () => {
    const first = edited(one(), [set('D2', 'SORT(A1:A9)')])
    unwrap(first.after.apply(logged([set('E2', 'UNIQUE(A1:A9)')])))
    const second = saved(first.after, first.bytes)
    expect(partText(second.bytes, PART)).toBe(partText(first.bytes, PART))
    expect(partText(second.bytes, SHEET)).toContain('<c r="E2" cm="1"><f t="array" ref="E2">')
  })

  const OTHER =
    '<metadata xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><metadataTypes count="1"><metadataType name="XLMDX" minSupportedVersion="120000"/></metadataTypes><metadataStrings count="1"><s v="x"/></metadataStrings><cellMetadata count="2"><bk><rc t="1" v="0"/></bk><bk><rc t="1" v="1"/></bk></cellMetadata><valueMetadata count="0"/></metadata>'
  const withPart = (part: string, rows = '') =>
    one(rows, {
      parts: { [PART]: part },
      workbookLinks: [['rId50', 'sheetMetadata', 'metadata.xml']],
    })

  test('existing entries of the part keep their numbers', () => {
    const { bytes } = edited(withPart(OTHER), [set('A1', 'SEQUENCE(3)')])
    expect(partText(bytes, SHEET)).toContain('<c r="A1" cm="3">')
    const text = partText(bytes, PART)
    expect(text).toMatch(
      /^<metadata [^>]*><metadataTypes count="2"><metadataType name="XLMDX" minSupportedVersion="120000"\/><metadataType name="XLDAPR" /,
    )
    expect(text).toContain('</metadataStrings><futureMetadata name="XLDAPR" count="1"><bk>')
    expect(text).toContain(
      '<cellMetadata count="3"><bk><rc t="1" v="0"/></bk><bk><rc t="1" v="1"/></bk><bk><rc t="2" v="0"/></bk></cellMetadata><valueMetadata count="0"/>',
    )
  })

  test('a part that cannot be read leaves a plain formula and a warning', () => {
    const { bytes, warnings } = edited(withPart('<metadata>'), [
      set('A1', 'SEQUENCE(3)'),
      set('A5', 'SUM(LEN(B1:B3))'),
    ])
    expect(partText(bytes, SHEET)).toContain('<c r="A1"><f>_xlfn.SEQUENCE(3)</f></c>')
    expect(partText(bytes, PART)).toBe('<metadata>')
    expect(warnings.join('\n')).toContain('Written into one cell each')
    expect(warnings.join('\n')).toContain('Written as plain formulas')
  })

  test('merged cells take no such formula', () => {
    const merged: ZooBook = {
      sheets: {
        S: { rows: '', tail: '<mergeCells count="1"><mergeCell ref="A1:B2"/></mergeCells>' },
      },
    }
    const { bytes, warnings } = edited(merged, [set('A1', 'SUM(LEN(D1:D3))')])
    expect(partText(bytes, SHEET)).toContain('<c r="A1"><f>SUM(LEN(D1:D3))</f></c>')
    expect(warnings.join()).toContain('outside merged cells')
  })

  test('replacing text in such a formula keeps its mark, and a copied sheet brings the part', () => {
    const rows =
      '<row r="1"><c r="A1" cm="2"><f t="array" ref="A1">SUM(LEN(B1:B3))</f><v>3</v></c></row>'
    const replace = { op: 'find_replace', search: 'B3', replace: 'B4', formulas: true }
    const { bytes } = edited(withPart(OTHER, rows), [replace])
    expect(partText(bytes, SHEET)).toContain(
      '<c r="A1" cm="2"><f t="array" ref="A1">SUM(LEN(B1:B4))</f></c>',
    )
    const { document, bytes: base } = openZoo(one())
    unwrap(
      document.apply(
        logged([set('A1', 'SEQUENCE(3)'), { op: 'copy_sheet', sheet: 'S', new_name: 'T' }]),
      ),
    )
    unwrap(document.apply(logged([{ op: 'clear_range', sheet: 'S', range: 'A1:B2' }], 'tc_2')))
    const copied = saved(document, base)
    expect(partText(copied.bytes, 'xl/worksheets/sheet2.xml')).toContain('<c r="A1" cm="1">')
    expect(partText(copied.bytes, PART)).toContain('XLDAPR')
  })

  test('a workbook whose only such formula goes again is as it was', () => {
    const { document, bytes } = openZoo(one())
    unwrap(document.apply(logged([set('A1', 'SEQUENCE(3)')])))
    unwrap(document.apply(logged([{ op: 'clear_range', sheet: 'S', range: 'A1' }], 'tc_2')))
    expect(Buffer.compare(saved(document, bytes).bytes, bytes)).toBe(0)
  })
})
