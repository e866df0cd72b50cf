import type { LoggedOperation, Operation } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import {
  logged,
  NAME,
  zooBook,
} from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { sandbox } from '../cli.ts'
import { evaluator } from './sessions.contract.ts'
import { faultsOf } from './truth.contract.ts'

const IS_EXACT = true // the file stores what the engine computes

const ROWS = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>${[
  1, 2, 3, 1,
]
  .map((x, index) => {
    const row = index + 2
    return `<row r="${row}"><c r="A${row}" t="s"><v>${index + 3}</v></c><c r="B${row}"><v>${x}</v></c><c r="C${row}"><f>B${row}*10</f><v>${x * 10}</v></c></row>`
  })
  .join('')}`
const BOOK = zooBook({
  strings: ['n', 'x', 'y', 'a', 'b', 'c', 'd', 'e'],
  sheets: { U: ROWS, T: ROWS },
})

const set = (cell: string, value: unknown, sheet = 'U'): Operation => ({
  op: 'set_cells',
  sheet,
  cells: [{ cell, value }],
})
const on = (op: string, fields: object): Operation => ({ op, sheet: 'U', ...fields })
const B2 = set('B2', 100)
const B3 = set('B3', 50)
const DELETED = on('delete_rows', { rows: [5] })
const sorted = (range: string, by: unknown) => on('sort_range', { range, header: true, by: [by] })

/** Calls, each of several operations, and cells that they change with what these show. */
type Sequence = readonly [
  calls: readonly (readonly Operation[])[],
  shows: Readonly<Record<string, unknown>>,
]

const SEQUENCES: Readonly<Record<string, Sequence>> = {
  '1 delete_rows': [[[B2], [B3, DELETED]], { C3: 500 }],
  '2 insert_rows': [[[B2], [B3, on('insert_rows', { at: 5 })]], { C3: 500 }],
  '3 insert_rows elsewhere': [
    [[B2], [B3, { op: 'insert_rows', sheet: 'T', at: 5 }]],
    { C3: 500, C2: 1000 },
  ],
  '4 insert_columns': [[[B2], [B3, on('insert_columns', { at: 'A' })]], { D3: 500 }],
  '5 delete_columns': [[[B2], [B3, on('delete_columns', { columns: ['A'] })]], { B3: 500 }],
  '6 append_rows': [[[B2], [B3, on('append_rows', { values: [['e', 9]] })]], { C3: 500, C6: 90 }],
  '7 insert_cells': [
    [[B2], [B3, on('insert_cells', { range: 'A5:C5', shift: 'down' })]],
    { C3: 500 },
  ],
  '8 move_range': [[[B2], [B3, on('move_range', { range: 'A5:C5', to: 'A9' })]], { C3: 500 }],
  '9 move_range of a column': [
    [[B2], [B3, on('move_range', { range: 'A2:A5', to: 'H2' })]],
    { C3: 500 },
  ],
  '10 add_table': [[[B2], [B3, on('add_table', { range: 'A1:C5', name: 'Tb' })]], { C3: 500 }],
  '11 fill first': [
    [[B2], [on('fill', { range: 'D2:D5', formula: 'C2+1' }), B3, DELETED]],
    { C3: 500, D3: 501 },
  ],
  '12 an earlier edit elsewhere': [[[set('B2', 100, 'T')], [B3, DELETED]], { C3: 500 }],
  '13 moved first': [[[B2], [DELETED, B3]], { C3: 500 }],
  '14 in two calls': [[[B2], [B3], [DELETED]], { C3: 500 }],
  '15 no earlier call': [[[B3, DELETED]], { C3: 500 }],
  '16 an earlier look': [
    [[{ op: 'set_style', sheet: 'T', range: 'A1', style: 'bold' }], [B3, DELETED]],
    { C3: 500 },
  ],
  '17 sort_range': [[[B2], [B3, sorted('A1:B5', 'A')]], { C3: 500 }],
  '17 sort_range with the formulas': [
    [[B2], [B3, sorted('A1:C5', { column: 'A', descending: true })]],
    { C4: 500, C5: 1000 },
  ],
  '18 remove_duplicates': [
    [[B2], [B3, on('remove_duplicates', { range: 'A1:B5', header: true, columns: ['B'] })]],
    { C3: 500 },
  ],
  '19 rename_sheet': [[[B2], [B3, { op: 'rename_sheet', sheet: 'T', new_name: 'Q' }]], { C3: 500 }],
  '19 delete_sheet': [[[B2], [B3, { op: 'delete_sheet', sheet: 'T' }]], { C3: 500 }],
  '19 merge_cells': [[[B2], [B3, on('merge_cells', { range: 'E1:F1' })]], { C3: 500 }],
}

function opened(): XlsxDocument {
  return unwrap(XlsxDocument.open(BOOK, NAME, evaluator))
}

function textOf(document: XlsxDocument): string {
  return unwrap(document.read({ sheet: 'U' }, { maxBytes: 100_000 })).text
}

/** What single cells show, in the document as it is and in its file. */
function shownIn(document: XlsxDocument, cells: readonly string[]): unknown[] {
  return cells.map(cell => {
    const reading = document.read({ sheet: 'U', range: cell }, { maxBytes: 10_000 })
    return reading.ok ? (reading.value.fields.cells as { value: unknown }[])[0]?.value : undefined
  })
}

function inCalls(calls: readonly (readonly Operation[])[]): LoggedOperation[][] {
  return calls.map((operations, index) => logged(operations, `tc_${index + 1}`))
}

describe('what a session shows is what a new one would', () => {
  test.each(Object.entries(SEQUENCES))('%s', (_, [calls, shows]) => {
    const live = opened()
    const logs = inCalls(calls)
    for (const [index, log] of logs.entries()) {
      unwrap(live.apply(log))
      const fresh = opened()
      unwrap(fresh.apply(logs.slice(0, index + 1).flat()))
      expect(textOf(live)).toBe(textOf(fresh))
    }
    expect(shownIn(live, Object.keys(shows))).toEqual(Object.values(shows))
    const saved = toBytes(unwrap(live.content()), BOOK)
    const published = unwrap(XlsxDocument.open(saved, NAME, evaluator))
    expect(textOf(published)).toBe(textOf(live))
  })
})

/** Values that operations look at: those that the draft shows, whatever the file stores. */
const HISTORIES: Readonly<Record<string, readonly (readonly Operation[])[]>> = {
  'in a call before': [[B2, B3], []],
  'in the same call': [[B2, B3]],
  'after an edit of another sheet': [[set('B2', 100, 'T')], [B2, B3]],
  'after cells moved': [[B2, B3, { op: 'insert_rows', sheet: 'T', at: 2 }], []],
  'where the formulas are of this draft': [
    [B2, B3, on('fill', { range: 'C2:C5', formula: 'B2*10' })],
  ],
}

function after(history: readonly (readonly Operation[])[], operation: Operation): XlsxDocument {
  const document = opened()
  const calls = [...history.slice(0, -1), [...history.at(-1)!, operation]]
  for (const log of inCalls(calls)) unwrap(document.apply(log))
  // nor is what was accepted ever refused by a replay, with an evaluator or without one
  expect(faultsOf(document, BOOK, inCalls(calls).flat(), IS_EXACT)).toEqual([])
  return document
}

const names = (document: XlsxDocument) =>
  shownIn(document, ['A2', 'A3', 'A4', 'A5']).filter(name => name !== undefined && name !== null)

describe.each(Object.entries(HISTORIES))(
  'operations look at what the draft shows, %s',
  (_, history) => {
    test('copy_range copies the values', () => {
      const copied = after(history, on('copy_range', { range: 'C2:C5', to: 'E2', what: 'values' }))
      expect(shownIn(copied, ['E2', 'E3', 'E4', 'E5'])).toEqual([1000, 500, 30, 10])
    })

    test('delete_rows where', () => {
      const above = (limit: number) => on('delete_rows', { where: { column: 'C', above: limit } })
      expect(names(after(history, above(400)))).toEqual(['c', 'd'])
      expect(names(after(history, above(25)))).toEqual(['d'])
    })

    test('remove_duplicates', () => {
      const columns = ['C']
      const left = after(
        history,
        on('remove_duplicates', { range: 'A1:C5', header: true, columns }),
      )
      expect(names(left)).toEqual(['a', 'b', 'c', 'd'])
    })

    test('auto_filter', () => {
      const filters = { C: { above: 400 } }
      const document = after(history, on('auto_filter', { range: 'A1:C5', filters }))
      const { fields } = unwrap(document.read({ sheet: 'U' }, { maxBytes: 10_000 }))
      expect(JSON.stringify(fields)).toContain('"4-5"')
    })

    test('sort_range', () => {
      expect(names(after(history, sorted('A1:C5', 'C')))).toEqual(['d', 'c', 'b', 'a'])
    })
  },
)

describe('what else looks at values', () => {
  const HEADER = set('G1', { formula: '"x"&B2' })

  test('a series goes on from what its first cells show', () => {
    const first = set('G2', { formula: 'C2' })
    const filled = after([[B2], [first]], on('fill', { range: 'G2:G4', series: { by: 5 } }))
    expect(shownIn(filled, ['G2', 'G3', 'G4'])).toEqual([1000, 1005, 1010])
  })

  test('a table takes its headers as they show', () => {
    const table = on('add_table', { range: 'G1:G3', name: 'Tb' })
    expect(shownIn(after([[HEADER], [B2]], table), ['G1'])).toEqual(['x100'])
  })

  test('rows are found and appended by headers as they show', () => {
    const where = { column: 'x100', above: 2 }
    const range = 'G1:G3'
    const values = on('set_range', { start: 'G2', values: [[1], [3]] })
    const found = after([[HEADER, values], [B2]], on('delete_rows', { range, where }))
    expect(names(found)).toEqual(['a', 'c', 'd'])
    const records = [{ x100: 7 }]
    const appended = after([[HEADER, values], [B2]], on('append_rows', { range, records }))
    expect(shownIn(appended, ['G4'])).toEqual([7])
  })

  test('a list of allowed values is the one that shows', () => {
    const list = on('data_validation', { range: 'H1', type: 'list', source: '$C$2:$C$5' })
    const warned = (value: number) => {
      const document = after([[B2]], list)
      return unwrap(document.apply(logged([set('H1', value)], 'later'))).warnings.join()
    }
    expect(warned(1000)).toBe('')
    expect(warned(10)).toBe('')
    expect(warned(11)).toContain('It allows 1000, 20, 30, 10')
  })

  test('a trace shows what the cells show', () => {
    const traced = after([[B2]], set('G2', { formula: 'C2+1' }))
    const region = { sheet: 'U', range: 'G2', trace: 'precedents' } as const
    expect(unwrap(traced.read(region, { maxBytes: 10_000 })).text).toContain('U!C2 1000 {=B2*10}')
  })
})

test('a value that is not known is named with the reason and with what would work', () => {
  const document = opened()
  const unknown = set('C4', { formula: 'INFO("osversion")' })
  const answers = [
    on('copy_range', { range: 'C2:C5', to: 'E2', what: 'values' }),
    on('delete_rows', { where: { column: 'C', above: 1 } }),
    sorted('A1:C5', 'C'),
    on('auto_filter', { range: 'A1:C5', filters: { C: { above: 1 } } }),
    on('remove_duplicates', { range: 'A1:C5', header: true, columns: ['C'] }),
    on('add_pivot', { source: 'A1:C5', rows: ['n'], values: [{ field: 'y' }], cell: 'H1' }),
  ].map(operation => document.apply(logged([unknown, operation])))
  for (const answer of answers) {
    const said = answer.ok ? '' : answer.failure.message
    expect(said).toMatch(/U!C4 is a formula without a known value \(it has INFO.*\), so .*; \w+/)
  }
})

test('call --lines shows them, and so does the next process', async () => {
  const all = Object.entries(SEQUENCES).map(([title, [calls]], index) => ({
    title,
    path: `s${index}.xlsx`,
    calls,
  }))
  const box = sandbox(Object.fromEntries(all.map(({ path }) => [path, Buffer.from(BOOK)])))
  const read = (path: string) => ({ tool: 'read_file', arguments: { path, sheet: 'U' } })
  const reads = all.map(({ path }) => read(path))
  const edits = all.flatMap(({ path, calls }) =>
    calls.map(operations => ({ tool: 'xlsx_operations', arguments: { path, operations } })),
  )
  const run = async (lines: readonly object[]) => {
    const input = lines.map(line => `${JSON.stringify(line)}\n`).join('')
    const { stdout } = await box.run(['call', '--lines', '--yes'], { input })
    const answers = stdout.trim().split('\n')
    return answers.slice(-reads.length).map(line => JSON.stringify(JSON.parse(line).result.cells))
  }
  const live = await run([...edits, ...reads])
  const fresh = await run(reads)
  expect(all.filter((_, index) => live[index] !== fresh[index]).map(own => own.title)).toEqual([])
  expect(live.every(cells => cells !== undefined)).toBe(true)
})
