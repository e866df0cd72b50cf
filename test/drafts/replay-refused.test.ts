import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DraftLine, Published, Review } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'

type Call = readonly [tool: string, args: Record<string, unknown>]

interface Injected {
  readonly path: string
  readonly calls: readonly [Call, Call, Call]
  /** What is refused, in fields of the second: the log gets it as if another version had accepted it. */
  readonly refused: Readonly<Record<string, unknown>>
  /** What a read shows of the others. */
  readonly shows: readonly RegExp[]
}

const text = (path: string, search: string, replace: string): Call => [
  'edit_text_file',
  { path, edits: [{ search, replace }] },
]

const office = (format: string, path: string, ...operations: object[]): Call => [
  `${format}_operations`,
  { path, create_if_missing: true, operations },
]

const cell = (name: string, value: string) => ({
  op: 'set_cells',
  sheet: 'Sheet1',
  cells: [{ cell: name, value }],
})

const FORMATS: Readonly<Record<string, Injected>> = {
  text: {
    path: 'a.txt',
    calls: [text('a.txt', 'one', 'ONE'), text('a.txt', 'two', 'TWO'), text('a.txt', 'six', 'SIX')],
    refused: { edits: [{ search: 'nowhere', replace: 'x' }] },
    shows: [/ONE/, /TWO/, /SIX/],
  },
  csv: {
    path: 't.csv',
    calls: [text('t.csv', 'one', 'ONE'), text('t.csv', 'two', 'TWO'), text('t.csv', 'six', 'SIX')],
    refused: { edits: [{ search: 'nowhere', replace: 'x' }] },
    shows: [/ONE/, /TWO/, /SIX/],
  },
  xlsx: {
    path: 's.xlsx',
    calls: [
      office('xlsx', 's.xlsx', cell('A1', 'first')),
      office('xlsx', 's.xlsx', cell('A2', 'second')),
      office('xlsx', 's.xlsx', cell('A3', 'third')),
    ],
    refused: { sheet: 'Gone' },
    shows: [/first/, /second/, /third/],
  },
  docx: {
    path: 'd.docx',
    calls: [
      office('docx', 'd.docx', { op: 'append_paragraph', text: 'first' }),
      office('docx', 'd.docx', { op: 'append_paragraph', text: 'second' }),
      office('docx', 'd.docx', { op: 'append_paragraph', text: 'third' }),
    ],
    refused: { style: 'No such style' },
    shows: [/first/, /second/, /third/],
  },
  pptx: {
    path: 'p.pptx',
    calls: [
      office('pptx', 'p.pptx', { op: 'add_slide', title: 'first' }),
      office('pptx', 'p.pptx', { op: 'add_slide', title: 'second' }),
      office('pptx', 'p.pptx', { op: 'add_slide', title: 'third' }),
    ],
    refused: { layout: 'No such layout' },
    shows: [/first/, /second/, /third/],
  },
}

describe.each(Object.keys(FORMATS))('a draft of which an operation of %s is refused', format => {
  const { path, calls, refused, shows } = FORMATS[format]!

  test('is reviewed, and publishes its other files; that operation is dropped, and the rest stays', async () => {
    const product = await prepared(calls, refused)
    const read = await product.call('read_file', { path })
    expect(read).toMatchObject({ success: false, message: expect.stringMatching(/was accepted/) })
    const { value: review } = await product.ask<Review>('review')
    const [broken] = review.changes.filter(({ kind }) => kind === 'operation')
    expect(broken).toMatchObject({ path, description: expect.stringMatching(/\w/) })
    expect(review.changes.filter(change => change.path === path)).toEqual([broken])
    expect(review.warnings.join(' ')).toContain(`filewright draft resolve ${broken!.id} --theirs`)
    const { status, value: published } = await product.ask<Published>('publish', { body: {} })
    expect(status, JSON.stringify(published)).toBe(200)
    expect(published).toMatchObject({ undecided: 1, executed: [{ path, changeIds: [] }] })
    expect(product.read('other.txt')).toBe('written\n')
    const again = await product.ask('publish', { body: {} })
    expect(again).toMatchObject({ status: 403, value: { errorCode: 'DENIED' } })
    for (const body of [{ only: [broken!.id] }, { refused: [broken!.id] }])
      expect((await product.ask('publish', { body })).status).toBe(400)
    await drop(product, broken!.id)
    const left = await product.call('read_file', { path })
    for (const shown of shows) expect(JSON.stringify(left)).toMatch(shown)
    await publishNamed(product)
    const written = await product.call('read_file', { path })
    for (const shown of shows) expect(JSON.stringify(written)).toMatch(shown)
  })
})

async function prepared(calls: readonly Call[], refused: Injected['refused']): Promise<Embedded> {
  const lines = 'one\ntwo\nsix\n'
  const product = await embedded({ 'a.txt': lines, 't.csv': lines })
  const other: Call = ['write_text_file', { path: 'other.txt', content: 'written\n' }]
  for (const [tool, args] of [...calls, other])
    expect(await product.call(tool, args)).toMatchObject({ success: true })
  await product.detach()
  inject(product, refused)
  await product.attach()
  return product
}

function inject({ stateRoot }: Embedded, refused: Injected['refused']): void {
  const folder = join(stateRoot, 'drafts', 'open')
  const file = join(folder, readdirSync(folder)[0]!)
  let edits = 0
  const withRefused = (_key: string, value: unknown) => {
    const line = value as DraftLine | null
    if (line?.type !== 'edit' || ++edits !== 2) return value
    const [only] = line.operations
    const { trace: _, ...asked } = only!
    const added = { ...asked, index: 1, operation: { ...asked.operation, ...refused } }
    return { ...line, operations: [only, added] }
  }
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const damaged = lines.map(line => JSON.stringify(JSON.parse(line, withRefused)))
  writeFileSync(file, `${damaged.join('\n')}\n`)
}

async function drop(product: Embedded, id: string): Promise<void> {
  const ours = await product.ask('resolve', { body: { changeIds: [id], side: 'ours' } })
  expect(ours.status).toBe(409)
  const { status, value } = await product.ask('resolve', {
    body: { changeIds: [id], side: 'theirs' },
  })
  expect(status, JSON.stringify(value)).toBe(200)
}

/** What an earlier operation made may differ once one is dropped: a person names it. */
async function publishNamed(product: Embedded): Promise<void> {
  const { value } = await product.ask<Review>('review')
  const only = value.changes.map(({ id }) => id)
  const { status, value: published } = await product.ask<Published>('publish', { body: { only } })
  expect(status, JSON.stringify(published)).toBe(200)
}
