import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClientState, openClientState, openDiskWorkspace } from '@filewright/client'
import { unwrap } from '@filewright/protocol'
import {
  createMemoryBlobs,
  createStores,
  IN_MEMORY,
  openDatabase,
  type Stores,
} from '@filewright/server'
import { expect, onTestFinished } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, rowsOf, runTo, says } from './running.ts'

const write = (path: string) => call('write_text_file', { path, content: `${path}\n` })
const SCRIPT = [says('', write('one.txt')), says('One.'), says('', write('two.txt')), says('Two.')]

verifies(
  'CONTRACT §7 log rewind row',
  'going back, killed before or after any of its writes, is done once or not at all by the next process',
  async () => {
    const whole = await rewindKilled({ at: Number.POSITIVE_INFINITY, isAfter: false })
    expect(whole.writes).toEqual(['putInbox', 'draft', 'append'])
    for (let at = 1; at <= whole.writes.length; at++)
      for (const isAfter of [false, true]) {
        const { next, writes } = await rewindKilled({ at, isAfter })
        const where = `killed ${isAfter ? 'after' : 'before'} ${writes.at(-1)}`
        const isDone = at > 1 || isAfter
        await expect
          .poll(() => filesOf(next), { message: where })
          .toEqual(isDone ? ['one.txt'] : ['one.txt', 'two.txt'])
        await runTo(next, 'Another.')
        const rewinds = bodies(await rowsOf(next), 'rewind')
        expect(rewinds, where).toHaveLength(isDone ? 1 : 0)
      }
  },
)

interface Death {
  /** The write with which the process dies. */
  readonly at: number
  readonly isAfter: boolean
}

/** A process that goes back and dies meanwhile, and the next one on the same folder and state. */
async function rewindKilled(death: Death) {
  const kept = createStores(unwrap(await openDatabase(IN_MEMORY)), createMemoryBlobs())
  const root = mkdtempSync(join(tmpdir(), 'filewright-rewind-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))
  const life = createLife(death)
  const { model } = recorder(SCRIPT)
  const state = await openClientState(root)
  const first = await embedded({}, { model, ...dying(kept, state, life) })
  await runTo(first, 'One.')
  const { rows } = await runTo(first, 'Two.')
  const { seq } = rows.filter(({ type }) => type === 'user_message')[1]!
  life.begin()
  await first.ask('rewind', { params: { sessionId: first.sessionId }, body: { seq } })
  const workspace = unwrap(await openDiskWorkspace(first.dir))
  const stores = { ...kept, close: async () => {} }
  const next = await embedded({}, { model, stores, state: await openClientState(root), workspace })
  return { next: { ...next, sessionId: first.sessionId }, writes: life.writes }
}

/** From `begin` on it counts the writes; dead, it writes no more. */
function createLife({ at, isAfter }: Death) {
  const writes: string[] = []
  let isCounting = false
  let isDead = false
  return {
    writes,
    begin: () => void (isCounting = true),
    async write<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
      if (isDead) throw new Error('dead')
      if (isCounting) writes.push(name)
      isDead = writes.length === at
      if (!isDead) return work()
      if (isAfter) await work()
      throw new Error('dead')
    },
  }
}

function dying(kept: Stores, state: ClientState, life: ReturnType<typeof createLife>) {
  const { log } = kept
  const stores: Stores = {
    ...kept,
    close: async () => {},
    log: {
      ...log,
      putInbox: (...given) => life.write('putInbox', () => log.putInbox(...given)),
      append: (...given) => life.write('append', () => log.append(...given)),
    },
  }
  const drafts: ClientState['drafts'] = {
    ...state.drafts,
    append: (...given) => life.write('draft', () => state.drafts.append(...given)),
  }
  return { stores, state: { ...state, drafts } }
}

async function filesOf(product: Embedded): Promise<string[]> {
  const drafts = (await product.ask('listDrafts', { query: { state: 'open' } })).value
  return drafts.flatMap((draft: { files: { path: string }[] }) =>
    draft.files.map(({ path }) => path),
  )
}
