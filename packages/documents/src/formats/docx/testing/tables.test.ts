import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { docxFormat } from '../format.ts'
import { canonical } from './canonical.contract.ts'
import {
  bodyAfter,
  logged,
  NAME,
  openZoo,
  p,
  r,
  saved,
  table,
  zooDocument,
} from './zoo.contract.ts'

const track = { author: 'Ann' }
const SIMPLE = `${p('Before.')}${table(['Name', 'Sum'], ['Ann', '12'], ['Bob', '30'])}${p('After.')}`
const spanned = (span: number, text: string) =>
  `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr>${p(text)}</w:tc>`
const merged = (value: string, text: string) =>
  `<w:tc><w:tcPr><w:vMerge${value}/></w:tcPr>${p(text)}</w:tc>`
/** Row 1: a cell across two columns. Rows 2 and 3: a cell down two rows. */
const MERGED = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid><w:tr>${spanned(2, 'Across')}</w:tr><w:tr>${merged(' w:val="restart"', 'Down')}<w:tc>${p('x')}</w:tc></w:tr><w:tr>${merged('', '')}<w:tc>${p('y')}</w:tc></w:tr></w:tbl>${p('End')}`

/** The rows as a query sees them. */
function rowsAfter(body: string, ...operations: readonly Operation[]) {
  const { document, bytes } = openZoo({ body })
  unwrap(document.apply(logged(operations)))
  const tables = unwrap(saved(document, bytes).document.tables!())
  return tables.map(own => [...own.rows()].map(({ cells }) => cells))
}

function refusal(body: string, operation: Operation, settings = ''): string {
  const applied = openZoo({ body, settings }).document.apply(logged([operation]))
  return applied.ok ? 'done' : applied.failure.message
}

describe('values', () => {
  test('a block goes from its first cell on, and null leaves a cell', () => {
    const values = [
      ['Anna', null],
      ['Bert', 31],
    ]
    expect(rowsAfter(SIMPLE, { op: 'set_table', table: 't1', row: 2, values })).toEqual([
      [
        ['Name', 'Sum'],
        ['Anna', 12],
        ['Bert', 31],
      ],
    ])
  })

  test('a cell is named by its row and the head of its column', () => {
    const cells = [{ row: 'Bob', column: 'sum', value: 99 }]
    expect(rowsAfter(SIMPLE, { op: 'set_table', cells })[0]![2]).toEqual(['Bob', 99])
  })

  test('the look of the text and of the cell is kept', () => {
    const body = table([p(r('Total', '<w:b/>'), r(' due', '<w:i/>'))])
    const xml = bodyAfter(body, { op: 'set_table', table: 1, values: [['Total paid']] })
    expect(xml).toContain('<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Total</w:t>')
    expect(xml).toMatch(/<w:rPr><w:i\/><\/w:rPr><w:t[^>]*> ?paid<\/w:t>/)
  })

  test('merged cells are set at their top left only', () => {
    const set = (row: number, column: number) =>
      refusal(MERGED, { op: 'set_table', table: 't1', cells: [{ row, column, value: 'v' }] })
    expect(set(1, 1)).toBe('done')
    expect(set(1, 2)).toContain('merged cell at row 1, column 1')
    expect(set(3, 1)).toContain('merged cell at row 2, column 1')
  })

  test('what does not fit, is unclear or would be lost is refused', () => {
    const set = (more: object) => refusal(SIMPLE, { op: 'set_table', table: 't1', ...more })
    expect(set({ values: [[1, 2, 3]] })).toContain('insert_table_columns')
    expect(set({ row: 3, values: [[1], [2]] })).toContain('insert_table_rows')
    expect(set({ row: 'Cid', values: [[1]] })).toContain('no cell of t1 says "Cid"')
    expect(refusal(SIMPLE, { op: 'set_table', table: 't9', values: [[1]] })).toContain('are t1')
    const note = table([p('a', '<w:r><w:footnoteReference w:id="2"/></w:r>')])
    expect(refusal(note, { op: 'set_table', table: 't1', values: [['b']] })).toContain('a note')
  })
})

describe('rows', () => {
  test('look like their neighbour and are no header', () => {
    const body = table([p(r('Head', '<w:b/>'))], [p(r('Body', '<w:i/>'))])
    const xml = bodyAfter(body, {
      op: 'insert_table_rows',
      table: 't1',
      after_row: 1,
      values: ['New'],
    })
    expect(xml).toMatch(/Head[\s\S]*<w:rPr><w:i\/><\/w:rPr><w:t>New<\/w:t>[\s\S]*Body/)
  })

  test('inside a merged cell continue it, and after it do not', () => {
    const insert = (row: number) =>
      bodyAfter(MERGED, {
        op: 'insert_table_rows',
        table: 't1',
        after_row: row,
        values: [[null, 'new']],
      })
    expect(insert(2).match(/<w:vMerge/g)).toHaveLength(3)
    expect(insert(3).match(/<w:vMerge/g)).toHaveLength(2)
  })

  test('look like the neighbour that has a cell for each value', () => {
    const body = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${p('No.')}</w:tc><w:tc>${p('7')}</w:tc></w:tr><w:tr>${spanned(2, 'Across')}</w:tr></w:tbl>`
    const values = [['Phase', 'II']]
    const insert = { op: 'insert_table_rows', table: 't1', after_row: 1, values }
    expect(rowsAfter(body, insert)[0]![1]).toEqual(['Phase', 'II'])
    expect(rowsAfter(body, { ...insert, after_row: 2 })[0]![2]).toEqual(['Phase', 'II'])
  })

  test('the heir of a deleted row begins the merged cell', () => {
    const xml = bodyAfter(MERGED, { op: 'delete_table_rows', table: 't1', rows: 2 })
    expect(xml.match(/<w:vMerge[^>]*>/g)).toEqual(['<w:vMerge w:val="restart"/>'])
  })

  test('all of them are the table; bookmarks and comments stay', () => {
    const mark = '<w:bookmarkStart w:id="5" w:name="b"/><w:bookmarkEnd w:id="5"/>'
    const xml = bodyAfter(`${table([p('x', mark)])}${p('End')}`, {
      op: 'delete_table_rows',
      table: 't1',
      rows: 1,
    })
    expect(xml).toBe(`<w:p>${mark}${r('End')}</w:p>`)
  })

  test('one refused row moves no other, and what was written into it goes too', () => {
    const bytes = zooDocument({ body: SIMPLE })
    const insert = {
      op: 'insert_table_rows',
      table: 't1',
      after_row: 1,
      values: [
        ['A', 1],
        ['B', 2],
      ],
    }
    const log = logged([
      insert,
      { op: 'set_table', table: 't1', row: 2, values: [['AA'], ['BB'], ['CC']] },
    ])
    const all = unwrap(docxFormat.replay(bytes, log, new Set(), NAME))
    const first = all.changes.find(({ after }) => after?.text === 'A | 1')!
    const left = unwrap(docxFormat.replay(bytes, log, new Set([first.id]), NAME))
    const document = unwrap(docxFormat.open(toBytes(left.content, bytes), NAME))
    const [own] = unwrap(document.tables!())
    expect([...own!.rows()].map(({ cells }) => cells[0])).toEqual(['Name', 'BB', 'CC', 'Bob'])
    expect(left.dropped).toHaveLength(1)
  })
})

describe('columns', () => {
  test('are inserted with their values, and the table keeps its width', () => {
    const insert = {
      op: 'insert_table_columns',
      table: 't1',
      after_column: 'Name',
      values: ['Age', 40],
    }
    expect(rowsAfter(SIMPLE, insert)).toEqual([
      [
        ['Name', 'Age', 'Sum'],
        ['Ann', 40, 12],
        ['Bob', null, 30],
      ],
    ])
    const grid = [...bodyAfter(SIMPLE, insert).matchAll(/gridCol w:w="(\d+)"/g)].map(own =>
      Number(own[1]),
    )
    expect(grid).toEqual([1333, 1333, 1333])
  })

  test('across a merged cell widen it, or make it narrower', () => {
    const wider = bodyAfter(MERGED, { op: 'insert_table_columns', table: 't1', after_column: 1 })
    expect(wider).toContain('<w:gridSpan w:val="3"/>')
    const narrower = bodyAfter(MERGED, { op: 'delete_table_columns', table: 't1', columns: 2 })
    expect(narrower).not.toContain('gridSpan')
    expect(narrower).not.toContain('>x<')
  })
})

describe('new tables and their looks', () => {
  test('a table looks like the one before it', () => {
    const xml = bodyAfter(SIMPLE, {
      op: 'insert_table',
      after: 'After.',
      before: 'p8',
      values: [['a'], ['b']],
    })
    expect(xml.match(/<w:tblStyle w:val="TableGrid"\/>/g)).toHaveLength(2)
    expect(xml.match(/<w:tblHeader\/>/g)).toHaveLength(1)
  })

  test('a paragraph stands between two tables and after the last', () => {
    const xml = bodyAfter(table(['x']), { op: 'insert_table', after: 't1', values: [['a']] })
    expect(xml).toMatch(/<\/w:tbl><w:p\/><w:tbl>[\s\S]*<\/w:tbl><w:p\/>$/)
  })

  test('merging joins the text and keeps the grid', () => {
    const merge = {
      op: 'merge_table_cells',
      table: 't1',
      row: 2,
      column: 1,
      to_row: 3,
      to_column: 2,
    }
    const xml = bodyAfter(SIMPLE, merge)
    expect(xml).toContain('<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>')
    expect(rowsAfter(SIMPLE, merge)).toEqual([
      [
        ['Name', 'Sum'],
        ['Ann\n12\nBob\n30', null],
      ],
    ])
    expect(refusal(MERGED, { ...merge, row: 2, to_row: 2, to_column: 2 })).toContain(
      'outside the area',
    )
  })

  test('widths and shading', () => {
    const xml = bodyAfter(SIMPLE, {
      op: 'format_table',
      table: 't1',
      widths: [100, 50],
      shading: 'd9e2f3',
      rows: 1,
    })
    expect(xml).toContain('<w:gridCol w:w="2000"/><w:gridCol w:w="1000"/>')
    expect(xml.match(/<w:shd w:val="clear" w:color="auto" w:fill="D9E2F3"\/>/g)).toHaveLength(2)
  })
})

describe('tables as tracked changes', () => {
  const bytes = zooDocument({ body: SIMPLE })
  const applied = (base: Uint8Array, operation: Operation) => {
    const document = unwrap(docxFormat.open(base, NAME))
    unwrap(document.apply(logged([operation])))
    return toBytes(unwrap(document.content()), base)
  }

  test.each<[string, Operation]>([
    ['values', { op: 'set_table', table: 't1', row: 2, values: [['Anna', 13]] }],
    [
      'rows inserted',
      {
        op: 'insert_table_rows',
        table: 't1',
        after_row: 2,
        values: [
          ['C', 1],
          ['D', 2],
        ],
      },
    ],
    ['rows deleted', { op: 'delete_table_rows', table: 't1', rows: ['Ann', 3] }],
    ['all rows deleted', { op: 'delete_table_rows', table: 't1', rows: '1-3' }],
    [
      'a table inserted',
      {
        op: 'insert_table',
        after: 'p1',
        values: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      },
    ],
    ['a table at the end', { op: 'insert_table', after: 'p8', values: [['a', 'b']] }],
    ['shading', { op: 'format_table', table: 't1', shading: 'D9E2F3', columns: 2 }],
  ])('%s: rejected it is the base, accepted the plain edit', (_, operation) => {
    const edited = applied(bytes, { ...operation, track })
    expect(canonical(applied(edited, { op: 'reject_revisions' }))).toEqual(canonical(bytes))
    expect(canonical(applied(edited, { op: 'accept_revisions' }))).toEqual(
      canonical(applied(bytes, operation)),
    )
  })

  test('what has no tracked form is refused where tracking is enforced, else done with a warning', () => {
    const enforced = '<w:documentProtection w:edit="trackedChanges" w:enforcement="1"/>'
    const remove = { op: 'delete_table_columns', table: 't1', columns: 2 }
    const message = refusal(SIMPLE, remove, enforced)
    expect(message).toContain('Deleting a column has no form as a tracked change')
    const done = openZoo({ body: SIMPLE }).document.apply(logged([{ ...remove, track }]))
    expect(unwrap(done).warnings.join()).toContain('Deleting a column')
  })
})

describe('columns beside a row deleted as a tracked change', () => {
  const body = table(['a1', 'a2', 'a3'], ['b1', 'b2', 'b3']) + p('After.')
  const gone = { op: 'delete_table_rows', table: 't1', rows: 1, track: { author: 'Ann' } }
  const cellsIn = (text: string) =>
    text
      .split('<w:tr>')
      .slice(1)
      .map(row => row.match(/<w:tc>/g)?.length)

  test('go in that row too', () => {
    const text = bodyAfter(body, gone, { op: 'delete_table_columns', table: 't1', columns: 2 })
    expect(cellsIn(text)).toEqual([2, 2])
    expect(text.match(/<w:gridCol /g)).toHaveLength(2)
    expect(text).not.toContain('a2')
    expect(text).toContain('a3')
  })

  test('come in that row too', () => {
    const insert = { op: 'insert_table_columns', table: 't1', after_column: 1, values: [['new']] }
    const text = bodyAfter(body, gone, insert)
    expect(cellsIn(text)).toEqual([4, 4])
    expect(text.indexOf('new')).toBeGreaterThan(text.indexOf('a3'))
  })
})
