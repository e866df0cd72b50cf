import { type Operation, type SheetGrid, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { diffWorkbooks } from '../diff.ts'
import { xlsxFormat } from '../format.ts'
import {
  edited,
  logged,
  NAME,
  openZoo,
  partText,
  saved,
  type ZooBook,
  zooBook,
} from './zoo.contract.ts'

const SHEET = 'xl/worksheets/sheet1.xml'
const STYLES = 'xl/styles.xml'

const book: ZooBook = {
  strings: ['Name', 'Units', 'North'],
  sheets: {
    S: {
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="3" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" s="1"><v>7</v></c><c r="C2"><f>SUM(B2:B9)</f><v>7</v></c></row>',
    },
    T: '<row r="1"><c r="A1" s="3"/><c r="B1" s="1"><v>3</v></c></row>',
  },
}

const themed: ZooBook = {
  ...book,
  workbookLinks: [['rId50', 'theme', 'theme/theme1.xml']],
  parts: {
    'xl/theme/theme1.xml':
      '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="T"><a:themeElements><a:clrScheme name="C"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:accent1><a:srgbClr val="4F81BD"/></a:accent1></a:clrScheme></a:themeElements></a:theme>',
  },
}

const style = (range: string, look: unknown, more = {}): Operation => ({
  op: 'set_style',
  sheet: 'S',
  range,
  style: look,
  ...more,
})

function refusal(operations: readonly Operation[], own = book): string {
  const { document, bytes } = openZoo(own)
  const result = document.apply(logged(operations))
  if (result.ok) throw new Error('accepted, where a refusal was expected')
  expect(Buffer.compare(saved(document, bytes).bytes, bytes)).toBe(0)
  return result.failure.message.replace(/^Nothing was written: operations\[\d+\] \(\w+\): /, '')
}

/** What a read tells of the look of each range. */
function looks(document: ReturnType<typeof openZoo>['document'], sheet = 'S', range?: string) {
  const read = document.read({ sheet, ...(range && { range }) }, { maxBytes: 50_000, styles: true })
  const { styles } = unwrap(read).fields as {
    styles: { ranges: readonly string[]; style: string }[]
  }
  return Object.fromEntries(styles.map(own => [own.ranges.join(' '), own.style]))
}

function grid(document: ReturnType<typeof openZoo>['document'], sheet = 'S', range = 'A1:F9') {
  const read = document.read({ sheet, range }, { maxBytes: 1_000_000, grid: true })
  return unwrap(read).fields as unknown as SheetGrid
}

describe('set_style', () => {
  test('changes the look alone: contents and results of formulas keep their bytes', () => {
    const { after, bytes, changes, results } = edited(book, [
      style('A1:C2', { bold: true, fill: 'FFFF00', number_format: '0.00 "kg"', border: 'thin' }),
    ])
    expect(looks(after)).toEqual({
      'A1:C2': 'bold, fill FFFF00, border thin, format "0.00 \\"kg\\""',
    })
    const sheet = partText(bytes, SHEET)
    expect(sheet).toContain('<f>SUM(B2:B9)</f><v>7</v>')
    expect(sheet).toContain('<c r="C1" s="4"/>')
    expect(sheet).not.toContain('fullCalcOnLoad')
    expect(partText(bytes, 'xl/workbook.xml')).not.toContain('fullCalcOnLoad')
    expect(changes).toMatchObject([
      {
        kind: 'format',
        place: 'S!A1:C2 format',
        before: { format: 'plain | bold | format "#,##0.00"' },
        after: { format: 'bold, fill FFFF00, border thin, format "0.00 \\"kg\\""' },
      },
    ])
    expect(results[0]!.message).toBe(
      'Made S!A1:C2 look bold, fill FFFF00, border thin, format "0.00 \\"kg\\""; 6 cells changed.',
    )
  })

  test('styles are added at the end of their lists, and equal ones are one', () => {
    const before = partText(zooBook(book), STYLES)
    const { bytes } = edited(book, [
      style('A1', { bold: true }),
      style('A2', { bold: true, fill: 'red' }),
      style('C2', { bold: true, fill: '#FF0000', number_format: 'General' }),
    ])
    const after = partText(bytes, STYLES)
    expect(after).toContain('<cellXfs count="5">')
    expect(after).toContain('<fills count="3">')
    expect(after).toContain('<fonts count="2">')
    // A1 has the bold style that was there
    expect(partText(bytes, SHEET)).toContain('<c s="3" r="A1" t="s">')
    const without = after
      .replace(/<fill><patternFill patternType="solid">.*?<\/fill>/, '')
      .replace(/<xf [^>]*applyFill="1"\/>/, '')
      .replace('cellXfs count="5"', 'cellXfs count="4"')
      .replace('fills count="3"', 'fills count="2"')
    expect(without).toBe(before)
  })

  test('what a read tells is taken back: words, on another sheet and in another workbook', () => {
    const wild = {
      font: 'Arial Narrow',
      size: 14.5,
      italic: true,
      underline: 'double',
      strike: true,
      color: 'theme 4 -25%',
      fill: { pattern: 'lightUp', color: 'theme 5 +40%', back: 'EEEEEE' },
      border: { top: 'medium red', bottom: 'double', up: 'hair 00FF00' },
      align: 'centerContinuous',
      valign: 'top',
      wrap: true,
      indent: 2,
      rotate: -45,
      number_format: '[Red]-0.0;"a, b"',
      locked: false,
      hidden: true,
    }
    const { after } = edited(themed, [style('A1', wild), style('B1', 'bold, no fill, 9 pt')])
    const told = looks(after)
    expect(told.A1).toContain('font "Arial Narrow", 14.5 pt, italic, underlined double')
    expect(told.A1).toContain('fill lightUp theme 5 +40% (D99694) on EEEEEE')
    const words = told.A1!
    const again = edited(themed, [
      { ...style('B2', words, { replace: true }), sheet: 'S' },
      { ...style('A1', words, { replace: true }), sheet: 'T' },
    ])
    expect(looks(again.after).B2).toBe(words)
    expect(grid(again.after, 'T').looks).toContainEqual(grid(after).looks[1])
  })

  test('without a theme its colours are written as what they are', () => {
    const { after } = edited(book, [
      style('A1', { fill: 'theme 4', color: 'theme 0', border: 'thin theme 5 +40%' }),
      style('A2', { named: 'Accent1' }),
    ])
    expect(looks(after)).toMatchObject({
      A1: 'color FFFFFF, fill 4F81BD, border thin D99694',
      A2: 'style "Accent1"',
    })
    expect(partText(edited(book, [style('A2', { named: 'Accent1' })]).bytes, STYLES)).not.toContain(
      'theme=',
    )
  })

  test.each([
    ['fill gradient 90: FFFFFF at 0 to 4F81BD at 1'],
    ['style "Good"'],
    ['style "Good", bold, no fill'],
    ['style "Percent", italic'],
    ['superscript, justified, distributed vertically, stacked, right to left'],
    ['fill gray125 automatic'],
    ['border outline'],
  ])('words go round: %s', words => {
    if (words === 'border outline') {
      expect(refusal([style('A1', words)])).toContain('the lines are thin, medium')
      return
    }
    const { after } = edited(book, [style('A2', words, { replace: true })])
    expect(looks(after).A2).toBe(words)
  })

  test('named styles are taken from the workbook, from the known ones, or made', () => {
    const { bytes, after } = edited(book, [
      style('A1', 'style "Heading 1"'),
      style('A2', { named: 'My money', number_format: '#,##0.00', bold: true }),
      style('B2', { named: 'My money' }),
    ])
    const xml = partText(bytes, STYLES)
    expect(xml).toContain('<cellStyle name="Heading 1" xfId="1" builtinId="16"/>')
    expect(xml).toContain('<cellStyle name="My money" xfId="2"/>')
    expect(looks(after)['A2:B2']).toBe('style "My money"')
    expect(looks(after).A1).toBe('style "Heading 1"')
    expect(grid(after).looks[1]).toMatchObject({ bold: true, size: 15 })
    expect(refusal([style('A1', { named: 'Fancy' })])).toMatch(
      /^there is no cell style "Fancy"; the workbook has none/,
    )
  })

  test('like copies the look of other cells, also of another sheet, and repeats it', () => {
    const { after } = edited(book, [
      { op: 'set_style', sheet: 'S', range: 'A1:D2', like: 'T!A1:B1' },
    ])
    expect(
      grid(after).cells.map(({ row, column, text, look }) => [row, column, text, look ?? 0]),
    ).toEqual([
      [1, 1, 'Name', 1],
      [1, 2, 'Units', 0],
      [1, 3, '', 1],
      [2, 1, 'North', 1],
      [2, 2, '7.00', 0],
      [2, 3, '7', 1],
    ])
    const both = edited(book, [
      { op: 'set_style', sheet: 'S', range: 'A2', like: 'B1', style: { italic: true } },
    ])
    expect(looks(both.after).A2).toBe('bold, italic')
  })

  test('lines around a range and inside it', () => {
    const { after } = edited(book, [
      style('B2:C3', { border: { outline: 'medium', inside: 'hair FF0000' } }),
    ])
    const { cells, looks: all } = grid(after)
    const at = (row: number, column: number) =>
      all[cells.find(own => own.row === row && own.column === column)!.look!]!.border!
    expect(at(2, 2).top!.style + at(2, 2).right!.style).toBe('mediumhair')
    expect(at(3, 3).bottom!.style + at(3, 3).left!.style).toBe('mediumhair')
    expect(at(3, 3).top!.color).toBe('FF0000')
  })

  test('whole columns and rows have a look of their own, for cells that come later too', () => {
    const { after, bytes } = edited(book, [
      style('B:C', { fill: 'DDDDDD' }),
      style('4:5', { bold: true }),
      {
        op: 'set_cells',
        sheet: 'S',
        cells: [
          { cell: 'C7', value: 1 },
          { cell: 'A4', value: 2 },
        ],
      },
    ])
    const sheet = partText(bytes, SHEET)
    expect(sheet).toMatch(/<cols><col min="2" max="3" style="\d" width="9.140625"\/><\/cols>/)
    expect(sheet).toMatch(/<row r="5" s="3" customFormat="1"><\/row>/)
    const told = looks(after)
    expect(told.C7 ?? told['C2 C7'] ?? told['B2 C7']).toBeDefined()
    expect(looks(after, 'S', 'C7:C7').C7).toBe('fill DDDDDD')
    expect(looks(after, 'S', 'A4:A4').A4).toBe('bold')
    expect(looks(after, 'S', 'B1:B2')).toEqual({
      B1: 'bold, fill DDDDDD',
      B2: 'fill DDDDDD, format "#,##0.00"',
    })
    const cleared = edited(book, [
      style('B:C', { fill: 'DDDDDD' }),
      { op: 'clear_style', sheet: 'S', range: 'C5:C6' },
    ])
    expect(partText(cleared.bytes, SHEET)).toContain('<c r="C5"/>')
    expect(grid(cleared.after).cells.some(own => own.row === 5 && own.column === 3)).toBe(false)
  })

  test.each([
    [{ bolt: true }, 'a style has no "bolt"; it has bold, italic'],
    [{ bold: 'yes' }, 'bold is true or false, not "yes"'],
    [{ color: 'reddish' }, 'color is a colour such as "FF0000"'],
    [
      { number_format: 'currency' },
      'number_format "currency" is no number format: send "\\"$\\"#,##0.00"',
    ],
    [{ number_format: '0 kg' }, 'words stand in quotes, such as 0 "k'],
    [{ number_format: 'x'.repeat(300) }, 'more than 255 characters'],
    [{ size: 0 }, 'size is a number of points from 1 to 409'],
    [{ border: 'wavy' }, 'the lines are thin, medium'],
    [{ align: 'up' }, 'align is one of general, left'],
    [7, 'words such as'],
  ])('a look that no program has is refused in words: %j', (look, message) => {
    expect(refusal([style('A1', look)])).toContain(message)
  })

  test('the map tells a column by its new number format before the file is saved', () => {
    const rows = [1, 2, 3].map(
      row =>
        `<row r="${row}"><c r="A${row}"><v>4600${row}</v></c><c r="B${row}"><f>A${row}</f><v>4600${row}</v></c></row>`,
    )
    const { document, bytes } = openZoo({ sheets: { S: rows.join('') } })
    const map = () => unwrap(document.map()).text
    expect(map()).toContain('data A1:B3: A number')
    unwrap(document.apply(logged([style('A1:A3', { number_format: 'yyyy-mm-dd' })])))
    expect(map()).toContain('data A1:B3: A date')
    const after = unwrap(xlsxFormat.open(saved(document, bytes).bytes, NAME))
    expect(unwrap(after.map()).text).toBe(map())
  })

  test('a large range is refused, and a range that looks like that already is no change', () => {
    expect(refusal([style('A1:Z100000', { bold: true })])).toContain('takes 250000 cells at once')
    const same = edited(book, [style('B1', { bold: true })])
    expect(same.changes).toEqual([])
    expect(Buffer.compare(same.bytes, same.before)).toBe(0)
    expect(refusal([{ op: 'set_style', sheet: 'S', range: 'A1' }])).toContain(
      'set_style needs style',
    )
  })

  test('a refused look leaves the values that were written with it, and the other way round', () => {
    const operations: Operation[] = [
      { op: 'set_cells', sheet: 'S', cells: [{ cell: 'A2', value: 'East' }] },
      style('A2:B2', { bold: true }),
      { op: 'set_style', sheet: 'T', range: 'A5', like: 'S!A2' },
    ]
    const { document, bytes } = openZoo(book)
    const log = logged(operations)
    const { changes } = unwrap(document.apply(log))
    const [value, look, copy] = changes
    expect(copy!.dependsOn).toContain(look!.id)
    const without = (id: typeof value) =>
      unwrap(xlsxFormat.replay(bytes, log, new Set([id!.id]), NAME))
    const noLook = without(look)
    expect(noLook.changes.map(({ id }) => id)).toEqual([value!.id])
    expect(noLook.dropped).toEqual([copy!.id])
    expect(without(value).changes.map(({ id }) => id)).toContain(look!.id)
  })

  test('a comparison tells looks in words', () => {
    const { before, bytes } = edited(book, [style('A2', { bold: true })])
    const diff = unwrap(diffWorkbooks(before, bytes, NAME))
    expect(diff.changes).toMatchObject([
      { kind: 'format', place: 'S!A2', before: { format: '' }, after: { format: 'bold' } },
    ])
  })
})
