import { type Operation, type SheetGrid, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { edited, logged, openZoo, partText, saved, type ZooBook, zooBook } from './zoo.contract.ts'

const SHEET = 'xl/worksheets/sheet1.xml'

const rows = (count: number) =>
  `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>${Array.from(
    { length: count - 1 },
    (_, index) =>
      `<row r="${index + 2}"><c r="A${index + 2}" t="s"><v>${2 + (index % 2)}</v></c><c r="B${index + 2}"><v>${index + 1}</v></c></row>`,
  ).join('')}`

const book: ZooBook = {
  strings: ['Region', 'Units', 'North', 'South'],
  sheets: { 'My sheet': { rows: rows(7) } },
}

type Document = ReturnType<typeof openZoo>['document']

const on = (op: string, fields: object): Operation => ({ op, sheet: 'My sheet', ...fields })

function refusal(operation: Operation, own = book): string {
  const { document, bytes } = openZoo(own)
  const result = document.apply(logged([operation]))
  if (result.ok) throw new Error('accepted, where a refusal was expected')
  expect(Buffer.compare(saved(document, bytes).bytes, bytes)).toBe(0)
  return result.failure.message
}

function grid(document: Document): SheetGrid {
  const read = document.read({ range: 'A1:C9' }, { maxBytes: 1_000_000, grid: true })
  return unwrap(read).fields as unknown as SheetGrid
}

function setup(document: Document) {
  return (unwrap(document.map()).fields.sheets as Record<string, unknown>[])[0]!
}

describe('conditional_format', () => {
  const red = { fill: 'FFC7CE', color: '9C0006' }

  test.each([
    [{ cell: '>', value: 3 }, [5, 6, 7]],
    [{ cell: '=', value: 'North' }, []],
    [{ between: [2, 3] }, [3, 4]],
    [{ not_between: [2, 6] }, [2]],
    [{ formula: '=$A2="North"' }, [2, 4, 6]],
    [{ top: 2 }, [6, 7]],
    [{ bottom: 50, percent: true }, [2, 3, 4]],
    [{ average: 'above' }, [5, 6, 7]],
    [{ duplicates: false }, [2, 3, 4, 5, 6, 7]],
    [{ contains: '4' }, [5]],
    [{ begins_with: '4' }, [5]],
    [{ blank: true }, []],
    [{ error: true }, []],
  ])('a rule is added, drawn, told as it was sent, and taken away: %j', (rule, marked) => {
    const { open, after, bytes, changes } = edited(book, [
      on('conditional_format', { range: 'B2:B7', rule, style: red }),
    ])
    for (const document of [open, after]) {
      expect(
        grid(document)
          .cells.filter(cell => cell.over)
          .map(({ row }) => row),
      ).toEqual(marked)
      expect(setup(document).conditionalFormats).toEqual([
        { number: 1, range: 'B2:B7', rule, style: 'color 9C0006, fill FFC7CE' },
      ])
    }
    expect(changes).toMatchObject([
      {
        kind: 'structure',
        place: "'My sheet'!B2:B7 conditional format",
        before: null,
        after: { text: `B2:B7 ${JSON.stringify(rule)}: color 9C0006, fill FFC7CE` },
      },
    ])
    expect(partText(bytes, 'xl/styles.xml')).toMatch(
      /<\/cellXfs><dxfs count="1">.*<\/dxfs><\/styleSheet>$/,
    )
    const { bytes: none } = edited(book, [
      on('conditional_format', { range: 'B2:B7', rule, style: red }),
      on('conditional_format', { number: 1, remove: true }),
    ])
    expect(partText(none, SHEET)).not.toContain('conditionalFormatting')
  })

  test('scales, bars and icons are added and told as they were sent', () => {
    const rules = [
      {
        scale: [
          { at: 'min', color: 'F8696B' },
          { at: 'percentile 50', color: 'FFEB84' },
          { at: 'max', color: '63BE7B' },
        ],
      },
      { bar: '638EC6', min: 'min', max: 'max' },
      { bar: '638EC6', min: 0, max: '90%', show_value: false },
      { icons: '3Arrows', at: ['0%', '33%', '67%'] },
      { icons: '5Rating', at: ['0%', '20%', 3, 4, '=$B$7'], reverse: true, show_value: false },
    ]
    const operations = rules.map(rule => on('conditional_format', { range: 'B2:B7', rule }))
    const { after } = edited(book, operations)
    const told = setup(after).conditionalFormats as { rule: unknown }[]
    expect(told.map(own => own.rule)).toEqual(rules)
    const short = edited(book, [
      on('conditional_format', { range: 'B2:B7', rule: { scale: ['red', 'green'] } }),
      on('conditional_format', { range: 'B2:B7', rule: { icons: '4rating' } }),
    ])
    expect(setup(short.after).conditionalFormats).toMatchObject([
      {
        rule: {
          scale: [
            { at: 'min', color: 'FF0000' },
            { at: 'max', color: '008000' },
          ],
        },
      },
      { rule: { icons: '4Rating', at: ['0%', '25%', '50%', '75%'] } },
    ])
  })

  test('a rule of the file is changed by its number, the others keep their bytes', () => {
    const own: ZooBook = {
      ...book,
      sheets: {
        'My sheet': {
          rows: rows(7),
          tail: '<conditionalFormatting sqref="A2:A7"><cfRule type="duplicateValues" priority="2"/><cfRule  type="uniqueValues" priority="1" stopIfTrue="1"/></conditionalFormatting><conditionalFormatting sqref="B2:B7"><cfRule type="top10" priority="3" rank="3"/></conditionalFormatting><pageMargins left="1" right="1" top="1" bottom="1" header="1" footer="1"/>',
        },
      },
    }
    const { bytes, after } = edited(own, [
      on('conditional_format', { number: 3, rule: { top: 1 }, style: 'bold' }),
      on('conditional_format', { number: 1, remove: true }),
    ])
    expect(partText(bytes, SHEET)).toContain(
      '<conditionalFormatting sqref="A2:A7"><cfRule type="duplicateValues" priority="2"/></conditionalFormatting><conditionalFormatting sqref="B2:B7"><cfRule type="top10" dxfId="0" priority="3" rank="1"/></conditionalFormatting><pageMargins',
    )
    expect(setup(after).conditionalFormats).toMatchObject([
      { number: 1, range: 'A2:A7', rule: { duplicates: true } },
      { number: 2, range: 'B2:B7', rule: { top: 1 }, style: 'bold' },
    ])
  })

  test('the extension of a bar goes with its rule', () => {
    const ns = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main'
    const own: ZooBook = {
      ...book,
      sheets: {
        'My sheet': {
          rows: rows(7),
          tail: `<conditionalFormatting sqref="B2:B7"><cfRule type="dataBar" priority="1"><dataBar><cfvo type="min"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar><extLst><ext uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}" xmlns:x14="${ns}"><x14:id>{AAAA-1}</x14:id></ext></extLst></cfRule></conditionalFormatting><extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}" xmlns:x14="${ns}"><x14:conditionalFormattings><x14:conditionalFormatting><x14:cfRule type="dataBar" id="{AAAA-1}"><x14:dataBar/></x14:cfRule></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>`,
        },
      },
    }
    const { bytes } = edited(own, [on('conditional_format', { remove: true })])
    expect(partText(bytes, SHEET)).not.toMatch(/AAAA-1|conditionalFormatting|extLst/)
  })

  test.each([
    [{ range: 'B2:B7', rule: { cell: '>', value: 3 } }, 'conditional_format needs style'],
    [{ range: 'B2:B7', rule: { bar: 'red' }, style: red }, 'takes no style'],
    [{ range: 'B2:B7', rule: { cell: '~', value: 3 }, style: red }, 'cell is one of > <'],
    [{ range: 'B2:B7', rule: { like: 3 }, style: red }, 'rule is one of {"cell"'],
    [
      { range: 'B2:B7', rule: { top: 3, color: 1 }, style: red },
      'a rule with top has no color; it may have percent',
    ],
    [{ range: 'B2:B7', rule: { formula: '=SUM(' }, style: red }, 'cannot be read'],
    [{ range: 'B2:B7', rule: { formula: '=[2]S!A1>1' }, style: red }, 'names another workbook'],
    [{ range: 'B2:B7', rule: { top: 3 }, style: { size: 9 } }, 'a conditional format sets bold'],
    [{ number: 2, remove: true }, 'there is no conditional format 2; "My sheet" has none'],
  ])('what no program opens is refused: %j', (fields, message) => {
    expect(refusal(on('conditional_format', fields))).toContain(message)
  })
})

describe('freeze_panes', () => {
  test('keeps rows and columns in view, and lets go', () => {
    const { after, bytes, changes } = edited(book, [on('freeze_panes', { at: 'B3' })])
    expect(partText(bytes, SHEET)).toContain(
      '<sheetViews><sheetView workbookViewId="0"><pane xSplit="1" ySplit="2" topLeftCell="B3" activePane="bottomRight" state="frozen"/><selection pane="topRight"/><selection pane="bottomLeft"/><selection pane="bottomRight"/></sheetView></sheetViews><sheetData>',
    )
    expect(setup(after).frozen).toEqual({ rows: 2, columns: 1 })
    expect(changes).toMatchObject([
      {
        place: "'My sheet'!panes",
        before: { text: 'nothing frozen' },
        after: { text: '2 rows and 1 column frozen' },
      },
    ])
    const free = edited(book, [
      on('freeze_panes', { at: 'A2' }),
      on('freeze_panes', { at: 'none' }),
    ])
    expect(setup(free.after).frozen).toBe(null)
    expect(edited(book, [on('freeze_panes', { at: 'A1' })]).changes).toEqual([])
    expect(refusal(on('freeze_panes', {}))).toContain('freeze_panes needs at')
  })

  test('the rest of a view stays, but not what scrolled away', () => {
    const own: ZooBook = {
      ...book,
      sheets: {
        'My sheet': {
          head: '<sheetViews><sheetView showGridLines="0" tabSelected="1" topLeftCell="A40" workbookViewId="0"><selection activeCell="C3" sqref="C3:D4"/></sheetView></sheetViews>',
          rows: rows(7),
        },
      },
    }
    const { bytes } = edited(own, [on('freeze_panes', { at: 'A2' })])
    expect(partText(bytes, SHEET)).toContain(
      '<sheetView showGridLines="0" tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="C3" sqref="C3:D4"/></sheetView>',
    )
  })
})

describe('auto_filter', () => {
  const hidden = (document: Document) => setup(document).hiddenRows

  test('hides the rows that its criteria leave out, and shows them again', () => {
    const { open, after, bytes, results } = edited(book, [
      on('auto_filter', { range: 'A1:B7', filters: { Region: ['South'], B: { above: 2 } } }),
    ])
    expect([hidden(open), hidden(after)]).toEqual([
      ['2-4', '6'],
      ['2-4', '6'],
    ])
    expect(results[0]!.message).toContain('4 rows hidden')
    expect(partText(bytes, SHEET)).toContain(
      '<autoFilter ref="A1:B7"><filterColumn colId="0"><filters><filter val="South"/></filters></filterColumn><filterColumn colId="1"><customFilters><customFilter operator="greaterThan" val="2"/></customFilters></filterColumn></autoFilter>',
    )
    expect(partText(bytes, 'xl/workbook.xml')).toContain(
      '</sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">\'My sheet\'!$A$1:$B$7</definedName></definedNames>',
    )
    const again = edited(book, [
      on('auto_filter', { range: 'A1:B7', filters: { Region: ['South'] } }),
      on('auto_filter', { filters: { Region: { contains: 'nor' } } }),
    ])
    expect(hidden(again.after)).toEqual(['3', '5', '7'])
    const gone = edited(book, [
      on('auto_filter', { range: 'A1:B7', filters: { Region: ['South'] } }),
      on('auto_filter', { remove: true }),
    ])
    expect(hidden(gone.after)).toEqual([])
    expect(partText(gone.bytes, SHEET)).not.toContain('autoFilter')
    expect(partText(gone.bytes, 'xl/workbook.xml')).not.toContain('Filter')
  })

  test.each([
    [{ empty: false }, []],
    [{ empty: true }, ['2-7']],
    [{ between: [2, 3] }, ['2', '5-7']],
    [{ at_most: 2 }, ['4-7']],
    [{ not_equals: '3' }, ['4']],
    [
      [3, 4],
      ['2-3', '6-7'],
    ],
  ])('a column is filtered by %j', (own, rowsHidden) => {
    const { after } = edited(book, [on('auto_filter', { range: 'A1:B7', filters: { Units: own } })])
    expect(hidden(after)).toEqual(rowsHidden)
  })

  test('what cannot be filtered is refused', () => {
    expect(refusal(on('auto_filter', { remove: true }))).toContain('has no filter')
    expect(refusal(on('auto_filter', { range: 'A1:B7', filters: { Colour: ['x'] } }))).toContain(
      '"Colour" is no column',
    )
    expect(
      refusal(on('auto_filter', { range: 'A1:B7', filters: { Units: { near: 3 } } })),
    ).toContain('one of equals, not_equals')
    expect(refusal(on('auto_filter', { filters: {} }), { sheets: { 'My sheet': '' } })).toContain(
      'auto_filter needs range',
    )
  })
})

describe('print_setup', () => {
  const print = {
    area: 'A1:B7',
    title_rows: '1:1',
    title_columns: 'A:A',
    orientation: 'landscape',
    paper: 'A4',
    fit: { width: 1, height: 0 },
    margins: { left: 0.5, right: 0.5, top: 0.75, bottom: 0.75, header: 0.3, footer: 0.3 },
    header: { left: 'Q&&A', center: 'Page &P of &N' },
    footer: { right: '&D' },
    center: { horizontally: true, vertically: false },
    gridlines: true,
  }

  test('is told as it was sent, and goes round', () => {
    const { open, after, bytes, changes } = edited(book, [on('print_setup', { print })])
    expect(setup(after).print).toEqual(print)
    expect(setup(open).print).toEqual(print)
    const sheet = partText(bytes, SHEET)
    expect(sheet).toContain('<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetData>')
    expect(sheet).toMatch(
      /<\/sheetData><printOptions [^>]*\/><pageMargins [^>]*\/><pageSetup [^>]*\/><headerFooter><oddHeader>&amp;LQ&amp;&amp;A&amp;CPage &amp;P of &amp;N<\/oddHeader><oddFooter>/,
    )
    expect(partText(bytes, 'xl/workbook.xml')).toContain(
      '<definedName name="_xlnm.Print_Titles" localSheetId="0">\'My sheet\'!$A:$A,\'My sheet\'!$1:$1</definedName>',
    )
    expect(changes).toHaveLength(1)
    const off = edited(book, [
      on('print_setup', { print }),
      on('print_setup', {
        print: {
          area: null,
          title_rows: null,
          title_columns: null,
          fit: null,
          header: null,
          footer: null,
          gridlines: false,
          center: false,
          scale: 80,
        },
      }),
    ])
    expect(setup(off.after).print).toEqual({
      orientation: 'landscape',
      paper: 'A4',
      scale: 80,
      margins: print.margins,
    })
  })

  test.each([
    [{}, 'print_setup needs print with some of area'],
    [{ colour: 1 }, 'not colour'],
    [{ orientation: 'sideways' }, 'orientation is portrait or landscape'],
    [{ paper: 'A99' }, 'paper is one of Letter'],
    [{ scale: 5 }, 'scale is a number from 10 to 400'],
    [{ title_rows: 'A:B' }, 'is not a run of rows'],
    [{ margins: { inner: 1 } }, 'margins has left, right'],
    [{ header: 'x'.repeat(300) }, '255 characters'],
  ])('what no program prints is refused: %j', (given, message) => {
    expect(refusal(on('print_setup', { print: given }))).toContain(message)
  })
})

describe('groups and sizes', () => {
  test('rows and columns are grouped, folded and let go', () => {
    const { after, bytes } = edited(book, [
      on('group', { rows: '3:4', collapse: true }),
      on('group', { columns: 'B' }),
    ])
    const sheet = partText(bytes, SHEET)
    expect(sheet).toContain(
      '<sheetFormatPr outlineLevelCol="1" outlineLevelRow="1" defaultRowHeight="15"/>',
    )
    expect(sheet).toMatch(/<row [^>]*collapsed="1" r="5">/)
    expect(setup(after)).toMatchObject({ groups: ['rows 3:4', 'columns B:B'], hiddenRows: ['3-4'] })
    const none = edited(book, [
      on('group', { rows: '3:4', collapse: true }),
      on('ungroup', { rows: '3:4' }),
    ])
    expect(setup(none.after)).toMatchObject({ groups: [], hiddenRows: [] })
    expect(partText(none.bytes, SHEET)).not.toContain('collapsed')
    expect(refusal(on('ungroup', { rows: '3:4' }))).toContain('3:4 is in no group')
    expect(refusal(on('group', {}))).toContain('group needs rows')
  })

  test('columns are as wide as what they show, rows as high as they need', () => {
    const own: ZooBook = {
      strings: ['a rather long text in a cell', 'x'],
      sheets: {
        'My sheet': {
          head: '<cols><col min="1" max="2" width="5" customWidth="1"/></cols>',
          rows: '<row r="1" ht="50" customHeight="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>',
        },
      },
    }
    const { after, bytes } = edited(own, [
      on('set_column_widths', { widths: { 'A:C': 'auto' } }),
      on('set_row_heights', { heights: { '1': 'auto' } }),
    ])
    const widths = setup(after).widths as Record<string, number>
    expect(widths.A).toBeGreaterThan(20)
    expect(widths.A).toBeLessThan(32)
    expect(widths.B).toBe(3)
    expect(partText(bytes, SHEET)).toContain('<row r="1"><c')
  })

  describe('a height that a program measured', () => {
    const height = (operation: Operation, attributes = ' ht="15"', head = '') => {
      const wrapping = '<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0"><alignment wrapText="1"/></xf>' // biome-ignore format: one style
      const plain: ZooBook = { sheets: { 'My sheet': { head, rows: `<row r="1"${attributes}><c r="A1" t="s"><v>0</v></c><c r="B1" t="s" s="1"><v>0</v></c></row>` } }, strings: ['long text'] } // biome-ignore format: a book
      const styles = partText(zooBook(plain), 'xl/styles.xml').replace(/<xf numFmtId="4".*?\/>/, wrapping) // biome-ignore format: one part
      const { bytes } = edited({ ...plain, parts: { 'xl/styles.xml': styles } }, [operation])
      return /<row[^>]* ht="(\d+)"/.exec(partText(bytes, SHEET))?.[1]
    }
    const longer = 'a text of several lines'
    const set = (cell: string, value: string) => on('set_cells', { cells: [{ cell, value }] })
    const style = (own: object) => on('set_style', { range: 'A1', style: own })

    test.each([
      ['a longer text that wraps', set('B1', longer)],
      ['text that wraps now', style({ wrap: true })],
      ['larger letters', style({ size: 20 })],
      ['another direction', style({ rotate: 90 })],
      ['a new cell with larger letters', on('set_style', { range: 'D1', style: { size: 20 } })],
    ])('is measured again for %s', (_, operation) => {
      expect(height(operation)).toBeUndefined()
    })

    test.each([
      ['a shorter text that wraps', set('B1', 'short')],
      ['a longer text on its one line', set('A1', longer)],
      ['a bold one', style({ bold: true, wrap: false })],
      ['smaller letters', style({ size: 9 })],
    ])('stays for %s', (_, operation) => {
      expect(height(operation)).toBe('15')
    })

    test('stays where a person set it, or that of all rows', () => {
      const operation = set('B1', longer)
      expect(height(operation, ' ht="15" customHeight="1"')).toBe('15')
      const all = '<sheetFormatPr defaultRowHeight="15" customHeight="1"/>'
      expect(height(operation, ' ht="15"', all)).toBe('15')
      expect(height(on('set_row_heights', { heights: { '1': 22 } }))).toBe('22')
    })
  })

  test('an icon beside a number has room', () => {
    const own: ZooBook = { sheets: { 'My sheet': '<row r="1"><c r="A1"><v>123456</v></c></row>' } }
    const widthAfter = (...before: readonly Operation[]) => {
      const { after } = edited(own, [...before, on('set_column_widths', { widths: { A: 'auto' } })])
      return (setup(after).widths as Record<string, number>).A!
    }
    const rule = { range: 'A1:A2', rule: { icons: '3Arrows' } }
    expect(widthAfter(on('conditional_format', rule))).toBeGreaterThan(widthAfter() + 2)
  })
})
