import type { JournalLine } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, rowsOf, runTo, says, until, untilEnded } from './running.ts'

const write = (path: string, content: string) => call('write_text_file', { path, content })

test('what a person does with a draft is in the log, and the next run knows it', async () => {
  const { model, requests } = recorder([
    says('Writing.', write('a.txt', 'A\n'), write('b.txt', 'B\n')),
    says('Done.'),
    says('I see.'),
  ])
  const product = await embedded({ 'a.txt': 'a\n' }, { model })
  await runTo(product, 'Write them')
  const { value: review } = await product.ask('review')
  const [, second] = review.changes as { id: string }[]
  await product.ask('publish', { body: { refused: [second!.id] } })
  await product.ask('undo', { body: {} })
  await product.ask('redo', { body: {} })
  expect(bodies(await rowsOf(product), 'draft')).toMatchObject([
    { action: 'published', files: 1, paths: ['a.txt'], refused: 1 },
    { action: 'undone', files: 1, paths: ['a.txt'] },
    { action: 'redone', files: 1, paths: ['a.txt'] },
  ])
  await runTo(product, 'What now?')
  const last = requests.at(-1)!.messages.at(-1)!
  expect(last.text).toContain(
    'The person has published the draft (1 file: a.txt). 1 change of it was refused and not written (b.txt, new file).',
  )
  expect(last.text).toContain('The person has undone what was written (1 file: a.txt).')
  expect(last.text).toContain('The person has redone what was undone (1 file: a.txt).')
})

test('the model learns which changes are undecided when a part is published', async () => {
  const { model, requests } = recorder([
    says('Writing.', write('a.txt', 'A\n'), write('b.txt', 'B\n'), write('c.txt', 'C\n')),
    says('Done.'),
    says('I see.'),
  ])
  const product = await embedded({ 'a.txt': 'a\n' }, { model })
  await runTo(product, 'Write them')
  const { value: review } = await product.ask('review')
  const [first] = review.changes as { id: string }[]
  await product.ask('publish', { body: { only: [first!.id] } })
  expect(bodies(await rowsOf(product), 'draft')).toMatchObject([
    { action: 'published', files: 1, undecided: 2 },
  ])
  await runTo(product, 'What now?')
  expect(requests.at(-1)!.messages.at(-1)!.text).toContain(
    'The person has published a part of the draft (1 file: a.txt). 2 changes are undecided and stay in the draft.',
  )
})

verifies(
  'CONTRACT §7 closing line',
  'a draft discarded during a run is reported to the model, and no longer counts',
  async () => {
    const { model, requests } = recorder(
      [says('One.', write('a.txt', 'A\n')), says('Two.', write('b.txt', 'B\n')), says('Done.')],
      {
        async before(step) {
          if (step === 1) await product.ask('discard', { body: {} })
        },
      },
    )
    const product = await embedded({ 'a.txt': 'a\n' }, { model })
    const { end } = await runTo(product, 'Write them')
    expect(end.closing).toBe('1 file in the draft: b.txt (created, 1 line)')
    expect(
      requests.at(-1)!.messages.some(({ text }) => text.includes('has discarded the draft')),
    ).toBe(true)
  },
)

test('a change approved in a run and undone later is reported by the session that made it', async () => {
  const { model } = recorder([
    says('', call('workspace_create_file', { path: 'new.txt', content: 'new\n' })),
    says('Done.'),
  ])
  const product = await embedded({}, { model })
  await runTo(product, 'Make it', { toolset: 'workspace', approve: 'all' })
  const other = await product.newSession()
  await product.ask('undo', { body: {} })
  const drafts: readonly Extract<JournalLine, { type: 'draft' }>[] = bodies(
    await rowsOf(product),
    'draft',
  )
  expect(drafts).toMatchObject([{ action: 'undone', paths: ['new.txt'] }])
  expect(bodies(await rowsOf(product, other), 'draft')).toEqual([])
})

test('a run that waits for an answer keeps waiting when something is undone, and ends with the answer', async () => {
  const create = (path: string) => call('workspace_create_file', { path, content: 'x\n' })
  const { model, requests } = recorder([
    says('', create('a.txt')),
    says('First.'),
    says('', create('b.txt')),
    says('Second.'),
  ])
  const product = await embedded({}, { model })
  await runTo(product, 'Make a', { toolset: 'workspace', approve: 'all' })
  await runTo(product, 'Make b', { toolset: 'workspace', approve: 'ask' })
  expect((await product.ask('undo', { body: {} })).status).toBe(200)
  const { rows } = await untilEnded(product)
  expect(bodies(rows, 'run-end').map(({ reason }) => reason)).toEqual(['final', 'waiting'])
  const { value: approvals } = await product.ask('listApprovals')
  const params = { approvalId: (approvals as { id: string }[])[0]!.id }
  await product.ask('decide', { params, body: { decision: 'approved' } })
  await until(product, state => state === 'idle')
  const { end } = await untilEnded(product)
  expect(end).toMatchObject({
    reason: 'final',
    closing: '1 file written: b.txt (created); 1 file taken back by the person',
  })
  expect(requests.at(-1)!.messages.some(({ text }) => text.includes('has undone'))).toBe(true)
})

test('two answers at once to approvals of one session are each written down once', async () => {
  const product = await embedded({})
  const paths = Array.from({ length: 8 }, (_, n) => `${n}.txt`)
  for (const path of paths)
    await product.call('workspace_create_file', { path, content: 'x\n' }, { approve: 'ask' })
  const { value: approvals } = await product.ask('listApprovals')
  const answers = await Promise.all(
    (approvals as { id: string }[]).map(({ id }) =>
      product.ask('decide', { params: { approvalId: id }, body: { decision: 'approved' } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
  const rows = await rowsOf(product)
  expect(bodies(rows, 'decision')).toHaveLength(paths.length)
  expect(bodies(rows, 'tool_result')).toHaveLength(paths.length)
})
