import type { Effect, JournalLine } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { createTranscript } from '../prompt/transcript.ts'
import { runSession } from '../testing/run-session.ts'
import { script } from '../testing/script.ts'
import { ask, createProcess, createWorld, send, type TestTool } from '../testing/world.ts'

type DraftLine = Extract<JournalLine, { type: 'draft' }>

const line = (action: DraftLine['action'], more: Partial<DraftLine> = {}): DraftLine => ({
  type: 'draft',
  draft_id: 'drf_1',
  action,
  files: 1,
  paths: ['A.txt'],
  ...more,
})

const drafted = (path: string, draftId: string): Effect => ({
  docPath: path,
  path,
  where: 'draft',
  action: 'changed',
  count: 2,
  unit: 'lines',
  draftId,
})

/** Two files are written to the first draft; while a third is written to the next one, the person does something. */
async function runWith(...did: DraftLine[]) {
  const world = createWorld()
  const write: TestTool = {
    run({ path, draft }) {
      if (draft === 'drf_2') for (const each of did) send(world, port, each)
      return { text: `wrote ${path}`, effects: [drafted(String(path), String(draft))] }
    },
  }
  const calls = ['a.txt', 'b.txt', 'c.txt'].map(
    path => [['write', { path, draft: path === 'c.txt' ? 'drf_2' : 'drf_1' }]] as const,
  )
  const model = script([...calls.map(call => ({ calls: call })), { say: 'Done.' }])
  const port = createProcess(world, { model, tools: { write } })
  ask(world, 'Change them', { write })
  const outcome = await runSession(port)
  return { closing: outcome.type === 'ended' && outcome.closing, world, model }
}

function userMessages(rows: Awaited<ReturnType<typeof runWith>>['world']['rows']) {
  const transcript = createTranscript()
  for (const row of rows) transcript.add(row)
  return transcript.messages('').filter(({ role }) => role === 'user')
}

verifies(
  'CONTRACT §7 closing line',
  'changes published during a run are reported as written',
  async () => {
    const all = { files: 2, paths: ['A.txt', 'b.txt'] }
    expect((await runWith(line('published', all))).closing).toBe(
      '2 files written: a.txt (2 lines), b.txt (2 lines); 1 file in the draft: c.txt (2 lines)',
    )
    expect((await runWith(line('published', { refused: 2 }))).closing).toBe(
      '1 file written: a.txt; 1 file in the draft: c.txt (2 lines); 2 changes refused by the person',
    )
    expect((await runWith(line('published', { files: 300 }))).closing).toBe(
      '2 files written: a.txt (2 lines), b.txt (2 lines); 1 file in the draft: c.txt (2 lines)',
    )
  },
)

verifies(
  'CONTRACT §7 closing line',
  'changes discarded or taken back during a run are reported',
  async () => {
    expect((await runWith(line('discarded'))).closing).toBe('1 file in the draft: c.txt (2 lines)')
    expect((await runWith(line('undone', { files: 2 }))).closing).toBe(
      '3 files in the draft: a.txt (2 lines), b.txt (2 lines), c.txt (2 lines); 2 files taken back by the person',
    )
    expect((await runWith(line('undone'), line('redone'))).closing).toBe(
      '3 files in the draft: a.txt (2 lines), b.txt (2 lines), c.txt (2 lines)',
    )
  },
)

test("the model learns at once of a person's action on its draft", async () => {
  const { world } = await runWith(line('discarded'))
  expect(userMessages(world.rows).at(-1)?.text).toBe(
    '[Filewright] The person has discarded the draft (1 file: A.txt). None of it was written.',
  )
})

test("a person's actions after a run are reported with the next message", async () => {
  const { world } = await runWith()
  const later = [
    line('published', {
      files: 30,
      paths: Array.from({ length: 25 }, (_, n) => `${n}`),
      refused: 1,
    }),
    line('undone'),
    line('redone'),
    line('published', { files: 0, paths: [] }),
  ]
  const port = createProcess(world, { model: script([{ say: 'Good.' }]) })
  for (const each of later) send(world, port, each)
  for (const item of world.inbox.splice(0)) port.append([item.line!], [item.id])
  ask(world, 'Go on')
  const text = userMessages(world.rows).at(-1)?.text
  expect(text?.split('\n\n')).toEqual([
    expect.stringContaining('The run before this one ended with: 3 files in the draft'),
    `[Filewright] The person has published the draft (30 files: ${Array.from({ length: 20 }, (_, n) => n).join(', ')}, …). 1 change of it was refused and not written.`,
    '[Filewright] The person has undone what was written (1 file: A.txt).',
    '[Filewright] The person has redone what was undone (1 file: A.txt).',
    '[Filewright] The person has published the draft (0 files).',
    'Go on',
  ])
})
