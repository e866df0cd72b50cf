import type { Operation } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { edited, logged, openZoo, partText, shown, type ZooBook } from './zoo.contract.ts'

const cell = (at: string, index: number) => `<c r="${at}" t="s"><v>${index}</v></c>`
const BOOK: ZooBook = {
  strings: ['Month', 'Net', 'Jan', 'Feb'],
  sheets: {
    S: `<row r="1">${cell('A1', 0)}${cell('B1', 1)}</row><row r="2">${cell('A2', 2)}<c r="B2"><v>10</v></c></row><row r="3">${cell('A3', 3)}<c r="B3"><v>20</v></c></row>`,
  },
}

describe('a changed chart title', () => {
  const C = 'http://schemas.openxmlformats.org/drawingml/2006/chart'
  const looks =
    '<a:rPr lang="en-US" sz="1400" b="1"><a:solidFill><a:srgbClr val="595959"/></a:solidFill><a:latin typeface="Arial"/></a:rPr>'
  const body = '<a:bodyPr rot="0" vert="horz"/>'
  const withTitle = (title: string): ZooBook => ({
    ...BOOK,
    sheets: {
      S: {
        rows: BOOK.sheets.S as string,
        tail: '<drawing r:id="rId1"/>',
        links: [['rId1', 'drawing', '../drawings/drawing1.xml']],
      },
    },
    types:
      '<Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/><Override PartName="/xl/charts/chart1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/>',
    parts: {
      'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:twoCellAnchor><xdr:from><xdr:col>3</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>9</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>15</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${C}"><c:chart xmlns:c="${C}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="../charts/chart1.xml"/></Relationships>',
      'xl/charts/chart1.xml': `<c:chartSpace xmlns:c="${C}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title>${title}<c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/><c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numRef><c:f>S!$B$2:$B$3</c:f></c:numRef></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea><c:plotVisOnly val="1"/></c:chart></c:chartSpace>`,
    },
  })
  const titled = (title: string, text: string) => {
    const { bytes } = edited(withTitle(title), [
      { op: 'edit_chart', sheet: 'S', chart: 1, title: text },
    ])
    const part = partText(bytes, 'xl/charts/chart1.xml')
    return part.slice(part.indexOf('<c:title>'), part.indexOf('<c:overlay'))
  }
  const paragraph = '<a:pPr><a:defRPr sz="1400"/></a:pPr>'

  test('keeps its format', () => {
    const rich = `<c:tx><c:rich>${body}<a:lstStyle/><a:p>${paragraph}<a:r>${looks}<a:t>Old</a:t></a:r><a:r><a:rPr i="1"/><a:t> one</a:t></a:r></a:p></c:rich></c:tx>`
    expect(titled(rich, 'New')).toBe(
      `<c:title><c:tx><c:rich>${body}<a:lstStyle/><a:p>${paragraph}<a:r>${looks}<a:t>New</a:t></a:r></a:p></c:rich></c:tx>`,
    )
    const two = titled(rich, 'New & old\nline')
    expect(two).toContain(`${paragraph}<a:r>${looks}<a:t>New &amp; old</a:t></a:r></a:p><a:p>`)
    expect(two).toContain(`${paragraph}<a:r>${looks}<a:t>line</a:t></a:r></a:p></c:rich>`)
  })

  test('keeps it where the text was that of a cell', () => {
    const own = titled('<c:tx><c:strRef><c:f>S!$A$1</c:f></c:strRef></c:tx>', 'New')
    expect(own).toContain('<a:t>New</a:t>')
    const { bytes } = edited(withTitle('<c:tx><c:strRef><c:f>S!$A$1</c:f></c:strRef></c:tx>'), [
      { op: 'edit_chart', sheet: 'S', chart: 1, title: 'New', x_title: 'X' },
    ])
    expect(partText(bytes, 'xl/charts/chart1.xml')).toMatch(/<c:catAx>.*<a:t>X<\/a:t>/)
  })
})

test('markers of scatter series have a colour each', () => {
  const themed: ZooBook = {
    ...BOOK,
    parts: {
      'xl/theme/theme1.xml':
        '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Own"/>',
    },
    types:
      '<Override PartName="/xl/theme/theme1.xml" ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/>',
    workbookLinks: [['rId97', 'theme', 'theme/theme1.xml']],
  }
  const { bytes } = edited(themed, [
    {
      op: 'add_chart',
      sheet: 'S',
      type: 'scatter',
      series: [
        { values: 'S!B2:B3', categories: 'S!B2:B3' },
        { values: 'S!B2:B3', categories: 'S!B2:B3' },
      ],
    },
  ])
  const chart = partText(bytes, 'xl/charts/chart1.xml')
  for (const accent of ['accent1', 'accent2'])
    expect(chart).toContain(
      `<c:size val="6"/><c:spPr><a:solidFill><a:schemeClr val="${accent}"/></a:solidFill></c:spPr></c:marker>`,
    )
})

test('an edited table gains no filter buttons; one that gains a header has them', () => {
  const table = (more: string, filter: string): ZooBook => ({
    ...BOOK,
    sheets: {
      S: {
        rows: BOOK.sheets.S as string,
        tail: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        links: [['rId1', 'table', '../tables/table1.xml']],
      },
    },
    parts: {
      'xl/tables/table1.xml': `<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ${more}>${filter}<tableColumns count="2"><tableColumn id="1" name="Month"/><tableColumn id="2" name="Net"/></tableColumns></table>`,
    },
    types:
      '<Override PartName="/xl/tables/table1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"/>',
  })
  const after = (book: ZooBook, more: object) =>
    partText(
      edited(book, [{ op: 'edit_table', table: 'T', ...more }]).bytes,
      'xl/tables/table1.xml',
    )
  const plain = table('ref="A1:B3"', '')
  expect(after(plain, { style: 'light 9' })).not.toContain('autoFilter')
  expect(after(plain, { new_name: 'U' })).not.toContain('autoFilter')
  const filtered = table('ref="A1:B3"', '<autoFilter ref="A1:B3"/>')
  expect(after(filtered, { range: 'A1:B2' })).toContain('<autoFilter ref="A1:B2"/>')
  const without = table('ref="A2:B3" headerRowCount="0"', '')
  expect(after(without, { style: 'light 9' })).not.toContain('autoFilter')
})

test('automatic widths fit the font of the cells', () => {
  const font = (name: string, size: number) =>
    `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font><sz val="${size}"/><name val="${name}"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="1"><xf/></cellXfs></styleSheet>`
  const width = (styles: string) => {
    const { bytes } = edited(
      {
        sheets: { S: '<row r="1"><c r="A1"><v>2027</v></c></row>' },
        parts: { 'xl/styles.xml': styles },
      },
      [{ op: 'set_column_widths', sheet: 'S', widths: { A: 'auto' } }],
    )
    return Number(
      /<col [^>]*width="([\d.]+)"/.exec(partText(bytes, 'xl/worksheets/sheet1.xml'))![1],
    )
  }
  // four digits of 7.4 pixels and 5 around them, in units of 7
  expect(width(font('Arial', 10))).toBeGreaterThan(4.9)
  expect(width(font('Verdana', 10))).toBeGreaterThan(width(font('Courier New', 10)) - 1)
  expect(width(font('Calibri', 11))).toBe(4.72)
})

test('a new sheet says how high its rows are', () => {
  const { bytes } = edited(BOOK, [{ op: 'ensure_sheet', sheet: 'T' }])
  expect(partText(bytes, 'xl/worksheets/sheet2.xml')).toContain(
    '<sheetFormatPr defaultRowHeight="15"/>',
  )
})

test('a text that reads as a percentage becomes one that shows it', () => {
  const texts = ['12%', '7.5%', '1,200%']
  const { after } = edited(
    {
      strings: texts,
      sheets: {
        S: texts.map((_, i) => `<row r="${i + 1}">${cell(`A${i + 1}`, i)}</row>`).join(''),
      },
    },
    [{ op: 'convert_cells', sheet: 'S', range: 'A1:A3', to: 'number' }],
  )
  expect(['A1', 'A2', 'A3'].map(at => shown(after, 'S', at))).toEqual(['12%', '7.5%', '1200%'])
})

describe('a no-break space', () => {
  const book: ZooBook = {
    strings: ['Full\u00a0name', 'Net', 'Ann', 'Bob'],
    sheets: {
      S: `<row r="1">${cell('A1', 0)}${cell('B1', 1)}</row><row r="2">${cell('A2', 3)}<c r="B2"><v>1</v></c></row><row r="3">${cell('A3', 2)}<c r="B3"><v>2</v></c></row>`,
    },
  }

  test.each<Operation>([
    { op: 'append_rows', sheet: 'S', records: [{ 'Full name': 'Cid', Net: 3 }] },
    { op: 'sort_range', sheet: 'S', range: 'A1:B3', header: true, by: ['full name'] },
    { op: 'delete_rows', sheet: 'S', where: { column: 'Full name', equals: 'Ann' } },
    { op: 'remove_duplicates', sheet: 'S', range: 'A1:B3', header: true, columns: ['Full name'] },
    { op: 'add_table', sheet: 'S', range: 'A1:B3', totals: { 'Full name': 'count' } },
  ])('in a header is a space for $op', operation => {
    const result = openZoo(book).document.apply(logged([operation]))
    expect(result.ok ? '' : result.failure.message).toBe('')
  })

  test('is found as a space, and a read says where one is', () => {
    const { document } = openZoo(book)
    expect(unwrap(document.search!({ text: 'full name', maxHits: 9 })).total).toBe(1)
    const { text } = unwrap(document.read({ sheet: 'S' }, { maxBytes: 9_000 }))
    expect(text).toContain('no-break spaces, shown as spaces and found as spaces: A1')
  })
})

test('a warning that a later operation of the call has met is not told', () => {
  const book: ZooBook = {
    ...BOOK,
    sheets: {
      S: {
        rows: BOOK.sheets.S as string,
        tail: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        links: [['rId1', 'table', '../tables/table1.xml']],
      },
    },
    parts: {
      'xl/tables/table1.xml':
        '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="A1:B3"><tableColumns count="2"><tableColumn id="1" name="Month"/><tableColumn id="2" name="Net"/></tableColumns></table>',
    },
    types:
      '<Override PartName="/xl/tables/table1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"/>',
  }
  const set = { op: 'set_cells', sheet: 'S', cells: [{ cell: 'C1', value: 'Tax' }] }
  const told = (...operations: Operation[]) => edited(book, operations).warnings.join()
  expect(told(set)).toContain('Column C is next to the table')
  expect(told(set, { op: 'edit_table', table: 'T', range: 'A1:C3' })).not.toContain(
    'next to the table',
  )
  expect(told(set, { op: 'edit_table', table: 'T', style: 'light 9' })).toContain(
    'next to the table',
  )
})
