import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { buildZip } from '../../../opc/zip.contract.ts'
import { xlsxFormat } from '../format.ts'
import { structureFaults } from './structure.contract.ts'
import {
  edited,
  logged,
  NAME,
  openZoo,
  partText,
  shown,
  type ZooBook,
  zooBook,
} from './zoo.contract.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

function set(cells: Record<string, unknown>, sheet = 'S'): Operation {
  const list = Object.entries(cells).map(([cell, value]) => ({ cell, value }))
  return { op: 'set_cells', sheet, cells: list }
}

function sheetPart(xml: string | Uint8Array): ZooBook {
  return { sheets: { S: '' }, parts: { 'xl/worksheets/sheet1.xml': xml } }
}

describe('a worksheet that leaves out the element of its cells', () => {
  test.each([
    ['', `<worksheet xmlns="${MAIN}"/>`, '<sheetData>'],
    ['', `<worksheet xmlns="${MAIN}"><pageMargins left="1"/></worksheet>`, '<sheetData>'],
    ['', `<worksheet xmlns="${MAIN}"><sheetFormatPr/><pageSetup/></worksheet>`, '<sheetData>'],
    ['x:', `<x:worksheet xmlns:x="${MAIN}"><x:sheetPr/></x:worksheet>`, '<x:sheetData>'],
  ])('takes cells where the schema wants them (%#)', (prefix, xml, tag) => {
    const book = sheetPart(xml)
    expect(unwrap(openZoo(book).document.map()).fields.sheets).toMatchObject([{ usedRange: null }])
    const { bytes, after } = edited(book, [
      set({ B2: 7 }),
      { op: 'merge_cells', sheet: 'S', range: 'C1:D1' },
    ])
    expect(shown(after, 'S', 'B2')).toBe('7')
    const text = partText(bytes, 'xl/worksheets/sheet1.xml')
    expect(text).toContain(tag)
    const order = [...text.matchAll(/<(?:x:)?([a-zA-Z]+)/g)].map(([, name]) => name)
    const wanted = [
      'sheetPr',
      'sheetFormatPr',
      'sheetData',
      'mergeCells',
      'pageMargins',
      'pageSetup',
    ]
    expect(order.filter(name => wanted.includes(name!))).toEqual(
      wanted.filter(name => order.includes(name)),
    )
    expect(text.endsWith(`</${prefix}worksheet>`)).toBe(true)
  })

  test('is left as it is when another sheet is renamed', () => {
    const book: ZooBook = {
      sheets: { S: '', T: '<row r="1"><c r="A1"><f>T!B1</f></c></row>' },
      parts: { 'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"/>` },
    }
    const { bytes } = edited(book, [{ op: 'rename_sheet', sheet: 'T', new_name: 'U' }])
    expect(partText(bytes, 'xl/worksheets/sheet1.xml')).toBe(`<worksheet xmlns="${MAIN}"/>`)
  })
})

describe('parts in other encodings', () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row></sheetData></worksheet>`

  test('a sheet in UTF-16 is copied as one', () => {
    const { after } = edited(sheetPart(Buffer.from(`\ufeff${xml('UTF-16')}`, 'utf16le')), [
      { op: 'copy_sheet', sheet: 'S', new_name: 'C' },
      set({ B1: '日本' }, 'C'),
    ])
    expect([shown(after, 'C', 'A1'), shown(after, 'C', 'B1')]).toEqual(['a', '日本'])
  })

  test('a character beyond ASCII becomes a reference', () => {
    const { bytes, after } = edited(sheetPart(xml('us-ascii')), [set({ B1: 'é日' })])
    expect(partText(bytes, 'xl/worksheets/sheet1.xml')).toContain('&#233;&#26085;')
    expect(shown(after, 'S', 'B1')).toBe('é日')
  })
})

describe('a workbook without styles', () => {
  const links = (rel: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${rel}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
  const bare = (isStrict: boolean): ZooBook => ({
    sheets: { S: '<row r="1"><c r="A1"><v>45000</v></c></row>' },
    isStrict,
    parts: {
      'xl/_rels/workbook.xml.rels': links(
        isStrict
          ? 'http://purl.oclc.org/ooxml/officeDocument/relationships'
          : 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
      ),
    },
  })

  test.each([false, true])('gets some with its first date (strict: %s)', isStrict => {
    const { bytes, before, after } = edited(bare(isStrict), [
      set({ B1: { date: '2026-01-31' } }),
      { op: 'ensure_sheet', sheet: 'T' },
    ])
    expect([shown(after, 'S', 'A1'), shown(after, 'S', 'B1')]).toEqual(['45000', '2026-01-31'])
    const known = structureFaults(before)
    expect(structureFaults(bytes).filter(fault => !known.includes(fault))).toEqual([])
    // The part of that name belonged to nobody, so it is not taken.
    expect(partText(bytes, 'xl/_rels/workbook.xml.rels')).toContain('Target="styles1.xml"')
  })

  test('gets none without need', () => {
    const { bytes } = edited(bare(false), [set({ B1: 'text' })])
    expect(partText(bytes, 'xl/_rels/workbook.xml.rels')).not.toContain('styles')
  })
})

describe('formulas that nobody has computed', () => {
  const rows =
    '<row r="1"><c r="A1"><f>1+1</f><v/></c><c r="B1"><f>2+2</f><v></v></c><c r="C1" t="str"><f>""</f><v></v></c><c r="D1"><f>INDIRECT("A1")</f><v/></c></row>'

  test('say so, and an empty text is a value', () => {
    const { document } = openZoo({ sheets: { S: rows } })
    const { text, fields } = unwrap(document.read({ sheet: 'S' }, { maxBytes: 5_000 }))
    expect(text).toContain('1|? {=1+1}|? {=2+2}|"" {=""}|? {=INDIRECT("A1")}')
    const cells = fields.cells as { isStale?: boolean }[]
    expect(cells.map(cell => cell.isStale ?? false)).toEqual([true, true, false, true])
  })

  test('lose nothing by an edit', () => {
    const { document } = openZoo({ sheets: { S: rows } })
    expect(unwrap(document.apply(logged([set({ F1: 1 })]))).warnings).toEqual([])
  })
})

describe('sheets without cells', () => {
  const book: ZooBook = {
    sheets: { S: '', C: '' },
    parts: {
      'xl/worksheets/sheet2.xml': `<chartsheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"/></sheetViews></chartsheet>`,
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chartsheet" Target="worksheets/sheet2.xml"/></Relationships>`,
    },
  }

  test.each<Operation>([
    set({ A1: 1 }, 'C'),
    { op: 'set_range', sheet: 'C', start: 'A1', values: [[1]] },
    { op: 'clear_range', sheet: 'C', range: 'A1' },
    { op: 'merge_cells', sheet: 'C', range: 'A1:B1' },
    { op: 'set_column_widths', sheet: 'C', widths: { A: 9 } },
    { op: 'hide', sheet: 'C', rows: '1' },
    { op: 'find_replace', sheet: 'C', search: 'a', replace: 'b' },
  ])('refuse $op', operation => {
    const result = openZoo(book).document.apply(logged([operation]))
    expect(result.ok || result.failure.message).toContain(
      'has no cells; the sheets with cells are S',
    )
  })

  test('are renamed and hidden like others, and reading one says what it is', () => {
    const { after, bytes } = edited(book, [
      { op: 'rename_sheet', sheet: 'C', new_name: 'D' },
      { op: 'hide', sheet: 'D' },
    ])
    expect(partText(bytes, 'xl/workbook.xml')).toContain('state="hidden"')
    const reading = after.read({ sheet: 'D', range: 'A1' }, { maxBytes: 5_000 })
    expect(reading.ok || reading.failure.message).toContain('it is a chartsheet and has no cells')
  })
})

describe('addresses with a sheet', () => {
  test('are taken where they name the sheet of the operation', () => {
    const { after } = edited({ sheets: { 'My S': '' } }, [
      set({ "'my s'!$b$2": 1 }, 'My S'),
      { op: 'set_range', sheet: 'My S', start: 'My S!A1', values: [['x']] },
      { op: 'clear_range', sheet: 'My S', range: "'My S'!B2:B3" },
    ])
    expect(shown(after, 'My S', 'A1:B2')).toBe('x')
  })

  test.each([
    [set({ 'T!A1': 1 }), 'names a different sheet from the operation, which is on "S"'],
    [set({ 'B2:C3': 1 }), 'is a range; send its first cell, "B2"'],
    [set({ XFE1: 1 }), 'the last cell of a sheet is XFD1048576'],
    [
      { op: 'clear_range', sheet: 'S', range: 'T!A1' },
      'names a different sheet from the operation',
    ],
  ])('are refused elsewhere, with what would work (%#)', (operation, message) => {
    const result = openZoo({ sheets: { S: '', T: '' } }).document.apply(logged([operation]))
    expect(result.ok || result.failure.message).toContain(message)
  })
})

describe('times', () => {
  const book = (is1904: boolean): ZooBook => ({
    is1904,
    sheets: {
      S: '<row r="1"><c r="A1" s="1"><v>1.5</v></c><c r="B1" s="2"><v>0.5</v></c><c r="C1" s="3"><v>0.5</v></c></row>',
    },
    parts: {
      'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="21"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    },
  })

  test.each([false, true])('a duration is a number of days in any calendar (1904: %s)', is1904 => {
    const { document } = openZoo(book(is1904))
    expect(shown(document, 'S', 'A1')).toBe('36:00 {1.5}')
    expect(shown(document, 'S', 'B1')).toBe('12:00:00')
    const { after } = edited(book(is1904), [set({ A1: { date: '08:30' } })])
    expect(shown(after, 'S', 'A1')).toBe('8:30 {0.354166666666667}')
  })

  test('the first day of 1904 is a date where the format shows one', () => {
    expect(shown(openZoo(book(true)).document, 'S', 'C1')).toBe('1/1/1904 {1904-01-01T12:00:00}')
  })
})

test('text that looks like another value is reported', () => {
  const { document } = openZoo({ sheets: { S: '' } })
  const values = {
    A1: '2026-01-31',
    A2: '12',
    A3: '=1',
    A4: '007',
    A5: 2 ** 60,
    A6: 1e30,
    A7: '1,234,567.50',
    A8: 'TRUE',
    A9: '12,3456,7',
    B1: '$1,234.00',
    B2: '12.5 %',
    B3: '(300)',
    B4: '9,50 €',
    B5: '31/01/2026',
    B6: '+49 30 1234',
    B7: '1.2.3',
    C1: '',
  }
  const { warnings } = unwrap(document.apply(logged([set(values)])))
  expect(warnings.map(text => /^.*?: [A-C]\d(, [AB]\d)*/.exec(text)?.[0])).toEqual([
    'Written as text although they look like dates: A1, B5',
    'Written as text although they look like numbers: A2, A7, B1, B2, B3, B4',
    'Written as text, not as formulas: A3',
    'Written as numbers, which keep 15 digits: A5',
    'Written as text although they look like true or false: A8',
    'Written as empty strings, which count as filled: C1',
  ])
})

test('text is distinguished from a number that looks the same', () => {
  const formats = ['"$"#,##0.00', '0" kg"']
  const styles = `<styleSheet xmlns="${MAIN}"><numFmts count="2">${formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellXfs count="2">${formats.map((_, i) => `<xf numFmtId="${164 + i}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`
  const text = (cell: string, value: string) => `<c r="${cell}" t="str"><v>${value}</v></c>`
  const rows = `<row r="1"><c r="A1" s="0"><v>1200</v></c>${text('B1', '$1,200.00')}<c r="C1" s="1"><v>3</v></c>${text('D1', '3 kg')}</row>`
  const { document } = openZoo({ sheets: { S: rows }, parts: { 'xl/styles.xml': styles } })
  expect(['A1', 'B1', 'C1', 'D1'].map(cell => shown(document, 'S', cell))).toEqual([
    '$1,200.00',
    '"$1,200.00"',
    '3 kg {3}',
    '3 kg',
  ])
})

test('far columns alone do not cut a small sheet into pieces', () => {
  const rows = Array.from(
    { length: 20 },
    (_, i) =>
      `<row r="${i + 1}"><c r="A${i + 1}"><v>1</v></c><c r="XFD${i + 1}"><v>1</v></c></row>`,
  )
  const { fields } = unwrap(openZoo({ sheets: { S: rows.join('') } }).document.map())
  expect(fields.sheets).toMatchObject([{ chunks: ['1:20'] }])
})

describe('a copy under a name of another kind', () => {
  const MACROS = 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'
  const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const link = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject'
  const named = (path: string) => ({ ...NAME, path: path as typeof NAME.path })
  const typesOf = (bytes: Uint8Array) => partText(bytes, '[Content_Types].xml')
  const plain = zooBook({ sheets: { S: '<row r="1"><c r="A1"><v>1</v></c></row>' } })

  test('matches its name, and nothing else changes', () => {
    const template = unwrap(xlsxFormat.create(named('t.xltx'), plain))
    expect(typesOf(template)).toContain(`${SPREADSHEET}.template.main+xml`)
    expect(unwrap(xlsxFormat.create(named('b.xlsx'), template))).toEqual(plain)
    expect(typesOf(unwrap(xlsxFormat.create(named('m.xlsm'), plain)))).toContain(MACROS)
    expect(unwrap(xlsxFormat.create(named('c.xlsx'), plain))).toBe(plain)
  })

  test('keeps its macros or is refused', () => {
    const parts = { 'xl/vbaProject.bin': 'macros' }
    const book = zooBook({
      sheets: { S: '' },
      parts,
      workbookLinks: [['rId50', link, 'vbaProject.bin']],
    })
    const macros = unwrap(xlsxFormat.create(named('m.xlsm'), book))
    expect(partText(macros, 'xl/vbaProject.bin')).toBe('macros')
    const refused = xlsxFormat.create(named('b.xlsx'), macros)
    expect(refused.ok || refused.failure.message).toContain('choose one that ends in .xlsm')
  })
})

describe('a file that is not a workbook despite its name', () => {
  const failureOf = (bytes: Uint8Array) => {
    const opened = xlsxFormat.open(bytes, NAME)
    return opened.ok ? '' : opened.failure.message
  }

  test('is recognised by its bytes', () => {
    expect(failureOf(Buffer.from('a,b\n1,2\n'))).toContain('it is a text file')
    const type = 'application/vnd.oasis.opendocument.spreadsheet'
    const ods = buildZip([{ name: 'mimetype', data: type }])
    expect(failureOf(ods)).toContain('it is an OpenDocument file')
    expect(failureOf(buildZip([{ name: 'a.txt', data: 'a' }]))).toContain(
      'content types is missing',
    )
  })
})

test('a copied sheet has no reference to parts that were not copied, and names them', () => {
  const rel = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const { bytes, warnings } = edited(
    {
      sheets: {
        S: {
          rows: '<row r="1"><c r="A1"><v>1</v></c></row>',
          tail: '<customSheetViews><customSheetView guid="{0}"><pageSetup r:id="rId2"/></customSheetView></customSheetViews><pageSetup orientation="landscape" r:id="rId3"/><extLst><ext uri="{1}"><a:kept xmlns:a="urn:a"/></ext><ext uri="{2}"><b:slicerList xmlns:b="urn:b"><b:slicer r:id="rId4"/></b:slicerList></ext></extLst>',
          links: [['rId1', 'pivotTable', '../pivotTables/pivotTable1.xml']],
        },
      },
      names: '<definedName name="Own" localSheetId="0">S!$A$1</definedName>',
      parts: {
        'xl/pivotTables/pivotTable1.xml': `<pivotTableDefinition xmlns="${MAIN}" xmlns:r="${rel}" name="P"><location ref="A1"/></pivotTableDefinition>`,
      },
    },
    [{ op: 'copy_sheet', sheet: 'S', new_name: 'T' }],
  )
  const copy = partText(bytes, 'xl/worksheets/sheet2.xml')
  expect(copy).not.toContain('r:id')
  expect(copy).toContain('<a:kept')
  expect(warnings).toEqual([
    'Not copied to "T": slicers and timelines, pivot tables (their cells are copied).',
  ])
})

test('one operation may write more cells than a call takes arguments', () => {
  const values = Array.from({ length: 1000 }, () => Array.from({ length: 140 }, () => 1))
  const { document } = openZoo({ sheets: { S: '' } })
  const operation = { op: 'set_range', sheet: 'S', start: 'A1', values }
  expect(unwrap(document.apply(logged([operation]))).changes).toHaveLength(140_000)
})

test('a number beyond all numbers is an error, and a stored sign of a formula is said once', () => {
  const rows = '<row r="1"><c r="A1"><v>1E999</v></c><c r="B1"><f>=A1</f><v>2</v></c></row>'
  const { document } = openZoo({ sheets: { S: rows } })
  expect([shown(document, 'S', 'A1'), shown(document, 'S', 'B1')]).toEqual(['#NUM!', '2 {=A1}'])
  const { after } = edited({ sheets: { S: rows } }, [set({ A1: 1 })])
  expect(shown(after, 'S', 'B1')).toBe('? {=A1}')
})
