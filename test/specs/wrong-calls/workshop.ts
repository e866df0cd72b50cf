import {
  asCorrected,
  bySimilar,
  FILES,
  INVALID,
  makeBook,
  told,
  type WrongCall,
} from './wrong-call.ts'

export const workshop: readonly WrongCall[] = [
  {
    title: 'a sheet that is not there',
    tool: 'read_file',
    before: makeBook,
    args: { path: 'book.xlsx', sheet: 'sheet 1' },
    code: 'NO_SUCH_REGION',
    next: (answer, sent) => ({ args: { ...sent, sheet: answer.sheets[0] } }),
    expected: { path: 'Book.xlsx' },
  },
  {
    title: 'a range beyond the data',
    tool: 'read_file',
    before: makeBook,
    args: { path: 'book.xlsx', sheet: 'Data', range: 'A90:B99' },
    code: 'NO_SUCH_REGION',
    next: (answer, sent) => ({ args: { ...sent, range: answer.usedRange } }),
    expected: { path: 'Book.xlsx' },
  },
  {
    title: 'lines of a workbook',
    tool: 'read_file',
    before: makeBook,
    args: { path: 'book.xlsx', line_start: 1 },
    code: INVALID,
    next: (answer, { line_start, ...rest }) => {
      if (!answer.selectors.includes('sheet')) throw new Error(answer.message)
      return { args: rest }
    },
    expected: { path: 'Book.xlsx' },
  },
  {
    title: 'a sheet of a text file',
    tool: 'read_file',
    args: { path: 'notes.md', sheet: 'Sheet1' },
    code: INVALID,
    next: (answer, { sheet, ...rest }) => ({ args: { ...rest, [answer.selectors[0]]: 1 } }),
    expected: { content: FILES['notes.md'] },
  },
  {
    title: 'a selector in the other spelling',
    tool: 'read_file',
    args: { path: 'notes.md', lineStart: 3 },
    code: INVALID,
    next: asCorrected,
    expected: { content: 'first\nsecond\n' },
  },
  {
    title: 'lines by their first and last',
    tool: 'read_file',
    args: { path: 'notes.md', start_line: 3, end_line: 3 },
    code: INVALID,
    next: asCorrected,
    expected: { content: 'first\n' },
  },
  {
    title: 'an offset and a limit',
    tool: 'read_file',
    args: { path: 'notes.md', offset: 3, limit: 1 },
    code: INVALID,
    next: asCorrected,
    expected: { content: 'first\n' },
  },
  {
    title: 'text to be appended',
    tool: 'write_text_file',
    args: { path: 'notes.md', content: 'third\n', append: true },
    code: INVALID,
    next: (answer, { path, content }) => {
      told(answer, '"append" is not one of its arguments')
      const search = 'second\n'
      return {
        tool: 'edit_text_file',
        args: { path, edits: [{ search, replace: search + content }] },
      }
    },
    expected: { path: 'notes.md', changeCount: 1 },
  },
  {
    title: 'a first line beyond the end of the file',
    tool: 'read_file',
    args: { path: 'notes.md', line_start: 99 },
    code: 'NO_SUCH_REGION',
    next: (answer, sent) => ({ args: { ...sent, line_start: answer.lastLine } }),
    expected: { content: 'second\n' },
  },
  {
    title: 'a file that is mistyped',
    tool: 'get_file_info',
    args: { path: 'note.md' },
    code: 'NOT_FOUND',
    next: bySimilar,
    expected: { path: 'notes.md' },
  },
  {
    title: 'text that the file contains nowhere exactly',
    tool: 'edit_text_file',
    args: { path: 'src/indent.py', edits: [{ search: '  b = 2', replace: 'b = 3' }] },
    code: INVALID,
    next: (answer, sent) => {
      const line = /^\d+\|(.*)$/m.exec(answer.message)![1]!
      return { args: { ...sent, edits: [{ search: line, replace: line.replace('2', '3') }] } }
    },
    expected: { path: 'Src/indent.py', changeCount: 1 },
  },
  {
    title: 'several lines of which one differs',
    tool: 'edit_text_file',
    args: {
      path: 'src/indent.py',
      edits: [{ search: 'if x:\n  a = 1\n  b = 2\n', replace: 'pass\n' }],
    },
    code: INVALID,
    next: (answer, sent) => {
      const lines = [...answer.message.matchAll(/^\d+\|(.*)$/gm)].map(([, line]) => line)
      return { args: { ...sent, edits: [{ search: lines.join('\n'), replace: 'pass' }] } }
    },
    expected: { path: 'Src/indent.py', changeCount: 1 },
  },
  {
    title: 'text that occurs twice',
    tool: 'edit_text_file',
    args: { path: 'src/twice.txt', edits: [{ search: 'x', replace: 'y' }] },
    code: INVALID,
    next: (answer, sent) => {
      told(answer, 'all: true')
      return { args: { ...sent, edits: [{ ...sent.edits[0], all: true }] } }
    },
    expected: { path: 'Src/twice.txt', changeCount: 2 },
  },
  {
    title: 'text onto a spreadsheet name',
    tool: 'write_text_file',
    args: { path: 'totals.xlsx', content: 'Sum' },
    code: 'READ_ONLY_FORMAT',
    next: (answer, sent) => ({
      tool: /Use (\w+)/.exec(answer.message)![1]!,
      args: {
        path: sent.path,
        create_if_missing: answer.message.includes('create_if_missing: true'),
        operations: [
          { op: 'ensure_sheet', sheet: 'Totals' },
          { op: 'set_cells', sheet: 'Totals', cells: [{ cell: 'A1', value: sent.content }] },
        ],
      },
    }),
    expected: { path: 'totals.xlsx', created: true },
  },
  {
    title: 'spreadsheet operations on a text file',
    tool: 'xlsx_operations',
    args: { path: 'notes.md', operations: [{ op: 'ensure_sheet', sheet: 'A' }] },
    code: 'READ_ONLY_FORMAT',
    next: answer => ({
      tool: /or (\w+) for text/.exec(answer.message)![1]!,
      args: { path: 'notes.md', content: 'A\n' },
    }),
    expected: { path: 'notes.md' },
  },
  {
    title: 'a workbook that is not there',
    tool: 'xlsx_operations',
    args: { path: 'new.xlsx', operations: [{ op: 'ensure_sheet', sheet: 'A' }] },
    code: 'NOT_FOUND',
    next: (answer, sent) => ({
      args: {
        ...sent,
        create_if_missing: /create_if_missing: (true)/.exec(answer.message)![1] === 'true',
      },
    }),
    expected: { path: 'new.xlsx', created: true },
  },
  {
    title: 'cells of a sheet that is not there',
    tool: 'xlsx_operations',
    before: makeBook,
    args: {
      path: 'Book.xlsx',
      operations: [{ op: 'set_cells', sheet: 'Dta', cells: [{ cell: 'A1', value: 1 }] }],
    },
    code: 'NO_SUCH_REGION',
    next: (answer, sent) => ({
      args: { ...sent, operations: [{ ...sent.operations[0], sheet: answer.sheets[0] }] },
    }),
    expected: { path: 'Book.xlsx', changeCount: 1 },
  },
  {
    title: 'an operation that is misspelt',
    tool: 'xlsx_operations',
    before: makeBook,
    args: { path: 'Book.xlsx', operations: [{ op: 'add_sheet', sheet: 'More' }] },
    code: INVALID,
    next: (answer, sent) => ({
      args: {
        ...sent,
        operations: [{ ...sent.operations[0], op: /"(\w+_sheet)"/.exec(answer.message)![1] }],
      },
    }),
    expected: { path: 'Book.xlsx' },
  },
  {
    title: 'one operation instead of a list',
    tool: 'xlsx_operations',
    before: makeBook,
    args: { path: 'Book.xlsx', operations: { op: 'ensure_sheet', sheet: 'More' } },
    code: INVALID,
    next: asCorrected,
    expected: { path: 'Book.xlsx' },
  },
  {
    title: 'a copy onto a file that exists',
    tool: 'file_operations',
    args: { operations: [{ op: 'copy', from: 'notes.md', to: 'src/app.ts' }] },
    code: 'CONFLICT',
    next: (answer, sent) => {
      told(answer, 'choose another name')
      return { args: { operations: [{ ...sent.operations[0], to: 'copy of notes.md' }] } }
    },
    expected: { results: [{ path: 'copy of notes.md' }] },
  },
  {
    title: 'a move of a file that is mistyped',
    tool: 'file_operations',
    args: { operations: [{ op: 'move', from: 'note.md', to: 'docs/notes.md' }] },
    code: 'NOT_FOUND',
    next: (answer, sent) => ({
      args: { operations: [{ ...sent.operations[0], from: answer.similar[0] }] },
    }),
    expected: { results: [{ path: 'docs/notes.md' }] },
  },
  {
    title: 'a word for move that is not one',
    tool: 'file_operations',
    args: { operations: [{ op: 'rename', from: 'notes.md', to: 'n.md' }] },
    code: INVALID,
    next: (answer, sent) => ({
      args: { operations: [{ ...sent.operations[0], op: /"(move)"/.exec(answer.message)![1] }] },
    }),
    expected: { results: [{ path: 'n.md' }] },
  },
]
