import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'

type Call = readonly [tool: string, args: unknown]

/**
 * Work of every kind, as a person leaves it: run with a build, it makes what later builds must open. Each folder is a
 * workspace of its own. To say something new of future versions, add a folder here and a test beside it.
 */
export async function leaveWork(box: Sandbox): Promise<void> {
  await leaveFormats(box)
  await leaveStale(box)
  await leaveRefused(box)
  await leaveParts(box)
  await leaveUndone(box)
  await leaveWaiting(box)
  await leaveConversation(box)
}

/** Open drafts of every format, in one draft. */
async function leaveFormats(box: Sandbox): Promise<void> {
  const work = workspace(box, 'formats')
  await work.calls([
    ['write_text_file', { path: 'a.txt', content: lines(1, 9) }],
    ['write_text_file', { path: 't.csv', content: 'Name,Units\nAnn,3\nBob,5\nCid,7\n' }],
    SHEET,
    [
      'docx_operations',
      {
        path: 'd.docx',
        create_if_missing: true,
        operations: [
          {
            op: 'insert_markdown',
            markdown:
              '# Offer\n\nDear {{Name}}, the price is 10.\n\n- one\n- two\n\n| Item | Units |\n| --- | --- |\n| Nuts | 3 |\n| Bolts | 5 |\n\n# Terms\n\nThe price is final.',
          },
        ],
      },
    ],
    [
      'pptx_operations',
      {
        path: 'p.pptx',
        create_if_missing: true,
        operations: [
          { op: 'add_slide', title: 'Plans' },
          { op: 'add_slide', title: 'Goals', body: 'More\nLess' },
          {
            op: 'add_table',
            index: 1,
            values: [
              ['Item', 'Units'],
              ['Nuts', '3'],
            ],
          },
        ],
      },
    ],
  ])
  await work.published()
  await work.calls([
    [
      'edit_text_file',
      { path: 'a.txt', edits: [{ search: 'line 3\n', replace: 'LINE 3\nmore\n' }] },
    ],
    ['edit_text_file', { path: 'a.txt', edits: [{ search: 'line 7', replace: 'LINE 7' }] }],
    ['edit_text_file', { path: 't.csv', edits: [{ search: 'Bob,5', replace: 'Bob,6\nDan,8' }] }],
    [
      'xlsx_operations',
      {
        path: 's.xlsx',
        operations: [
          { op: 'set_cells', sheet: 'U', cells: [{ cell: 'B2', value: 4 }] },
          { op: 'sort_range', sheet: 'U', range: 'A1:B5', header: true, by: ['B'] },
          { op: 'insert_rows', sheet: 'U', at: 3 },
          { op: 'add_table', sheet: 'T', range: 'A1:C5', name: 'Units' },
        ],
      },
    ],
    [
      'docx_operations',
      {
        path: 'd.docx',
        operations: [
          { op: 'replace_text', search: 'price', replace: 'cost' },
          { op: 'fill_placeholders', placeholders: { Name: 'Ann' } },
          { op: 'insert_paragraph', after: 'Terms', text: 'Paid in 30 days.' },
        ],
      },
    ],
    [
      'docx_operations',
      { path: 'd.docx', operations: [{ op: 'replace_text', search: 'cost', replace: 'fee' }] },
    ],
    [
      'pptx_operations',
      {
        path: 'p.pptx',
        operations: [
          { op: 'append_bullets', index: 1, bullets: ['Even less'] },
          { op: 'replace_text', search: 'Nuts', replace: 'Bolts' },
          { op: 'duplicate_slide', index: 1 },
        ],
      },
    ],
    [
      'xlsx_operations',
      {
        path: 'copy.xlsx',
        copy_from: 's.xlsx',
        operations: [{ op: 'set_cells', sheet: 'T', cells: [{ cell: 'A9', value: 'copied' }] }],
      },
    ],
    ['file_operations', { operations: [{ op: 'copy', from: 'a.txt', to: 'b.txt' }] }],
  ])
}

/** A call that sets a cell and moves rows, after an edit of a value (findings of issue 37, V1). */
async function leaveStale(box: Sandbox): Promise<void> {
  const work = await withSheet(box, 'stale')
  await work.calls([
    ['write_text_file', { path: 'other.txt', content: 'x\n' }],
    onSheet([setB2('U')]),
    onSheet([setB3, { op: 'delete_rows', sheet: 'U', rows: [5] }]),
    ['read_file', { path: 's.xlsx', sheet: 'U' }],
  ])
}

/** A sort by results that the draft had changed: accepted, and refused by its own replay (V3). */
async function leaveRefused(box: Sandbox): Promise<void> {
  const work = await withSheet(box, 'refused')
  await work.calls([
    ['write_text_file', { path: 'other.txt', content: 'x\n' }],
    onSheet([setB2('T')]),
    onSheet([
      setB2('U'),
      setB3,
      { op: 'sort_range', sheet: 'U', range: 'A1:C5', header: true, by: ['C'] },
    ]),
  ])
}

/** Three edits, of which one is published. */
async function leaveParts(box: Sandbox): Promise<void> {
  const work = await withSheet(box, 'parts', { 'a.txt': lines(1, 9) })
  await work.calls([
    ['edit_text_file', { path: 'a.txt', edits: [{ search: 'line 2', replace: 'LINE 2' }] }],
    ['edit_text_file', { path: 'a.txt', edits: [{ search: 'line 8', replace: 'LINE 8' }] }],
    onSheet([setB2('U'), setB3]),
  ])
  const { changes } = JSON.parse((await work.run(['review', '--json'])).stdout)
  const named = changes.filter(({ place }: { place: string }) => /line 2|U!B2/.test(place))
  expect(named).toHaveLength(2)
  await work.run(['publish', '--yes', '--only', ...named.map(({ id }: { id: string }) => id)])
}

/** Published twice, and undone once. */
async function leaveUndone(box: Sandbox): Promise<void> {
  const work = await withSheet(box, 'undone', { 'a.txt': 'one\n' })
  for (const [from, to] of [
    ['one', 'two'],
    ['two', 'three'],
  ]) {
    await work.calls([
      ['edit_text_file', { path: 'a.txt', edits: [{ search: from, replace: to }] }],
      onSheet([{ op: 'set_cells', sheet: 'U', cells: [{ cell: 'A2', value: to }] }]),
    ])
    await work.published()
  }
  await work.run(['undo'])
}

/** Two questions that wait for a person, and rules. */
async function leaveWaiting(box: Sandbox): Promise<void> {
  const work = workspace(box, 'waiting', { 'a.txt': 'a\n' })
  for (const path of ['first.md', 'second.md']) {
    const asked = await work.run(
      ['call', 'workspace_create_file', JSON.stringify({ path, content: `# ${path}\n` })],
      9,
    )
    expect(JSON.parse(asked.stdout)).toMatchObject({ pending: true })
  }
  await work.run(['rules', 'add', '--effect', 'write', '--path', 'docs/**'])
  await work.run(['rules', 'add', '--effect', 'deny', '--path', 'secret/**'])
}

/** A conversation with a model, and its open draft. */
async function leaveConversation(box: Sandbox): Promise<void> {
  const work = workspace(box, 'conversation', { 'notes.txt': 'old\n' })
  const edits = [{ search: 'old', replace: 'new' }]
  const model = await fakeModel([
    {
      text: 'I change it.',
      calls: [{ name: 'edit_text_file', arguments: { path: 'notes.txt', edits } }],
    },
    { text: 'Done: it is new.' },
  ])
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_API_KEY: 'no-key' }
  await work.run(['run', 'Make it new.', '--model', 'fake', '--publish', 'never'], 0, env)
}

const SHEET: Call = [
  'xlsx_operations',
  {
    path: 's.xlsx',
    create_if_missing: true,
    operations: [
      { op: 'rename_sheet', sheet: 'Sheet1', to: 'U' },
      {
        op: 'set_range',
        sheet: 'U',
        start: 'A1',
        formulas: true,
        values: [
          ['n', 'x', 'y'],
          ['a', 1, '=B2*10'],
          ['b', 2, '=B3*10'],
          ['c', 3, '=B4*10'],
          ['d', 1, '=B5*10'],
        ],
      },
      { op: 'copy_sheet', sheet: 'U', name: 'T' },
    ],
  },
]

const setB2 = (sheet: string) => ({ op: 'set_cells', sheet, cells: [{ cell: 'B2', value: 100 }] })
const setB3 = { op: 'set_cells', sheet: 'U', cells: [{ cell: 'B3', value: 50 }] }

function onSheet(operations: readonly object[]): Call {
  return ['xlsx_operations', { path: 's.xlsx', operations }]
}

async function withSheet(box: Sandbox, name: string, files: Record<string, string> = {}) {
  const work = workspace(box, name, files)
  await work.calls([SHEET])
  await work.published()
  return work
}

function lines(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('')
}

/** A folder of the sandbox, worked on from the command line. */
export function workspace(box: Sandbox, name: string, files: Record<string, string> = {}) {
  mkdirSync(join(box.dir, name), { recursive: true })
  for (const [path, content] of Object.entries(files))
    writeFileSync(join(box.dir, name, path), content)

  async function run(
    args: readonly string[],
    code: number | readonly number[] = 0,
    env: Record<string, string> = {},
  ) {
    const ran = await box.run(args, { cwd: name, env })
    const said = `${name}: ${args.join(' ')}: ${ran.stdout}${ran.stderr}`
    expect([code].flat(), said).toContain(ran.code)
    return ran
  }

  return {
    run,
    published: () => run(['publish', '--yes']),
    /** In one process that lives on from call to call. */
    async calls(calls: readonly Call[]) {
      const input = calls.map(([tool, args]) => `${JSON.stringify({ tool, arguments: args })}\n`)
      const ran = await box.run(['call', '--lines', '--yes'], { cwd: name, input: input.join('') })
      const answers = ran.stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).result)
      for (const answer of answers)
        expect(answer, JSON.stringify(answer)).toMatchObject({ success: true })
      return answers
    },
  }
}
