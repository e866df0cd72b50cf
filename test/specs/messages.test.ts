import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Answer, type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const CREATE = 'workspace_create_file'
const READ = 'workspace_read_file'
const SALES = readFileSync(join(import.meta.dirname, '../../sample/data/sales.xlsx'))
const FILES = {
  'a.txt': 'one\ntwo\nthree\n',
  'Notes/Todo.md': 'x\n',
  'sales.xlsx': SALES,
  '.env': 'KEY=1\n',
}

interface Row {
  readonly call: readonly [tool: string, input: object]
  /** What could not be done. */
  readonly failed: string
  /** What was found. */
  readonly state: string
  /** What would work. */
  readonly advice: string
  /** Does what the advice says; it must succeed, and at once. */
  readonly next: (product: Embedded, refused: Answer) => Promise<Answer>
}

/** A call that the message names, with what it says. */
const then = (tool: string, input: object) => (product: Embedded) => product.call(tool, input)

const deleteFirst = {
  operation: 'delete',
  startLine: 1,
  endLine: 1,
  expectedOriginalLines: ['one'],
}

const ROWS: readonly Row[] = [
  {
    call: [CREATE, { path: 'a.txt', content: 'x' }],
    failed: 'Nothing was written: "a.txt"',
    state: 'exists (version b6285c57, 14 bytes) and overwrite is false',
    advice: 'send the same call with overwrite: true',
    next: then(CREATE, { path: 'a.txt', content: 'x', overwrite: true }),
  },
  {
    call: [CREATE, { path: '../a.txt', content: 'x' }],
    failed: 'Nothing was written: cannot use the path "../a.txt"',
    state: 'it climbs out',
    advice: 'Use a path relative to the workspace root, such as "src/app.ts"',
    next: then(CREATE, { path: 'src/app.ts', content: 'x' }),
  },
  {
    call: [CREATE, { path: 'a.txt/b.txt', content: 'x' }],
    failed: 'the folder "a.txt" cannot be made',
    state: 'a file has that name',
    advice: 'Use another folder',
    next: then(CREATE, { path: 'b/b.txt', content: 'x' }),
  },
  {
    call: [CREATE, { path: 'report.xlsx', content: 'x' }],
    failed: 'Nothing was written: "report.xlsx"',
    state: 'is a spreadsheet; text cannot be written to it',
    advice: 'a name that ends in .md, .txt or .csv',
    next: then(CREATE, { path: 'report.csv', content: 'x' }),
  },
  {
    call: [CREATE, { path: '.env', content: 'KEY=2\n', overwrite: true }],
    failed: 'Nothing was written: ".env"',
    state: 'may hold keys or passwords',
    advice: 'a person can allow it with: filewright rules add --effect write --path .env',
    async next(product) {
      await product.ask('addRule', { body: { effect: 'write', path: '.env' } })
      return product.call(CREATE, { path: '.env', content: 'KEY=2\n', overwrite: true })
    },
  },
  {
    call: [READ, { path: 'todo.md' }],
    failed: "File 'todo.md'",
    state: 'is neither active nor in the source store',
    advice: 'Similar: Notes/Todo.md',
    next: then(READ, { path: 'Notes/Todo.md' }),
  },
  {
    call: [READ, { path: 'a.txt', lineStart: 9 }],
    failed: "Cannot read line 9 of 'a.txt'",
    state: 'it has 3 lines',
    advice: 'omit lineStart to read from the first',
    next: then(READ, { path: 'a.txt' }),
  },
  {
    call: [READ, { path: 'sales.xlsx' }],
    failed: "Cannot read 'sales.xlsx' as text",
    state: 'it is a binary file of',
    advice: 'read_file and get_file_info of the workshop toolset read office files',
    next: then('read_file', { path: 'sales.xlsx' }),
  },
  {
    call: ['read_file', { path: 'sales.xlsx', sheet: 'Sale' }],
    failed: 'Cannot read sheet "Sale"',
    state: 'the sheets are',
    advice: 'Sales, Summary',
    next: then('read_file', { path: 'sales.xlsx', sheet: 'Summary' }),
  },
  {
    call: ['edit_text_file', { path: 'a.txt', edits: [{ search: 'twoo', replace: '2' }] }],
    failed: 'Nothing was written: edits[0].search',
    state: 'the file does not contain exactly this text. The nearest lines are:\n2|two',
    advice: 'Copy the text exactly',
    next: then('edit_text_file', { path: 'a.txt', edits: [{ search: 'two', replace: '2' }] }),
  },
  {
    call: ['file_operations', { operations: [{ op: 'copy', from: 'a.txt', to: 'notes/todo.md' }] }],
    failed: 'Nothing was written: operation 1 (copy) failed',
    state: '"Notes/Todo.md" already exists',
    advice: 'choose another name',
    next: then('file_operations', { operations: [{ op: 'copy', from: 'a.txt', to: 'b.txt' }] }),
  },
  {
    call: ['file_operations', { operations: [{ op: 'delete', path: 'notes' }] }],
    failed: 'Nothing was written: operation 1 (delete) failed',
    state: '"Notes" is a folder',
    advice: 'Name each file in it: Notes/Todo.md',
    next: then('file_operations', { operations: [{ op: 'delete', path: 'Notes/Todo.md' }] }),
  },
  {
    call: [
      'workspace_write_patch',
      { files: [{ docPath: 'a.txt', originalSha256: '00000000', changes: [deleteFirst] }] },
    ],
    failed: 'Nothing was written: files[0].originalSha256',
    state: 'The file is at version b6285c57',
    advice: '"corrected"',
    next: (product, { corrected }) => product.call('workspace_write_patch', corrected),
  },
]

for (const { call, failed, state, advice, next } of ROWS)
  verifies(
    'CONTRACT §3 message says three things',
    `${call[0]} ${JSON.stringify(call[1])}: what failed, how things stand, and a next call that succeeds`,
    async () => {
      const product = await embedded(FILES)
      const refused = await product.call(...call)
      expect(refused.success).toBe(false)
      for (const part of [failed, state, advice]) expect(refused.message).toContain(part)
      expect(await next(product, refused)).toMatchObject({ success: true })
    },
  )
