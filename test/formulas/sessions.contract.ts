import type { LoggedOperation, Operation } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import type { Evaluator } from '../../packages/documents/src/evaluation.ts'
import type { OperationName } from '../../packages/documents/src/formats/xlsx/declared/operations.ts'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { randomBooks } from '../../packages/documents/src/formats/xlsx/testing/random-books.contract.ts'
import { randomFrom } from '../../packages/documents/src/formats/xlsx/testing/random-edits.contract.ts'
import {
  logged,
  NAME,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'

const compute = createEvaluator({ timeMs: 3_000 })

/** How many computations took too long: what they asked for is not known, however the next one fares. */
export const late = { count: 0 }

export const evaluator: Evaluator = evaluation => {
  const evaluated = compute(evaluation)
  if ('problem' in evaluated) late.count++
  return evaluated
}

export const ALLOWED = { allowProtected: true, allowBreakSignature: true }

/** A workbook with chains of formulas: in rows, over columns, between sheets, by names, by a table, in an array. */
export function madeBook(seed: number): Uint8Array {
  const random = randomFrom(seed)
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const rows = 5 + upTo(4)
  const body = Array.from({ length: rows }, (_, index) => {
    const row = index + 2
    return [
      'abcdefgh'[upTo(5) - 1],
      upTo(5),
      { formula: `B${row}*10` },
      { formula: index === 0 ? 'C2' : `D${row - 1}+C${row}` },
      { formula: `IF(B${row}>Sums!$B$1,"high","low")` },
    ]
  })
  const last = rows + 1
  const sums = [
    ['limit', 3],
    ['sum', { formula: `SUM(Data!C2:C${last})` }],
    ['twice', { formula: 'B2*Rate' }],
    ['found', { formula: `VLOOKUP("b",Data!A2:C${last},3,FALSE)` }],
    ['count', { formula: `COUNTIF(Data!E2:E${last},"high")` }],
    ['if', { formula: `SUMIF(Data!A2:A${last},"a",Data!C2:C${last})` }],
    [
      'best',
      { formula: `INDEX(Data!A2:A${last},MATCH(MAX(Data!B2:B${last}),Data!B2:B${last},0))` },
    ],
    ['array', { formula: `SUM(IF(Data!B2:B${last}>2,Data!C2:C${last}))` }],
    ['table', { formula: 'SUM(Net_1[Net])' }],
    ['all', { formula: 'SUM(B2,B6,B8,B9)' }],
  ]
  const table = [
    ['Name', 'Net', 'Gross'],
    ...['x', 'y', 'z'].map((name, index) => [name, upTo(9), { formula: `B${index + 2}*1.5` }]),
  ]
  const put = (sheet: string, values: unknown[][]) => ({
    op: 'set_range',
    sheet,
    start: 'A1',
    values,
  })
  const blank = zooBook({ sheets: { Data: '', Sums: '', Tab: '' } })
  const document = unwrap(XlsxDocument.open(blank, NAME, evaluator))
  const log: Operation[] = [
    put('Data', [['n', 'x', 'y', 'z', 'word'], ...body]),
    put('Tab', table),
    { op: 'add_table', sheet: 'Tab', range: 'A1:C4', name: 'Net_1' },
    { op: 'define_name', name: 'Rate', refers_to: 2 },
    put('Sums', sums),
  ]
  unwrap(document.apply(logged(log, 'made')))
  return toBytes(unwrap(document.content()), blank)
}

const books = randomBooks()

/** Made workbooks and, where the corpus is, real ones. */
export function baseOf(seed: number): { readonly title: string; readonly bytes: Uint8Array } {
  const real = books[Math.floor(seed / 2) % books.length]!
  return seed % 2 === 0 ? { title: 'made', bytes: madeBook(seed) } : real
}

type Maker = () => Omit<Operation, 'op'>

/** What pictures do needs files, and no formula reads them. */
type Drawn = Exclude<OperationName, 'add_image' | 'replace_image' | 'move_image' | 'remove_image'>

/** An operation of any name on what the workbook has now, with what it needs before it; some of them are refused. */
export function anyOperations(document: XlsxDocument, random: () => number): Operation[] {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const makers = makersFor(document, random)
  const names = Object.keys(makers) as Drawn[]
  // those that set values, move cells or look at values come more often
  const op = pick(random() < 0.6 ? OFTEN : names)
  const own = { op, ...makers[op]() }
  const first = NEEDS[op]
  return first ? [{ op: first, ...makers[first]() }, own] : [own]
}

/** What there must be before. */
const NEEDS: Partial<Readonly<Record<Drawn, Drawn>>> = {
  edit_chart: 'add_chart',
  remove_chart: 'add_chart',
  edit_pivot: 'add_pivot',
  remove_pivot: 'add_pivot',
  remove_comment: 'set_comment',
  remove_hyperlink: 'set_hyperlink',
  remove_validation: 'data_validation',
  unmerge_cells: 'merge_cells',
  ungroup: 'group',
  remove_name: 'define_name',
  subtotal_rows: 'sort_range',
  unprotect: 'protect',
}

const OFTEN: readonly Drawn[] = [
  ...(['set_cells', 'set_cells', 'set_cells', 'set_range', 'fill', 'copy_range'] as const),
  ...(['insert_rows', 'delete_rows', 'delete_rows', 'sort_range', 'remove_duplicates'] as const),
  ...(['auto_filter', 'append_rows', 'move_range', 'insert_columns', 'delete_columns'] as const),
]

function makersFor(document: XlsxDocument, random: () => number): Readonly<Record<Drawn, Maker>> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const names = document.book.sheets.map(({ name }) => name)
  const sheet = random() < 0.5 ? names[0]! : pick(names)
  const row = () => upTo(11)
  const column = () => pick(['A', 'B', 'C', 'D', 'E', 'G'])
  const cell = () => `${column()}${row()}`
  const noted = cell()
  const box = () => `${pick(['A', 'B'])}${upTo(3)}:${pick(['C', 'D', 'E'])}${3 + upTo(7)}`
  const block = () => pick([`A1:${pick(['C', 'D', 'E'])}${3 + upTo(7)}`, box()])
  const other = () => `'${pick(names).replaceAll("'", "''")}'`
  const formula = () =>
    pick([
      () => `${cell()}*2`,
      () => `SUM(${box()})`,
      () => `${other()}!${cell()}+1`,
      () => `IF(${cell()}>20,"yes","no")`,
      () => `COUNT(${other()}!${box()})`,
      () => 'ROUND(SUM(B:B),0)',
      () => 'NOW()',
      () => `INDIRECT("B"&${upTo(5)})`,
      () => `SUBTOTAL(109,C2:C${upTo(9) + 1})`,
      () => 'SUM(Net_1[Net])*Rate',
      () => 'INFO("osversion")',
    ])()
  const value = (): unknown =>
    pick<() => unknown>([
      () => upTo(9),
      () => upTo(9),
      () => upTo(999),
      () => pick(['a', 'b', 'c', 'north', '12']),
      () => null,
      () => true,
      () => ({ formula: formula() }),
      () => ({ formula: formula() }),
      () => ({ date: '2026-02-28' }),
    ])()
  const values = () => Array.from({ length: upTo(3) }, () => Array.from({ length: upTo(3) }, value))
  const lines = () => pick([{ rows: `${row()}` }, { columns: column() }, { rows: '2:4' }])
  const at = (fields: object) => () => ({ sheet, ...fields })
  const name = () => pick(['Other', 'New', "Bob's", 'Q 1', 'Z'])
  return {
    ensure_sheet: () => ({ sheet: name() }),
    set_cells: () => ({
      sheet,
      cells: Array.from({ length: upTo(2) }, () => ({ cell: cell(), value: value() })),
    }),
    set_range: () => ({ sheet, start: cell(), values: values() }),
    delete_sheet: at({}),
    rename_sheet: () => ({ sheet, new_name: name() }),
    move_sheet: () => ({ sheet, index: Math.floor(random() * names.length) }),
    copy_sheet: () => ({ sheet, new_name: `${name()} ${upTo(99)}` }),
    clear_range: () => ({ sheet, range: box() }),
    merge_cells: () => ({ sheet, range: pick(['H20:I20', box()]) }),
    unmerge_cells: at({ range: 'A1:Z99' }),
    hide: () => ({ sheet, ...lines() }),
    show: () => ({ sheet, ...lines() }),
    set_column_widths: () => ({ sheet, widths: { [column()]: pick(['auto', 12]) } }),
    set_row_heights: () => ({ sheet, heights: { [row()]: pick([0, 20]) } }),
    find_replace: () => ({ search: pick(['a', '1', 'B']), replace: 'c', formulas: random() < 0.3 }),
    insert_rows: () => ({ sheet, at: row(), count: upTo(2) }),
    delete_rows: () =>
      random() < 0.5
        ? { sheet, rows: `${row()}` }
        : { sheet, where: { column: pick(['B', 'C', 'D']), above: pick([1, 20, 60]) } },
    insert_columns: () => ({ sheet, at: column(), count: upTo(2) }),
    delete_columns: () => ({ sheet, columns: [column()] }),
    append_rows: () => ({ sheet, values: [[pick(['a', 'k']), upTo(9)]] }),
    sort_range: () => ({
      sheet,
      range: block(),
      header: true,
      by: [{ column: pick(['A', 'B', 'C']), descending: random() < 0.5 }],
    }),
    move_range: () => ({ sheet, range: box(), to: pick(['H3', 'A14', cell()]) }),
    copy_range: () => ({
      sheet,
      range: box(),
      to: pick(['H2', `${other()}!H2`, cell()]),
      what: pick(['values', 'values', 'all', 'formulas', 'formats']),
    }),
    fill: () => ({
      sheet,
      ...pick([
        { range: `F2:F${3 + upTo(5)}`, formula: `C2+${upTo(9)}` },
        { range: `C2:C${3 + upTo(5)}` },
        { range: `G2:G${3 + upTo(5)}`, series: { start: upTo(9), by: 2 } },
        { range: `${column()}2:${column()}${3 + upTo(5)}`, pattern: true },
      ]),
    }),
    remove_duplicates: () => ({
      sheet,
      range: block(),
      header: true,
      columns: [pick(['A', 'B', 'C'])],
    }),
    convert_cells: () => ({ sheet, range: box(), to: pick(['number', 'text', 'trim']) }),
    replace_values: at({ map: { a: 'b', 3: 30 } }),
    freeze_values: () => ({ sheet, ...(random() < 0.9 && { range: pick([box(), cell()]) }) }),
    transform_cells: () => ({
      sheet,
      range: box(),
      steps: pick([[{ multiply: 2 }], [{ add: 1 }, { round: 0 }], ['upper'], ['trim', 'number']]),
      wrap_formulas: random() < 0.3,
    }),
    unpivot: () => ({ sheet, range: block(), keep: ['A'], to: pick(['P2', `${other()}!P2`]) }),
    pivot_rows: () => ({
      sheet,
      range: block(),
      ...{ rows: ['A'], columns: 'B', values: ['C'], function: pick(['first', 'count', 'join']) },
      to: pick(['P2', `${other()}!P2`]),
    }),
    subtotal_rows: () => ({ sheet, range: 'A1:E6', by: ['A'], columns: ['B'] }),
    insert_cells: () => ({ sheet, range: box(), shift: pick(['down', 'right']) }),
    delete_cells: () => ({ sheet, range: box(), shift: pick(['up', 'left']) }),
    set_style: () => ({ sheet, range: box(), style: pick(['bold', 'format "0.00"']) }),
    clear_style: () => ({ sheet, range: box() }),
    conditional_format: () => ({
      sheet,
      range: box(),
      rule: { cell: '>', value: 5 },
      style: 'bold',
    }),
    freeze_panes: () => ({ sheet, at: cell() }),
    auto_filter: () => ({
      sheet,
      ...pick([
        { range: block(), filters: { [pick(['B', 'C'])]: { above: pick([2, 20]) } } },
        { remove: true },
      ]),
    }),
    print_setup: () => ({ sheet, print: { orientation: 'landscape' } }),
    group: () => ({ sheet, rows: '2:4', collapse: random() < 0.5 }),
    ungroup: () => ({ sheet, rows: '2:4' }),
    add_table: () => ({ sheet, range: block(), ...(random() < 0.5 && { totals: { x: 'sum' } }) }),
    edit_table: () => ({
      table: 'Net_1',
      ...pick([{ totals: { Net: 'sum' } }, { range: 'A1:C5' }, { new_name: 'Net_9' }]),
    }),
    remove_table: () => ({ table: 'Net_1' }),
    define_name: () => ({
      name: pick(['Unused', 'Unused', 'List_1']),
      refers_to: `${other()}!$B$2:$B$9`,
    }),
    edit_name: () => ({ name: 'Rate', refers_to: pick([3, `${other()}!$B$2`]) }),
    remove_name: () => ({ name: pick(['Unused', 'Rate']) }),
    data_validation: () => ({ sheet, range: 'G1:G3', type: 'list', source: '$C$2:$C$4' }),
    remove_validation: () => ({ sheet, range: 'G1' }),
    set_comment: () => ({ sheet, cell: noted, text: 'Check', author: 'Ann' }),
    remove_comment: () => ({ sheet, cell: noted }),
    set_hyperlink: () => ({ sheet, cell: 'H9', url: 'https://a.example/' }),
    remove_hyperlink: () => ({ sheet, cell: 'H9' }),
    add_chart: () => ({ sheet, type: 'column', source: box(), cell: 'K2', name: 'Chart X' }),
    edit_chart: () => ({ sheet, chart: 'Chart X', ...pick([{ title: 'x' }, { source: box() }]) }),
    remove_chart: () => ({ sheet, chart: 'Chart X' }),
    add_pivot: () => ({
      sheet,
      source: `'${names[0]!.replaceAll("'", "''")}'!A1:E6`,
      rows: ['n'],
      values: [{ field: 'y', function: 'sum' }],
      cell: 'N3',
      name: 'P',
    }),
    edit_pivot: () => ({ pivot: 'P', values: [{ field: 'x', function: 'max' }] }),
    remove_pivot: () => ({ pivot: 'P' }),
    protect: at({}),
    unprotect: at({}),
    set_properties: () => ({ properties: { title: 'x' } }),
  }
}

/** Operations of a call as the log has them, with the time of the call. */
export function callOf(operations: readonly Operation[], number: number): LoggedOperation[] {
  const minute = String(number % 60).padStart(2, '0')
  const time = `2026-01-31T${String(Math.floor(number / 60)).padStart(2, '0')}:${minute}:00Z`
  return logged(operations, `call_${number}`).map(own => ({
    ...own,
    circumstances: { ...own.circumstances, time },
  }))
}
