import { type Result, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import type { DrawnPart } from '../../../format.ts'
import { OpcPackage } from '../../../opc/index.ts'
import { buildZip } from '../../../opc/zip.contract.ts'
import { drawSheet } from '../draw-sheet.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const row = (number: number, last = 'B') =>
  `<row r="${number}"><c r="A${number}"><v>1</v></c><c r="${last}${number}"><v>2</v></c></row>`

interface Parts {
  readonly sheet?: string
  readonly names?: string
}

function workbook({ sheet = '', names = '' }: Parts = {}): Uint8Array {
  const own = (kind: string, target: string, id: number) =>
    `<Relationship Id="rId${id}" Type="${RELS}/${kind}" Target="${target}"/>`
  const list = (inner: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`
  const type = (part: string, kind: string) =>
    `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`
  return buildZip([
    {
      name: '[Content_Types].xml',
      data: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${type('/xl/workbook.xml', 'sheet.main')}${type('/xl/worksheets/sheet1.xml', 'worksheet')}${type('/xl/worksheets/sheet2.xml', 'worksheet')}</Types>`,
    },
    { name: '_rels/.rels', data: list(own('officeDocument', 'xl/workbook.xml', 1)) },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${MAIN}" xmlns:r="${RELS}"><bookViews><workbookView activeTab="0"/></bookViews><sheets><sheet name="First" sheetId="1" r:id="rId1"/><sheet name="It's two" sheetId="2" state="veryHidden" r:id="rId2"/></sheets>${names}</workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: list(
        own('worksheet', 'worksheets/sheet1.xml', 1) + own('worksheet', 'worksheets/sheet2.xml', 2),
      ),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: `<worksheet xmlns="${MAIN}"><sheetData>${row(1)}</sheetData></worksheet>`,
    },
    {
      name: 'xl/worksheets/sheet2.xml',
      data: sheet || `<worksheet xmlns="${MAIN}"><sheetData>${row(1)}</sheetData></worksheet>`,
    },
  ])
}

function draw(bytes: Uint8Array, region: object) {
  const drawn: Result<DrawnPart> = drawSheet({ path: 'a.xlsx', region }, [bytes])
  const value = unwrap(drawn)
  const own = unwrap(OpcPackage.open(value.bytes!))
  const text = (name: string) => Buffer.from(unwrap(own.part(name))).toString('utf8')
  return {
    ...value,
    book: text('xl/workbook.xml'),
    first: text('xl/worksheets/sheet1.xml'),
    second: text('xl/worksheets/sheet2.xml'),
  }
}

describe('a sheet to be drawn', () => {
  test('is the only one to be seen, even if it was hidden', () => {
    const { book, first, part } = draw(workbook(), { sheet: "It's two" })
    expect(part).toBe(`sheet "It's two"`)
    expect(book).toMatch(/<sheet state="hidden" name="First"/)
    expect(book).toMatch(/<sheet name="It's two" sheetId="2" r:id="rId2"\/>/)
    expect(book).toContain('activeTab="1"')
    expect(book).not.toContain('Print_Area')
    expect(first).not.toContain('pageSetup')
  })

  test('has its cells, letters and numbers on pages that are as wide as it is', () => {
    const { second } = draw(workbook(), { sheet: "It's two", range: 'A1:B2' })
    expect(second).toMatch(/<worksheet [^>]*><sheetPr><pageSetUpPr fitToPage="1"\/><\/sheetPr>/)
    expect(second).toMatch(
      /<\/sheetData><printOptions headings="1" gridLines="1"\/><pageMargins [^>]*\/><pageSetup paperSize="9" orientation="portrait" fitToWidth="1" fitToHeight="0"\/><\/worksheet>$/,
    )
  })

  test('loses what it says about printing, and keeps its place among its elements', () => {
    const sheet = `<x:worksheet xmlns:x="${MAIN}"><x:sheetPr codeName="S"/><x:sheetViews><x:sheetView showGridLines="0" workbookViewId="0"/></x:sheetViews><x:sheetData><x:row r="1"><x:c r="J1"><x:v>1</x:v></x:c><x:c r="S1"><x:v>1</x:v></x:c></x:row></x:sheetData><x:mergeCells count="1"><x:mergeCell ref="A2:B2"/></x:mergeCells><x:pageSetup scale="10"/><x:colBreaks count="1"><x:brk id="2"/></x:colBreaks><x:extLst/></x:worksheet>`
    const { second } = draw(workbook({ sheet }), { sheet: "It's two" })
    expect(second).toContain(
      '<x:sheetPr codeName="S"><x:pageSetUpPr fitToPage="1"/></x:sheetPr><x:sheetViews>',
    )
    expect(second).toMatch(
      /<\/x:mergeCells><x:printOptions headings="1"\/><x:pageMargins [^>]*\/><x:pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"\/><x:extLst\/>/,
    )
    expect(second).not.toMatch(/scale=|colBreaks/)
  })

  test('a range is its print area, in place of its own', () => {
    const names =
      '<definedNames><definedName name="_xlnm.Print_Area" localSheetId="1">old</definedName><definedName name="kept">1</definedName></definedNames>'
    const { book, part } = draw(workbook({ names }), { range: "'It''s two'!B2:C3" })
    expect(part).toBe(`sheet "It's two" B2:C3`)
    expect(book).toContain(
      `<definedNames><definedName name="kept">1</definedName><definedName name="_xlnm.Print_Area" localSheetId="1">'It''s two'!$B$2:$C$3</definedName></definedNames>`,
    )
    const without = draw(workbook(), { sheet: 'First', range: 'A1' })
    expect(without.book).toContain(
      '</sheets><definedNames><definedName name="_xlnm.Print_Area" localSheetId="0">First!$A$1</definedName></definedNames>',
    )
  })

  test('a very long one is drawn in part, and says so', () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => row(index + 1)).join('')
    const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`
    const { book, warnings } = draw(workbook({ sheet }), { sheet: "It's two" })
    expect(book).toContain('!$A$1:$B$1000<')
    expect(warnings).toEqual([
      expect.stringMatching(/^Only A1:B1000 is drawn, of A1:B1200: .*range/),
    ])
    expect(draw(workbook({ sheet }), { sheet: "It's two", range: 'A900:B1200' }).warnings).toEqual(
      [],
    )
  })

  test('shows results as a read does: a formula with one is its result, others are computed', () => {
    const cells =
      '<c r="A1"><f>CUBEVALUE(B1)</f><v>5</v></c><c r="B1" t="str"><f t="shared" ref="B1:C1" si="0">X()</f><v>a</v></c><c r="C1" t="str"><f t="shared" si="0"/><v>b</v></c>'
    const own = (more: string) =>
      `<worksheet xmlns="${MAIN}"><sheetData><row r="1">${cells}${more}</row></sheetData></worksheet>`
    const all = draw(workbook({ sheet: own('') }), { sheet: "It's two" }).second
    expect(all).toContain(
      '<c r="A1"><v>5</v></c><c r="B1" t="str"><v>a</v></c><c r="C1" t="str"><v>b</v></c>',
    )
    const some = draw(workbook({ sheet: own('<c r="D1"><f t="shared" si="0"/></c>') }), {
      sheet: "It's two",
    }).second
    expect(some).toContain('<c r="A1"><v>5</v></c><c r="B1" t="str"><f t="shared" ref="B1:C1"')
  })

  test('an export has the results too, and is as it prints otherwise', () => {
    const sheet = `<worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1"><f>CUBEVALUE(B1)</f><v>5</v></c></row></sheetData><pageSetup scale="10"/></worksheet>`
    const bytes = workbook({ sheet })
    const whole = unwrap(drawSheet({ path: 'a.xlsx' }, [bytes]))
    const own = unwrap(OpcPackage.open(whole.bytes!))
    const text = (name: string) => Buffer.from(unwrap(own.part(name))).toString('utf8')
    expect(text('xl/worksheets/sheet2.xml')).toBe(sheet.replace('<f>CUBEVALUE(B1)</f>', ''))
    expect(text('xl/workbook.xml')).toContain('state="veryHidden"')
  })

  test('one that is not there is refused with the names of those that are', () => {
    expect(drawSheet({ path: 'a.xlsx', region: { sheet: 'Three' } }, [workbook()])).toMatchObject({
      failure: {
        code: 'NO_SUCH_REGION',
        message: `Cannot draw sheet "Three": the sheets are First, It's two.`,
      },
    })
  })
})
