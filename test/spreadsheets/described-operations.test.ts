import { createHash } from 'node:crypto'
import { factsOf } from '@filewright/documents'
import { type Operation, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { png } from '../../packages/documents/src/formats/docx/testing/png.contract.ts'
import { DESCRIBED } from '../../packages/documents/src/formats/xlsx/declared/described.ts'
import { xlsxFormat } from '../../packages/documents/src/formats/xlsx/format.ts'
import {
  logged,
  NAME,
  type ZooBook,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { toDescribeTool } from '../../packages/tools/src/operations/describe-operations.ts'

const BOOK: ZooBook = {
  strings: ['Region', 'Year', 'Net', 'North', 'South'],
  names: '<definedName name="Rate">0.19</definedName>',
  sheets: {
    Data: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row><row r="2"><c r="A2" t="s"><v>3</v></c><c r="B2"><v>2025</v></c><c r="C2"><v>10</v></c></row><row r="3"><c r="A3" t="s"><v>4</v></c><c r="B3"><v>2026</v></c><c r="C3"><v>20</v></c></row>',
    Sums: '<row r="1"><c r="A1"><f>SUM(Data!C2:C3)</f><v>30</v></c></row>',
  },
}

/** What has to be there before it is changed or removed. */
const FIRST: Readonly<Record<string, Operation>> = {
  clear_style: { op: 'set_style', sheet: 'Data', range: 'A1:C1', style: 'bold' },
  remove_duplicates: {
    op: 'set_cells',
    sheet: 'Data',
    cells: [{ cell: 'A3', value: 'North' }],
  },
  unmerge_cells: { op: 'merge_cells', sheet: 'Data', range: 'E1:F1' },
  show: { op: 'hide', sheet: 'Data', columns: 'B' },
  ungroup: { op: 'group', sheet: 'Data', rows: '2:3' },
  edit_table: { op: 'add_table', sheet: 'Data', range: 'A1:C3', name: 'Sales' },
  remove_table: { op: 'add_table', sheet: 'Data', range: 'A1:C3', name: 'Sales' },
  remove_validation: {
    op: 'data_validation',
    sheet: 'Data',
    range: 'E1',
    type: 'list',
    list: ['a'],
  },
  remove_comment: { op: 'set_comment', sheet: 'Data', cell: 'B2', text: 'Check' },
  remove_hyperlink: { op: 'set_hyperlink', sheet: 'Data', cell: 'E9', url: 'https://a.example/' },
  edit_chart: { op: 'add_chart', sheet: 'Data', type: 'column', source: 'A1:C3' },
  remove_chart: { op: 'add_chart', sheet: 'Data', type: 'column', source: 'A1:C3' },
  replace_image: { op: 'add_image', sheet: 'Data', image: 'logo.png' },
  move_image: { op: 'add_image', sheet: 'Data', image: 'logo.png' },
  remove_image: { op: 'add_image', sheet: 'Data', image: 'logo.png' },
  edit_pivot: {
    op: 'add_pivot',
    sheet: 'Sums',
    source: 'Data!A1:C3',
    rows: ['Region'],
    values: ['Net'],
    cell: 'C3',
    name: 'P',
  },
  remove_pivot: {
    op: 'add_pivot',
    sheet: 'Sums',
    source: 'Data!A1:C3',
    rows: ['Region'],
    values: ['Net'],
    cell: 'C3',
    name: 'P',
  },
  unprotect: { op: 'protect', sheet: 'Data' },
}

const OPERATIONS = factsOf('xlsx').editing!.operations!.operations
const PICTURE = png(30, 20)
const HASH = createHash('sha256').update(PICTURE).digest('hex')
const OPTIONS = { inputs: { [HASH]: PICTURE }, allowProtected: true }

test.each(Object.keys(OPERATIONS))('the example of %s runs and changes the workbook', op => {
  const document = unwrap(xlsxFormat.open(zooBook(BOOK), NAME))
  const inputs = { 'logo.png': HASH } as never
  const apply = (operation: Operation, id: string) =>
    document.apply(
      logged([operation], id).map(own => ({ ...own, inputs })),
      OPTIONS,
    )
  if (FIRST[op]) unwrap(apply(FIRST[op], 'tc_0'))
  const done = apply({ op, ...OPERATIONS[op]!.example }, 'tc_1')
  expect(done.ok ? '' : done.failure.message).toBe('')
  expect(unwrap(done).changes.length).toBeGreaterThan(0)
})

test('words of an operation name its own fields alone', () => {
  for (const [op, { says = {} }] of Object.entries(DESCRIBED).map(
    ([name, own]) => [name, own as { says?: Record<string, unknown> }] as const,
  )) {
    const { takes, understands = [] } = OPERATIONS[op] as {
      takes: readonly string[]
      understands?: readonly string[]
    }
    const known = [...takes.map(own => /^\w+/.exec(own)![0]), ...understands]
    expect(
      Object.keys(says).filter(field => !known.includes(field)),
      op,
    ).toEqual([])
  }
})

describe('a description speaks for its operation', () => {
  const tool = toDescribeTool([factsOf('xlsx')])
  const described = async (op: string): Promise<string> => {
    const asked = { tool: 'xlsx_operations', operations: [op] }
    const answer = await tool.handlers.server(asked, {} as never)
    return unwrap(answer).text ?? ''
  }

  test.each<[string, string]>([
    ['set_style', 'replace? true or false: true: start from the plain look'],
    ['freeze_panes', 'First cell that scrolls: B2 keeps a row and a column in view'],
    ['add_chart', 'series? '],
    ['add_chart', 'Its series: [{name, values'],
    ['add_chart', 'type string: column, bar, line, area, pie, doughnut or scatter'],
    ['print_setup', 'orientation: portrait | landscape'],
    ['protect', 'sort, filter'],
    ['convert_cells', 'separator? string: For split'],
    ['convert_cells', 'locale? string: How texts are written'],
    ['sort_range', 'Whether the first row is a header; left out, it is one unless'],
    ['remove_duplicates', 'Whether the first row is a header; left out, it is one unless'],
    ['set_cells', 'sheet string: Sheet name'],
    ['append_rows', 'example: {"op":"append_rows","sheet":"Data","records"'],
  ])('%s: %s', async (op, words) => {
    expect(await described(op)).toContain(words)
  })
})
