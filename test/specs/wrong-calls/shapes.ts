import {
  asCorrected,
  FILES,
  INVALID,
  makeBook,
  patch,
  replaceTwo,
  TWO,
  type WrongCall,
} from './wrong-call.ts'

const CHANGED_NOTES = { path: 'notes.md', changeCount: 1 }
const COPIED = { results: [{ op: 'copy', path: 'n.md' }] }

/** Arguments in the shape, or with the names, of another tool; the answer contains them as they were meant. */
export const shapes: readonly WrongCall[] = [
  edit('old and new text without a list', { old_string: 'first', new_string: '1st' }),
  edit('edits with the names of another tool', {
    edits: [{ oldText: 'first', newText: '1st' }],
  }),
  edit('old and new text under names of another tool', {
    path: undefined,
    file_path: 'notes.md',
    old_str: 'first',
    new_str: '1st',
  }),
  edit('a pair of strings', { edits: [['first', '1st']] }),
  edit('an option under another name', {
    edits: [{ search: 'first', replace: '1st', replace_all: true }],
  }),
  edit('an edit by find and with', { edits: { find: 'first', with: '1st', replaceAll: false } }),
  files('one operation without a list', { op: 'copy', from: 'notes.md', to: 'n.md' }),
  files('a copy by path and destination', {
    operations: [{ op: 'copy', path: 'notes.md', destination: 'n.md' }],
  }),
  files('a copy by words of a shell', {
    operations: [{ action: 'cp', source: 'notes.md', dest: 'n.md' }],
  }),
  cells('a map of cells', { op: 'set_cells', sheet: 'Data', cells: { B2: 7 } }),
  cells('pairs of cells', { op: 'set_cells', sheet: 'Data', cells: [['B2', 7]] }),
  {
    ...cells('a sheet named once for all operations', {}),
    args: {
      path: 'book.xlsx',
      sheet: 'Data',
      operations: [{ op: 'set_cells', cells: [{ cell: 'B2', value: 7 }] }],
    },
  },
  cells('one cell without a list', { op: 'set_cell', sheet: 'Data', cell: 'B2', value: 7 }),
  cells('one cell beside the operation', { op: 'set_cells', sheet: 'Data', cell: 'B2', value: 7 }),
  cells('cells by address', {
    op: 'set_cells',
    sheet: 'Data',
    cells: [{ address: 'B2', value: 7 }],
  }),
  cells('a formula instead of a value', {
    op: 'set_cells',
    sheet: 'Data',
    cells: [{ cell: 'B2', formula: '=3+4' }],
  }),
  cells('a range instead of its first cell', {
    op: 'set_range',
    sheet: 'Data',
    range: 'B2:B2',
    values: [[7]],
  }),
  cells('a row instead of rows', { op: 'set_range', sheet: 'Data', start: 'B2', values: [7] }),
  cells('names of another tool', {
    operation: 'write_range',
    sheet_name: 'Data',
    start_cell: 'B2',
    data: [[7]],
  }),
  cells('a new name without the old one', {
    op: 'rename_sheet',
    old_name: 'Data',
    new_name: 'Figures',
  }),
  cells('a list of widths', {
    op: 'set_column_widths',
    sheet: 'Data',
    widths: [{ column: 'A', width: 20 }],
  }),
  cells('a column to hide by a misspelt field, which alone would hide the sheet', {
    op: 'hide',
    sheet: 'Data',
    column: 'B',
  }),
  cells('rows from one to another', { op: 'hide', sheet: 'Data', rows: '5 - 7' }),
  cells('an operation by its name', { set_cells: { sheet: 'Data', cells: { B2: 7 } } }),
  cells('a value with its type', {
    op: 'set_cells',
    sheet: 'Data',
    cells: [{ cell: 'B2', value: { type: 'formula', value: '=3+4' } }],
  }),
  cells('widths as strings', { op: 'set_column_widths', sheet: 'Data', widths: { A: '20' } }),
  cells('old and new text', { op: 'find_replace', sheet: 'Data', old: 'a', new: 'b' }),
  {
    title: 'null for every field that is not meant',
    tool: 'xlsx_operations',
    before: makeBook,
    args: {
      path: 'Book.xlsx',
      copy_from: null,
      operations: [{ op: 'hide', sheet: 'Data', rows: null, columns: 'B', values: null }],
    },
    code: null,
    expected: { changeCount: 1, places: ['Data!B:B hidden'] },
  },
  {
    title: 'an operation without its list',
    tool: 'xlsx_operations',
    before: makeBook,
    args: { path: 'Book.xlsx', op: 'set_range', sheet: 'Data', start: 'B2', values: [[7]] },
    code: INVALID,
    next: asCorrected,
    expected: { path: 'Book.xlsx', changeCount: 1 },
  },
  {
    title: 'an operation that names no sheet',
    tool: 'xlsx_operations',
    before: makeBook,
    args: {
      path: 'Book.xlsx',
      operations: [{ op: 'set_cells', cells: [{ cell: 'B2', value: 7 }] }],
    },
    code: INVALID,
    next: (answer, sent) => ({
      args: { ...sent, operations: [{ ...sent.operations[0], sheet: answer.sheets[0] }] },
    }),
    expected: { path: 'Book.xlsx', changeCount: 1 },
  },
  {
    title: 'null for every field of a patch that is not meant',
    tool: 'workspace_write_patch',
    args: {
      batchLabel: null,
      ...patch([{ ...replaceTwo, afterLine: null, expectedBefore: null, description: null }], {
        fileKey: null,
        eol: null,
        finalNewline: null,
      }),
    },
    code: null,
    written: TWO,
  },
  {
    title: 'a patch in snake_case',
    tool: 'workspace_write_patch',
    args: {
      files: [
        {
          doc_path: 'src/app.ts',
          original_sha256: patch([]).files[0]!.originalSha256,
          changes: [
            {
              operation: 'replace',
              start_line: 2,
              end_line: 2,
              expected_original_lines: ['two'],
              new_lines: ['TWO'],
            },
          ],
        },
      ],
    },
    code: INVALID,
    next: asCorrected,
    written: TWO,
  },
]

function edit(title: string, args: object): WrongCall {
  return {
    title,
    tool: 'edit_text_file',
    args: { path: 'notes.md', ...args },
    code: INVALID,
    next: asCorrected,
    expected: CHANGED_NOTES,
    written: { 'notes.md': FILES['notes.md']! },
  }
}

function files(title: string, args: object): WrongCall {
  return {
    title,
    tool: 'file_operations',
    args,
    code: INVALID,
    next: asCorrected,
    expected: COPIED,
  }
}

function cells(title: string, operation: object): WrongCall {
  return {
    title,
    tool: 'xlsx_operations',
    before: makeBook,
    args: { path: 'Book.xlsx', operations: [operation] },
    code: INVALID,
    next: asCorrected,
    expected: { path: 'Book.xlsx', changeCount: 1 },
  }
}
