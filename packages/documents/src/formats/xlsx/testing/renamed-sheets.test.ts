import { describe, expect, test } from 'vitest'
import { dropSheetIn, renameSheetIn } from '../places/rewrites.ts'
import { edited, partText, shown, type ZooBook } from './zoo.contract.ts'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const rename = (sheet: string, new_name: string) => ({ op: 'rename_sheet', sheet, new_name })
const cell = (ref: string, formula: string, value = '') =>
  `<row r="1"><c r="${ref}"><f>${formula}</f><v>${value}</v></c></row>`

describe('a range of sheets', () => {
  const quarters: ZooBook = {
    sheets: { Sum: cell('A1', 'SUM(Q1:Q4!B1)', '3'), Q1: '', Q2: '', Q4: '' },
  }

  test('whose names look like cells follows both of its ends', () => {
    const { after } = edited(quarters, [rename('Q1', 'First'), rename('Q4', 'Last')])
    expect(shown(after, 'Sum', 'A1')).toBe('3 {=SUM(First:Last!B1)}')
    const { after: one } = edited(quarters, [rename('Q4', 'Last one')])
    expect(shown(one, 'Sum', 'A1')).toBe("3 {=SUM('Q1:Last one'!B1)}")
  })

  test('whose names look like cells keeps its ends from being deleted', () => {
    expect(() => edited(quarters, [{ op: 'delete_sheet', sheet: 'Q1' }])).toThrow(
      'one end of a range of sheets',
    )
  })

  test('of years or truth values is one too', () => {
    expect(renameSheetIn('SUM(2019:2021!A1)', '2019', 'Old')).toBe("SUM('Old:2021'!A1)")
    expect(renameSheetIn('SUM(TRUE:Jan!A1)', 'true', 'Old')).toBe('SUM(Old:Jan!A1)')
    expect(dropSheetIn('SUM(2019:2021!A1)', '2021')).toBeUndefined()
  })

  test('of another workbook stays as it is', () => {
    for (const formula of ['SUM([1]S:T!A1)', "SUM('[1]S:T'!A1)", '[1]T!A1+[1]!T']) {
      expect(renameSheetIn(formula, 'T', 'New')).toBe(formula)
      expect(dropSheetIn(formula, 'T')).toBe(formula)
    }
  })

  test('is one of cells where no sheet has that name', () => {
    expect(renameSheetIn('SUM(A1:S!B2)', 'S', 'T')).toBe('SUM(A1:T!B2)')
    expect(renameSheetIn('SUM(S!A1:S!B2)', 'S', 'T')).toBe('SUM(T!A1:T!B2)')
    const set = { op: 'set_cells', sheet: 'S', cells: [{ cell: 'A2', value: 5 }] }
    const { after } = edited({ sheets: { S: cell('D1', 'SUM(A1:S!B2)', '3') } }, [set])
    expect(shown(after, 'S', 'D1')).toBe('? {=SUM(A1:S!B2)}')
  })
})

test('a sheet called TRUE is quoted, and followed where it is not', () => {
  const book: ZooBook = { sheets: { S: cell('A1', 'T!A1+FALSE!A1', '3'), T: '', FALSE: '' } }
  const { after, open } = edited(book, [rename('T', 'True')])
  expect(shown(after, 'S', 'A1')).toBe("3 {='True'!A1+FALSE!A1}")
  for (const to of ['New', 'T']) {
    const again = edited(book, [rename('T', 'True'), rename('True', to), rename('FALSE', 'No')])
    expect(shown(again.after, 'S', 'A1')).toBe(`3 {=${to}!A1+No!A1}`)
  }
  expect(shown(open, 'S', 'A1')).toBe("3 {='True'!A1+FALSE!A1}")
})

describe('remaining mentions of a renamed or deleted sheet are reported', () => {
  const rows = [
    'INDIRECT("T!A1")',
    'HYPERLINK("#\'T\'!A1","T")',
    'T!A1&amp;"T"',
    'INDIRECT("Not!A1")',
    'INDIRECT("ST!A1")',
  ]
    .map((formula, at) => cell(`A${at + 1}`, formula).replace('r="1"', `r="${at + 1}"`))
    .join('')
  const gone = [rename('T', 'New'), { op: 'delete_sheet', sheet: 'T' }]

  test.each(gone)('strings in formulas, by $op', operation => {
    const { warnings } = edited({ sheets: { S: rows, T: '' } }, [operation])
    expect(warnings.filter(text => text.startsWith('Strings in formulas'))).toEqual([
      'Strings in formulas still name "T", as INDIRECT and HYPERLINK take them: S!A1, S!A2. Rewrite those that mean the sheet.',
    ])
  })

  test.each(gone)('macros, by $op', operation => {
    const project = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject'
    const book: ZooBook = {
      sheets: { S: '', T: '' },
      workbookLinks: [['rId50', project, 'vbaProject.bin']],
      parts: { 'xl/vbaProject.bin': 'macros' },
    }
    expect(edited(book, [operation]).warnings.at(-1)).toMatch(/^Macros .* "T" are not changed/)
    expect(edited({ sheets: { S: '', T: '' } }, [operation]).warnings.join()).not.toContain('Macro')
  })
})

describe('a copied sheet whose formulas name columns without their table', () => {
  const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const table = (id: number, ref: string) =>
    `<table xmlns="${MAIN}" id="${id}" name="T${id}" displayName="T${id}" ref="${ref}"><tableColumns count="2"><tableColumn id="1" name="a"/><tableColumn id="2" name="b"/></tableColumns></table>`
  const copyOf = (count: number) =>
    edited(
      {
        sheets: {
          S: {
            rows: '<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>[a]*2+SUM(S!A2)</f><v>3</v></c></row>',
            tail: '<tableParts/>',
            links: [
              ['rId1', 'table', '../tables/table1.xml'],
              ['rId2', 'table', '../tables/table2.xml'],
            ].slice(0, count) as [string, string, string][],
          },
        },
        parts: {
          'xl/tables/table1.xml': table(1, 'A1:B2'),
          'xl/tables/table2.xml': table(2, 'D1:E2'),
        },
      },
      [{ op: 'copy_sheet', sheet: 'S', new_name: 'Copy' }],
    ).after

  test.each([1, 2])('means its own cells, with %i tables around', count => {
    const after = copyOf(count)
    expect(shown(after, 'Copy', 'B2')).toBe('? {=$A$2*2+SUM(Copy!A2)}')
    expect(shown(after, 'S', 'B2')).toBe('3 {=[a]*2+SUM(S!A2)}')
  })
})

describe('a renamed sheet is followed', () => {
  const relationships = (links: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links}</Relationships>`
  const link = (id: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/hyperlink" Target="${target}"/>`
  const after = (name: string, text: string, tail = '') => {
    const book: ZooBook = {
      sheets: { 'My data': '', S: { rows: '', tail } },
      parts: { [name]: text },
    }
    return edited(book, [rename('My data', 'Q&A 1')]).bytes
  }

  test('by rows and series that a filter of a chart hides', () => {
    const chart = (sheet: string) =>
      `<c:ser xmlns:c="u" xmlns:c15="v"><c15:fullRef><c15:sqref>'${sheet}'!$A$1:$A$9</c15:sqref></c15:fullRef></c:ser>`
    const bytes = after('xl/charts/chart1.xml', chart('My data'))
    expect(partText(bytes, 'xl/charts/chart1.xml')).toBe(chart('Q&amp;A 1'))
  })

  test('by controls of a sheet', () => {
    const tail = (sheet: string) =>
      `<controls><control shapeId="1" name="List"><controlPr linkedCell="${sheet}!$A$1" listFillRange="${sheet}!$B$1:$B$9"/></control></controls>`
    const bytes = after('xl/other.xml', '<a/>', tail("'My data'"))
    expect(partText(bytes, 'xl/worksheets/sheet2.xml')).toContain(tail('&apos;Q&amp;A 1&apos;'))
  })

  test('by controls of a legacy drawing that is not XML', () => {
    const drawing = (sheet: string) =>
      `<xml xmlns:x="u"><div>über<br>two</div><x:FmlaLink>'${sheet}'!$A$1</x:FmlaLink><x:Row>1</x:Row></xml>`
    const bytes = after('xl/drawings/v.vml', drawing('My data'))
    expect(partText(bytes, 'xl/drawings/v.vml')).toBe(drawing('Q&amp;A 1'))
  })

  test('by limits of conditional formats and parameters of queries', () => {
    const tail = (sheet: string) =>
      `<conditionalFormatting sqref="A1"><cfRule type="dataBar" priority="1"><dataBar><cfvo type="num" val="${sheet}!$A$1"/></dataBar></cfRule></conditionalFormatting>`
    const query = (sheet: string) =>
      `<connections><parameter name="p" cell="${sheet}!$A$1"/></connections>`
    const bytes = after('xl/connections.xml', query("'My data'"), tail("'My data'"))
    expect(partText(bytes, 'xl/worksheets/sheet2.xml')).toContain(tail('&apos;Q&amp;A 1&apos;'))
    expect(partText(bytes, 'xl/connections.xml')).toBe(query('&apos;Q&amp;A 1&apos;'))
  })

  test('by links of shapes, in the spelling of their kind', () => {
    const name = 'xl/drawings/_rels/drawing1.xml.rels'
    const others = link('rId3', '#S!A1') + link('rId4', "http://a/#'My%20data'!A1")
    const before = link('rId1', "#'My%20data'!A1") + link('rId2', "#'My data'!B2") + others
    expect(partText(after(name, relationships(before)), name)).toBe(
      relationships(
        link('rId1', '#&apos;Q&amp;A%201&apos;!A1') +
          link('rId2', '#&apos;Q&amp;A 1&apos;!B2') +
          others,
      ),
    )
  })

  test('by no link of a shape to a sheet that goes', () => {
    const name = 'xl/drawings/_rels/drawing1.xml.rels'
    const book: ZooBook = {
      sheets: { S: '', T: '' },
      parts: { [name]: relationships(link('rId1', '#T!A1')) },
    }
    const { bytes } = edited(book, [{ op: 'delete_sheet', sheet: 'T' }])
    expect(partText(bytes, name)).toBe(relationships(link('rId1', '#T!A1')))
  })
})
