import type { Operation } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import type { OpenDocument } from '../../../format.ts'

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const TEXTS = [
  'North',
  'a < b & "c"',
  '  spaced  ',
  'Zürich 🙂',
  '=not a formula',
  'two\nlines',
  '_x0041_',
]
const NAMES = ['Other', "Bob's", 'A & B', '2026', 'Sales (2)', 'Ünïcode']

const LOOKS = [
  { bold: true, fill: 'FFFF00' },
  'border thin, format "0.00"',
  { named: 'Good' },
  { font: 'Arial', wrap: true, locked: false },
]

/** One operation of any kind that names what the workbook has now; a few of them are refused. */
export function randomOperation(document: OpenDocument, random: () => number): Operation {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const sheets = (unwrap(document.map()).fields.sheets as { name: string }[]).map(own => own.name)
  const sheet = pick(sheets)
  const column = () => pick(['A', 'B', 'C', 'D', 'F', 'AA'])
  const cell = () => `${column()}${upTo(12)}`
  const range = () => `${pick(['A', 'B'])}${upTo(5)}:${pick(['C', 'D'])}${5 + upTo(5)}`
  const value = (): unknown =>
    pick([
      () => upTo(1_000),
      () => random() * 1e6,
      () => pick(TEXTS),
      () => random() < 0.5,
      () => null,
      () => ({ formula: pick(['SUM(A1:C3)', `${cell()}*2`, 'IFS(A1>1,"x",TRUE,"y")', 'TODAY()']) }),
      () => ({ formula: `'${sheet.replaceAll("'", "''")}'!${cell()}+1` }),
      () => ({ date: '2026-02-28' }),
      () => ({ error: '#N/A' }),
      () => ({ rich_text: [{ text: 'bold', bold: true }, { text: ' and not' }] }),
    ])()
  const block = () => Array.from({ length: upTo(3) }, () => Array.from({ length: upTo(3) }, value))
  return pick<() => Operation>([
    () => ({
      op: 'set_cells',
      sheet,
      cells: Array.from({ length: upTo(3) }, () => ({ cell: cell(), value: value() })),
    }),
    () => ({ op: 'set_range', sheet, start: cell(), values: block() }),
    () => ({ op: 'clear_range', sheet, range: range() }),
    () => ({ op: 'merge_cells', sheet, range: pick([range(), 'F20:G21', 'H1:H3']) }),
    () => ({ op: 'unmerge_cells', sheet, range: pick(['A1:Z99', 'F20:G21']) }),
    () => ({ op: 'hide', sheet, ...pick([{ rows: `${upTo(9)}` }, { columns: column() }, {}]) }),
    () => ({ op: 'show', sheet, ...pick([{ rows: '1:9' }, { columns: 'B:D' }, {}]) }),
    () => ({ op: 'set_column_widths', sheet, widths: { [column()]: upTo(60), 'AC:AE': upTo(9) } }),
    () => ({ op: 'set_row_heights', sheet, heights: { [upTo(12)]: upTo(60), '30:31': 5.25 } }),
    () => ({
      op: 'find_replace',
      search: pick(['o', 'North', '1']),
      replace: pick(['x & y', '', 'ö']),
      formulas: random() < 0.2,
    }),
    () => ({
      op: 'transform_cells',
      sheet,
      range: range(),
      steps: pick([[{ multiply: 1.1 }], ['upper', { prefix: '<&> ' }], [{ extract: '\\w+' }]]),
      wrap_formulas: random() < 0.5,
    }),
    () => ({ op: 'fill', sheet, range: range(), pattern: true }),
    () => ({ op: 'unpivot', sheet, range: range(), keep: ['C'], to: 'K2', overwrite: true }),
    () => ({ op: 'freeze_values', sheet, range: range() }),
    () => ({ op: 'insert_rows', sheet, at: upTo(12), count: upTo(3) }),
    () => ({ op: 'insert_columns', sheet, at: column(), count: upTo(2) }),
    () => ({ op: 'delete_rows', sheet, rows: `${upTo(12)}` }),
    () => ({ op: 'set_style', sheet, range: range(), style: pick(LOOKS) }),
    () => ({ op: 'set_style', sheet, range: pick([range(), 'B:C', '3:4']), like: range() }),
    () => ({ op: 'clear_style', sheet, range: range() }),
    () => ({
      op: 'conditional_format',
      sheet,
      ...pick([
        { range: range(), rule: { cell: '>', value: upTo(99) }, style: 'bold' },
        { range: range(), rule: { scale: ['red', 'green'] } },
        { number: 1, remove: true },
      ]),
    }),
    () => ({ op: 'freeze_panes', sheet, at: pick([cell(), 'A2', 'none']) }),
    () => ({ op: 'print_setup', sheet, print: { area: range(), orientation: 'landscape' } }),
    () => ({ op: pick(['group', 'ungroup']), sheet, rows: `${upTo(5)}:${5 + upTo(5)}` }),
    () => ({ op: 'ensure_sheet', sheet: pick(NAMES) }),
    () => ({ op: 'delete_sheet', sheet }),
    () => ({ op: 'rename_sheet', sheet, new_name: pick(NAMES) }),
    () => ({ op: 'move_sheet', sheet, index: Math.floor(random() * sheets.length) }),
    () => ({ op: 'copy_sheet', sheet, new_name: `${pick(NAMES)} ${upTo(99)}` }),
  ])()
}
