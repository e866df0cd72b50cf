import { createHash } from 'node:crypto'
import type { Operation } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { png } from '../../docx/testing/png.contract.ts'
import { newSheetFaults } from './sheet-rules.contract.ts'
import { structureFaults } from './structure.contract.ts'
import { logged, openZoo, partText, saved, type ZooBook } from './zoo.contract.ts'

const book: ZooBook = {
  strings: ['Month', 'Net', 'Tax', 'Jan', 'Feb', 'Mar'],
  sheets: {
    Data: `<row r="1">${cell('A1', 0)}${cell('B1', 1)}${cell('C1', 2)}</row><row r="2">${cell('A2', 3)}<c r="B2" s="1"><v>10</v></c><c r="C2"><v>1</v></c></row><row r="3">${cell('A3', 4)}<c r="B3"><v>20</v></c><c r="C3"><v>2</v></c></row><row r="4">${cell('A4', 5)}<c r="B4"><v>30</v></c><c r="C4"><f>B4/10</f><v>3</v></c></row>`,
    'Other one': '',
  },
}

function cell(at: string, index: number): string {
  return `<c r="${at}" t="s"><v>${index}</v></c>`
}

const PICTURES: Readonly<Record<string, Uint8Array>> = {
  'img/logo.png': png(40, 20),
  'img/other.png': png(10, 30),
}

function done(...operations: Operation[]) {
  const { document, bytes } = openZoo(book)
  const hashes = Object.fromEntries(
    Object.entries(PICTURES).map(([path, own]) => [
      path,
      createHash('sha256').update(own).digest('hex'),
    ]),
  )
  const inputs = Object.fromEntries(
    Object.entries(PICTURES).map(([path, own]) => [hashes[path]!, own]),
  )
  const log = logged(operations).map(own => ({ ...own, inputs: hashes as never }))
  const applied = unwrap(document.apply(log, { inputs }))
  const after = saved(document, bytes)
  expect(newSheetFaults(bytes, after.bytes)).toEqual([])
  expect(newRepairFaults(bytes, after.bytes)).toEqual([])
  expect(structureFaults(after.bytes)).toEqual([])
  return { ...applied, bytes: after.bytes, after: after.document }
}

function refused(...operations: Operation[]): string {
  const { document } = openZoo(book)
  const result = document.apply(logged(operations))
  return result.ok ? 'done' : result.failure.message
}

const CHART = 'xl/charts/chart1.xml'
const add = { op: 'add_chart', sheet: 'Data', type: 'column', source: 'A1:C4' }

describe('add_chart', () => {
  test('takes names and categories from a block, with the values it holds', () => {
    const { bytes, changes, results } = done({
      ...add,
      title: 'Net & tax',
      y_title: 'EUR',
      cell: 'E2',
    })
    const chart = partText(bytes, CHART)
    expect(chart).toContain(
      '<c:f>Data!$B$1</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>Net</c:v>',
    )
    expect(chart).toContain(
      '<c:f>Data!$A$2:$A$4</c:f><c:strCache><c:ptCount val="3"/><c:pt idx="0"><c:v>Jan</c:v>',
    )
    expect(chart).toContain(
      '<c:f>Data!$B$2:$B$4</c:f><c:numCache><c:formatCode>#,##0.00</c:formatCode><c:ptCount val="3"/><c:pt idx="0"><c:v>10</c:v>',
    )
    expect(chart).toContain('<a:t>Net &amp; tax</a:t>')
    expect(chart.match(/<c:ser>/g)).toHaveLength(2)
    expect(partText(bytes, 'xl/drawings/drawing1.xml')).toContain('<xdr:col>4</xdr:col>')
    expect(results[0]).toMatchObject({ chart: 'Chart 1', cell: 'E2' })
    expect(changes).toMatchObject([
      {
        place: 'Data!E2 chart',
        after: {
          text: 'Chart 1: column "Net & tax"\nNet: Data!$B$2:$B$4 by Data!$A$2:$A$4\nTax: Data!$C$2:$C$4 by Data!$A$2:$A$4',
        },
      },
    ])
  })

  test.each([
    ['bar', 'A1:C4', '<c:barDir val="bar"/>'],
    ['line', 'A1:C4', '<c:lineChart>'],
    ['area', 'A1:C4', '<c:areaChart><c:grouping val="stacked"/>'],
    ['pie', 'A1:B4', '<c:pieChart>'],
    ['doughnut', 'A1:B4', '<c:doughnutChart>'],
    ['scatter', 'B1:C4', '<c:xVal><c:numRef><c:f>Data!$B$2:$B$4</c:f>'],
  ])('%s', (type, source, has) => {
    expect(partText(done({ ...add, type, source }).bytes, CHART)).toContain(has)
  })

  test('combines kinds, on two axes', () => {
    const series = [
      { name: 'Data!B1', values: 'B2:B4', categories: 'A2:A4' },
      { name: 'Rate', values: 'Data!C2:C4', type: 'line', secondary: true },
    ]
    const chart = partText(
      done({
        op: 'add_chart',
        sheet: 'Other one',
        type: 'combined',
        series: series.map(own => ({
          ...own,
          values: `Data!${own.values.replace('Data!', '')}`,
          ...(own.categories && { categories: `Data!${own.categories}` }),
        })),
      }).bytes,
      CHART,
    )
    expect(chart).toContain('<c:barChart>')
    expect(chart).toContain('<c:lineChart>')
    expect(chart).toContain('<c:tx><c:v>Rate</c:v></c:tx>')
    expect(chart.match(/<c:valAx>/g)).toHaveLength(2)
  })

  test('of text warns, because text is drawn as zero', () => {
    const series = [{ name: 'Months', values: 'A2:A4' }, { values: 'B2:B4' }]
    const { warnings } = done({ ...add, source: undefined, series })
    expect(warnings.join()).toContain('The series Months has no numbers, only text')
    expect(warnings.join()).not.toContain('B$2')
    expect(done(add).warnings).toEqual([])
  })

  test('warns of what a series does not have', () => {
    const series = [{ values: 'B2:B4' }, { values: 'C2:C4', axis: 'second' }]
    const { warnings } = done({ ...add, source: undefined, series })
    expect(warnings).toEqual([
      expect.stringMatching(/^series\[1\] has no axis, so that was not used/),
    ])
    const [own] = done(add, { op: 'edit_chart', sheet: 'Data', chart: 1, series }).warnings
    expect(own).toContain('secondary: true')
  })

  test('of a table leaves its totals out', () => {
    const table = {
      op: 'add_table',
      sheet: 'Data',
      range: 'A1:C4',
      name: 'T',
      totals: { Net: 'sum' },
    }
    const chart = partText(done(table, { ...add, source: 'T' }).bytes, CHART)
    expect(chart).toContain('Data!$B$2:$B$4')
    expect(chart).not.toContain('$5')
  })

  test.each([
    [{ source: undefined }, 'needs source'],
    [{ type: 'radar' }, 'type is one of'],
    [{ source: 'Nowhere!A1:B2' }, 'the sheets are Data, Other one'],
    [{ type: 'pie' }, 'a pie shows one series'],
    [{ series: [{ values: [1, 2] }] }, 'with cells for values'],
    [{ series: [{ values: 'B2:C4' }] }, 'more than one row or column'],
    [
      {
        series: [
          { values: 'B2:B4', type: 'bar' },
          { values: 'C2:C4', type: 'line' },
        ],
      },
      'does not combine',
    ],
  ])('with %j is refused: %s', (given, problem) => {
    expect(refused({ ...add, ...given })).toContain(problem)
  })
})

describe('edit_chart', () => {
  test('changes titles, legend and place, and keeps the rest', () => {
    const edit = {
      op: 'edit_chart',
      sheet: 'Data',
      chart: 'Chart 1',
      title: 'New',
      x_title: 'Month',
      legend: 'right',
      cell: 'G9',
      width: 300,
    }
    const { bytes, changes } = done(add, edit)
    const chart = partText(bytes, CHART)
    expect(chart).toContain('<a:t>New</a:t>')
    expect(chart).toContain('<c:autoTitleDeleted val="0"/>')
    expect(chart).toMatch(/<c:catAx>.*<a:t>Month<\/a:t>.*<\/c:catAx>/)
    expect(chart).toContain('<c:legendPos val="r"/>')
    const drawing = partText(bytes, 'xl/drawings/drawing1.xml')
    expect(drawing).toContain('<xdr:col>6</xdr:col>')
    expect(drawing).toContain('cx="2857500"')
    expect(changes[1]!.dependsOn).toEqual([changes[0]!.id])
  })

  test('draws other cells in the same looks, or another kind', () => {
    const fewer = partText(
      done(add, { op: 'edit_chart', sheet: 'Data', source: 'A1:B3' }).bytes,
      CHART,
    )
    expect(fewer.match(/<c:ser>/g)).toHaveLength(1)
    expect(fewer).toContain('Data!$B$2:$B$3')
    const line = partText(
      done(add, { op: 'edit_chart', sheet: 'Data', chart: 1, type: 'line' }).bytes,
      CHART,
    )
    expect(line).toContain('<c:lineChart>')
    expect(line).not.toContain('barChart')
    expect(line).toContain('<c:v>30</c:v>')
  })
})

test('remove_chart takes the drawing along when it was the last', () => {
  const { bytes } = done(
    add,
    { ...add, name: 'Second' },
    { op: 'remove_chart', sheet: 'Data', chart: 'Second' },
  )
  expect(() => partText(bytes, 'xl/charts/chart2.xml')).toThrow()
  expect(partText(bytes, CHART)).toContain('Chart')
  const none = done(add, { op: 'remove_chart', sheet: 'Data' }).bytes
  expect(() => partText(none, CHART)).toThrow()
  expect(partText(none, 'xl/worksheets/sheet1.xml')).not.toContain('drawing')
})

describe('pictures', () => {
  const image = {
    op: 'add_image',
    sheet: 'Data',
    image: 'img/logo.png',
    cell: 'E1',
    alt: 'The logo',
  }

  test('add_image keeps one copy of the same picture', () => {
    const { bytes, results } = done(image, { ...image, cell: 'E9' })
    expect(partText(bytes, 'xl/drawings/drawing1.xml').match(/descr="The logo"/g)).toHaveLength(2)
    expect(() => partText(bytes, 'xl/media/image2.png')).toThrow()
    expect(results.map(own => own.picture)).toEqual(['Picture 1', 'Picture 2'])
  })

  test('replace_image, move_image and remove_image', () => {
    const replaced = done(image, {
      op: 'replace_image',
      sheet: 'Data',
      picture: 'The logo',
      image: 'img/other.png',
    })
    expect(() => partText(replaced.bytes, 'xl/media/image1.png')).toThrow()
    expect(partText(replaced.bytes, 'xl/drawings/_rels/drawing1.xml.rels')).toContain('image2.png')
    const moved = done(image, {
      op: 'move_image',
      sheet: 'Data',
      picture: 'E1',
      cell: 'H7',
      width: 80,
      height: 40,
    })
    expect(partText(moved.bytes, 'xl/drawings/drawing1.xml')).toContain('<xdr:col>7</xdr:col>')
    expect(partText(moved.bytes, 'xl/drawings/drawing1.xml')).toContain(
      '<xdr:ext cx="762000" cy="381000"/>',
    )
    const gone = done(image, { op: 'remove_image', sheet: 'Data', picture: 1 })
    expect(() => partText(gone.bytes, 'xl/media/image1.png')).toThrow()
    expect(partText(gone.bytes, 'xl/worksheets/sheet1.xml')).not.toContain('drawing')
  })

  test('a file that is no picture is refused', () => {
    const { document } = openZoo(book)
    const bytes = Buffer.from('text')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const log = logged([{ ...image, image: 'a.txt' }]).map(own => ({
      ...own,
      inputs: { 'a.txt': sha256 } as never,
    }))
    const result = document.apply(log, { inputs: { [sha256]: bytes } })
    expect(result.ok || result.failure.message).toContain('cannot be put into a workbook')
  })
})
