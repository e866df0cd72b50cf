import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { buildZip } from '../../packages/documents/src/opc/zip.contract.ts'
import type { Envelope, Served } from './busy-client.ts'

/** What a file, a folder or a model can make expensive. */
export interface ExpensiveInput {
  readonly name: string
  /** Beside the files that all share. */
  readonly files?: Readonly<Record<string, () => string | Uint8Array>>
  readonly run: (served: Served) => Promise<Envelope>
}

const MB = 1024 * 1024

/** Files that many inputs work on. */
export const SHARED: Readonly<Record<string, () => string | Uint8Array>> = {
  'letter.txt': () => 'a'.repeat(10 * MB),
  'letters.txt': () => 'a\n'.repeat(2 * MB),
  'lines.txt': () => 'a line of text, and its words\n'.repeat(300_000),
  'others.txt': () => Array.from({ length: 200_000 }, (_, i) => `line ${i * 7919}\n`).join(''),
  'mid.txt': () => 'some words in a line of text\n'.repeat(9_000),
  'small.csv': () => 'a,b\n1,2\n',
}

const edit = (path: string, edits: readonly object[]) => (served: Served) =>
  served.call('edit_text_file', { path, edits })
const patch = (path: string, changes: () => readonly object[]) => async (served: Served) => {
  const read = await served.call('workspace_read_file', { path, maxBytes: 1 })
  if (!read.success) return read
  const { file } = read
  const files = [{ docPath: path, originalSha256: file.version, changes: changes() }]
  return served.call('workspace_write_patch', { files })
}
const times = <Each>(count: number, make: (i: number) => Each) =>
  Array.from({ length: count }, (_, i) => make(i))

const SEARCHES: readonly ExpensiveInput[] = [
  ...[1_000, 30_000, 300_000, 2_000_000].flatMap(length => [
    {
      name: `an edit that seeks ${length} letters in 10 MB of them`,
      run: edit('letter.txt', [{ search: 'a'.repeat(length), replace: 'b' }]),
    },
    {
      name: `an edit that seeks ${length} letters and another one`,
      run: edit('letter.txt', [{ search: `b${'a'.repeat(length)}`, replace: 'b' }]),
    },
    {
      name: `an edit of every ${length} letters`,
      run: edit('letter.txt', [{ search: 'a'.repeat(length), replace: 'b', all: true }]),
    },
  ]),
  ...[100, 30_000, 300_000].flatMap(count => [
    {
      name: `an edit that seeks ${count} equal lines`,
      run: edit('letters.txt', [{ search: 'a\n'.repeat(count), replace: 'b' }]),
    },
    {
      name: `an edit that seeks ${count} equal lines and another one`,
      run: edit('letters.txt', [{ search: `${'a\n'.repeat(count)}b`, replace: 'b' }]),
    },
  ]),
  {
    name: 'an edit that seeks lines like none',
    run: edit('others.txt', [{ search: 'lane 1\n'.repeat(5_000), replace: '' }]),
  },
  {
    name: 'more places than one call changes',
    run: edit('letter.txt', [{ search: 'a', replace: 'b', all: true }]),
  },
  {
    name: 'many places in a draft',
    run: edit('mid.txt', [{ search: 'o', replace: '0', all: true }]),
  },
  {
    name: 'thousands of edits that fit nothing',
    run: edit(
      'mid.txt',
      times(5_000, i => ({ search: `nothing ${i}`, replace: 'x' })),
    ),
  },
  {
    name: 'edits of the text that each one made',
    run: edit(
      'letters.txt',
      times(200, i => ({ search: `${i}`.padStart(40, 'a'), replace: 'b', all: true })),
    ),
  },
  {
    name: 'a replacement that grows',
    run: edit(
      'small.txt',
      times(12, () => ({ search: 'e', replace: 'e'.repeat(20), all: true })),
    ),
  },
  {
    name: 'a patch by search and replace',
    run: served =>
      served.call('workspace_edit_file', {
        path: 'lines.txt',
        edits: [{ search: 'a'.repeat(50_000), replace: '' }],
      }),
  },
]

const READS: readonly ExpensiveInput[] = [
  {
    name: 'a read of 300 MB',
    files: { '300.txt': () => Buffer.alloc(300 * MB, 'a line of a long file here\n') },
    run: served => served.call('workspace_read_file', { path: '300.txt' }),
  },
  {
    name: 'twelve reads of 300 MB at once',
    run: async served => {
      const read = () => served.call('workspace_read_file', { path: '300.txt' })
      return (await Promise.all(times(12, read)))[0]
    },
  },
  {
    name: 'a page of 300 MB',
    run: served => served.call('read_file', { path: '300.txt', line_start: 9_000_000 }),
  },
  {
    name: 'a map of 300 MB',
    run: served => served.call('get_file_info', { path: '300.txt' }),
  },
  {
    name: 'a line of 600 MB',
    files: { 'line.txt': () => Buffer.alloc(600 * MB, 'a') },
    run: served => served.call('workspace_read_file', { path: 'line.txt' }),
  },
  {
    name: 'one line of 10 MB',
    run: served => served.call('workspace_read_file', { path: 'letter.txt' }),
  },
  {
    name: 'text of an old encoding',
    files: {
      'old.txt': () => Buffer.from(times(5 * MB, i => (i % 41 ? 0xa0 + ((i * 7) % 90) : 10))),
    },
    run: served => served.call('workspace_read_file', { path: 'old.txt', lineCount: 10 }),
  },
  {
    name: 'an edit of text in two-byte characters',
    files: { 'sjis.txt': () => Buffer.alloc(MB, Buffer.from([0x93, 0xfa, 0x96, 0x7b])) },
    run: edit('sjis.txt', [{ search: '日本'.repeat(50), replace: 'x', all: true }]),
  },
  {
    name: 'nothing but line ends',
    files: { 'ends.txt': () => '\n'.repeat(10 * MB) },
    run: served => served.call('workspace_read_file', { path: 'ends.txt' }),
  },
  {
    name: 'brackets in brackets',
    files: { 'nest.json': () => '['.repeat(2 * MB) + ']'.repeat(2 * MB) },
    run: served => served.call('get_file_info', { path: 'nest.json' }),
  },
  {
    name: 'a table of one row',
    files: { 'wide.csv': () => `${'x,'.repeat(MB)}y\n` },
    run: served => served.call('get_file_info', { path: 'wide.csv' }),
  },
]

const PATTERNS: readonly ExpensiveInput[] = [
  ['a repeat in a repeat', '^(a+)+b$', true],
  ['choices in a repeat', '(a|a|aa)*c', true],
  ['a look-ahead at every place', '(?=(a*))\\1b', true],
  ['back references', '(a*)(a*)(a*)\\1\\2\\3b', true],
  ['a long plain search', 'a'.repeat(900), false],
  ['a pattern that never ends', '(', true],
].map(([name, query, regex]) => ({
  name: `search: ${name}`,
  run: (served: Served) =>
    served.call('search_files', { query, ...(regex ? { regex: true } : {}) }),
}))

const WRITES: readonly ExpensiveInput[] = [
  {
    name: 'a text of five million lines',
    run: served =>
      served.call('write_text_file', { path: 'new.txt', content: 'x\n'.repeat(5 * MB) }),
  },
  {
    name: 'a text of one long line',
    run: served =>
      served.call('write_text_file', { path: 'one.txt', content: 'x'.repeat(10 * MB) }),
  },
  {
    name: 'a text over the limit',
    run: served => served.call('write_text_file', { path: 'n.txt', content: 'x'.repeat(11 * MB) }),
  },
  {
    name: 'every line of a long text replaced',
    run: served =>
      served.call('write_text_file', { path: 'others.txt', content: 'other\n'.repeat(400_000) }),
  },
  {
    name: 'a created file at its limit',
    run: served =>
      served.call('workspace_create_file', { path: 'made.txt', content: 'y'.repeat(10 * MB) }),
  },
  {
    name: 'a patch of ten thousand places',
    run: patch('letters.txt', () =>
      times(10_000, i => ({ operation: 'insert', afterLine: i, newLines: ['x'] })),
    ),
  },
  {
    name: 'a patch that fits nowhere',
    run: patch('letters.txt', () =>
      times(5_000, i => ({
        operation: 'replace',
        startLine: 2 * i + 1,
        endLine: 2 * i + 1,
        expectedOriginalLines: ['zz'],
        newLines: ['x'],
      })),
    ),
  },
  {
    name: 'a patch with one block that comes nearest nowhere',
    run: patch('others.txt', () => [
      {
        operation: 'replace',
        startLine: 1,
        endLine: 20_000,
        expectedOriginalLines: times(20_000, i => `lane ${i}`),
        newLines: ['x'],
      },
    ]),
  },
  {
    name: 'a patch that adds half a million lines',
    run: patch('lines.txt', () => [
      { operation: 'insert', afterLine: 0, newLines: times(500_000, () => 'n') },
    ]),
  },
  {
    name: 'a patch as a diff of many hunks',
    run: served =>
      served.call('workspace_write_patch', {
        files: [{ docPath: 'letters.txt', diff: '@@ -1,2 +1,2 @@\n a\n-a\n+b\n'.repeat(2_000) }],
      }),
  },
  {
    name: 'a draft of a long text, reviewed',
    run: async served => {
      const session = await served.newSession()
      const edits = [{ search: 'line of', replace: 'row of' }]
      await served.call(
        'edit_text_file',
        { path: 'mid.txt', edits: [{ ...edits[0], all: true }] },
        session,
      )
      const review = await served.ask('GET', '/review')
      return review.draft ? { success: true, message: 'The draft was reviewed.' } : review
    },
  },
]

const ARGUMENTS: readonly ExpensiveInput[] = [
  ['a hundred thousand keys', Object.fromEntries(times(100_000, i => [`k${i}`, i]))],
  ['a path of three megabytes', { path: 'x'.repeat(3 * MB) }],
  ['a path of a hundred thousand folders', { path: `${'a/'.repeat(100_000)}x` }],
  ['a list of wrong entries', { path: 'small.txt', edits: times(500_000, () => 1) }],
  ['a list of empty entries', { path: 'small.txt', edits: times(200_000, () => ({})) }],
  ['a text that is nearly JSON', { path: 'small.txt', edits: '['.repeat(3 * MB) }],
  ['wrong entries, as many as are looked at', { path: 'a', edits: times(240_000, () => 1) }],
  ['empty entries, as many as are looked at', { path: 'a', edits: times(90_000, () => ({})) }],
].map(([name, args]) => ({
  name: `arguments: ${name}`,
  run: (served: Served) => served.call('edit_text_file', args),
}))

const UNKNOWN_NAMES: ExpensiveInput = {
  name: 'a hundred thousand unknown operations',
  run: (served: Served) =>
    served.call('describe_operations', {
      tool: 'xlsx_operations',
      operations: times(100_000, i => `no_such_operation_${i}`),
    }),
}

const operate = (tool: string, operations: () => readonly object[]) => (served: Served) =>
  served.call(tool, { path: 'small.xlsx', operations: operations() })

const BODIES: readonly ExpensiveInput[] = [
  {
    name: 'a body of twenty million lists',
    run: served =>
      served.send(
        '/sessions/x/calls',
        `{"tool":"read_file","arguments":[${'[],'.repeat(20 * MB)}[]]}`,
      ),
  },
  {
    name: 'a body of brackets',
    run: served => served.send('/sessions/x/calls', '['.repeat(60 * MB)),
  },
  {
    name: 'a tool with a name of three megabytes',
    run: served => served.call('x'.repeat(3 * MB), {}),
  },
  {
    name: 'operations that do not exist',
    run: operate('xlsx_operations', () => times(80_000, () => ({ op: 'nothing' }))),
  },
  {
    name: 'operations without a name',
    run: operate('docx_operations', () => times(80_000, () => ({}))),
  },
  {
    name: 'rows that are no rows',
    run: operate('xlsx_operations', () => [
      { op: 'set_range', sheet: 'Sales', start: 'A1', values: times(240_000, () => 1) },
    ]),
  },
  {
    name: 'a patch of nine thousand files that do not exist',
    run: served =>
      served.call('workspace_write_patch', {
        files: times(9_000, i => ({
          docPath: `none/${i}`,
          originalSha256: '12345678',
          changes: [{ operation: 'insert', afterLine: 0, newLines: ['x'] }],
        })),
      }),
  },
  {
    name: 'a patch of lines that are no text',
    run: patch('lines.txt', () => [
      { operation: 'insert', afterLine: 0, newLines: times(240_000, () => 1) },
    ]),
  },
]

const CELLS = 100_000
const sheet = (rows: string, more = '') =>
  zooBook({ sheets: { S: rows }, ...(more && { parts: {} }) })
const WORKBOOKS: readonly ExpensiveInput[] = [
  {
    name: 'a workbook of many rows',
    files: {
      'rows.xlsx': () =>
        sheet(times(CELLS, i => `<row r="${i + 1}"><c r="A${i + 1}"><v>1</v></c></row>`).join('')),
    },
    run: served => served.call('get_file_info', { path: 'rows.xlsx' }),
  },
  {
    name: 'every cell of a workbook changed',
    run: served =>
      served.call('xlsx_operations', {
        path: 'rows.xlsx',
        operations: [{ op: 'set_range', sheet: 'S', start: 'B1', values: times(50_000, i => [i]) }],
      }),
  },
  {
    name: 'formulas that each sum all',
    run: served =>
      served.call('xlsx_operations', {
        path: 'sums.xlsx',
        create_if_missing: true,
        operations: [
          {
            op: 'set_range',
            sheet: 'Sheet1',
            start: 'A1',
            values: times(3_000, i => [i, `=SUM(A1:A3000)`]),
          },
        ],
      }),
  },
  {
    name: 'a bomb of zeros',
    files: {
      'zeros.xlsx': () =>
        buildZip([
          { name: '[Content_Types].xml', data: '<Types/>' },
          { name: 'xl/worksheets/sheet1.xml', data: ' '.repeat(64 * MB) },
        ]),
    },
    run: served => served.call('read_file', { path: 'zeros.xlsx' }),
  },
  {
    name: 'a workbook of unclosed elements',
    files: { 'open.xlsx': () => sheet('<row r="1">'.repeat(CELLS)) },
    run: served => served.call('read_file', { path: 'open.xlsx' }),
  },
  {
    name: 'a workbook that is no zip',
    files: { 'no.xlsx': () => Buffer.alloc(20 * MB, 'PK\x03\x04') },
    run: served => served.call('read_file', { path: 'no.xlsx' }),
  },
]

const FOLDERS: readonly ExpensiveInput[] = [
  {
    name: 'twenty thousand ignore rules',
    files: { '.gitignore': () => times(20_000, i => `**/*a*b*c${i}*d*`).join('\n') },
    run: served => served.call('workspace_list_files', {}),
  },
  {
    name: 'an ignore rule of stars',
    files: { 'deep/.gitignore': () => `${'*a'.repeat(2_000)}b\n`, 'deep/aaaa.txt': () => 'x' },
    run: served => served.call('list_files', { pattern: `${'*a'.repeat(400)}b` }),
  },
]

export const EXPENSIVE_INPUTS: readonly ExpensiveInput[] = [
  ...SEARCHES,
  ...READS,
  ...PATTERNS,
  ...WRITES,
  ...ARGUMENTS,
  UNKNOWN_NAMES,
  ...BODIES,
  ...WORKBOOKS,
  ...FOLDERS,
]
