import { join } from 'node:path'
import { type ConversationId, type SessionId, unwrap, type WorkspaceId } from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { Lease, SessionLog } from '../../log/log.ts'
import { createMemoryBlobs } from '../../memory/blobs-memory.ts'
import { tempFolder } from '../../testing/temp-folder.ts'
import { openDatabase } from '../database/database.ts'
import { createSessionLog } from './log-embedded.ts'

const SEEDS = process.env.FILEWRIGHT_FULL === '1' ? 40 : 4
const STEPS = 400
const CONVERSATION = 'con_1' as ConversationId

interface Written {
  readonly texts: string[]
  writer: number
  lease: Lease
}

for (let seed = 1; seed <= SEEDS; seed++)
  test(`rows of several writers stay found while sessions come, move and go (seed ${seed})`, async () => {
    const pick = createPick(seed)
    const file = join(tempFolder(), 'filewright.db')
    const databases = [unwrap(await openDatabase(file)), unwrap(await openDatabase(file))]
    const logOn = (writer: number) => createSessionLog(databases[writer]!, createMemoryBlobs())
    const logs = [logOn(0), logOn(1)]
    const sessions = new Map<SessionId, Written>()
    let created = 0
    const anySession = () => [...sessions][pick(sessions.size)]!

    const steps = [
      async function append() {
        const [, { texts, writer, lease }] = anySession()
        const added = Array.from({ length: 1 + pick(40) }, (_, i) => `${texts.length + i}`)
        unwrap(await logs[writer]!.append(lease, added.map(steer), { acknowledge: 'written' }))
        texts.push(...added)
      },
      async function appendAtOnce() {
        const own = [...sessions.values()].filter(({ writer }) => writer === 0)
        const appending = own.map(async ({ texts, lease }) => {
          const text = `${texts.length}`
          texts.push(text)
          unwrap(await logs[0]!.append(lease, [steer(text)], { acknowledge: 'written' }))
        })
        await Promise.all(appending)
      },
      async function undo() {
        const [sessionId] = anySession()
        const lost = { ...sessions.get(sessionId)!.lease, epoch: 0 }
        const refused = await logs[0]!.append(lost, [steer('x'), steer('y')])
        expect(refused.ok).toBe(false)
        expect(() => databases[1]!.change(() => throwAway())).toThrow('away')
        databases[1]!.get('select 1') // ends the turn: the other writer's wait would never end
      },
      async function move() {
        const [sessionId, written] = anySession()
        await logs[written.writer]!.release(written.lease)
        written.writer = 1 - written.writer
        written.lease = await claim(logs[written.writer]!, sessionId)
      },
      async function forget() {
        const writer = pick(2)
        logs[writer] = logOn(writer)
      },
      async function create() {
        if (sessions.size === 8) return
        const sessionId = `ses_${created++}` as SessionId
        await createOn(logs[0]!, sessionId)
        const lease = await claim(logs[0]!, sessionId)
        sessions.set(sessionId, { texts: [], writer: 0, lease })
      },
      async function remove() {
        if (sessions.size < 3) return
        const [sessionId, { texts }] = anySession()
        expect(unwrap(await logs[pick(2)]!.deleteSession(sessionId)).rows).toBe(texts.length)
        sessions.delete(sessionId)
      },
      async function check() {
        const reader = logs[pick(2)]!
        for (const [sessionId, { texts }] of sessions) {
          const after = pick(texts.length + 1)
          const limit = 1 + pick(50)
          expect(await textsOf(reader, sessionId, { after, limit })).toEqual(
            texts.slice(after, after + limit),
          )
          expect(await reader.lastSeq(sessionId)).toBe(texts.length)
        }
      },
    ]
    const OFTEN = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 6, 7] // of the steps above
    while (sessions.size < 3) await steps[5]!()
    for (let i = 0; i < STEPS; i++) await steps[OFTEN[pick(OFTEN.length)]!]!()

    for (const log of logs)
      for (const [sessionId, { texts }] of sessions)
        expect(await textsOf(log, sessionId)).toEqual(texts)
    for (const database of databases) await database.close()
  })

test('a session is listed by its last row, in the index or not', async () => {
  const database = unwrap(await openDatabase(join(tempFolder(), 'filewright.db')))
  let ms = Date.UTC(2026, 0, 1)
  const log = createSessionLog(database, createMemoryBlobs(), { now: () => new Date((ms += 1000)) })
  const leases: Lease[] = []
  for (const id of ['ses_1', 'ses_2', 'ses_3'] as SessionId[]) {
    await createOn(log, id)
    leases.push(await claim(log, id))
  }
  const append = (session: number, rows: number) =>
    log.append(
      leases[session]!,
      Array.from({ length: rows }, () => steer('x')),
    )
  const order = async () => (await log.listSessions()).map(({ sessionId }) => sessionId)
  unwrap(await append(0, 1))
  unwrap(await append(1, 1_500)) // more than stay out of the index
  expect(await order()).toEqual(['ses_2', 'ses_1', 'ses_3'])
  const last = unwrap(await append(0, 1)).rows[0]!
  expect(await order()).toEqual(['ses_1', 'ses_2', 'ses_3'])
  expect((await log.getSession('ses_1' as SessionId))?.updated).toBe(last.time)
  await database.close()
})

async function createOn(log: SessionLog, sessionId: SessionId): Promise<void> {
  const workspaceId = 'ws_1' as WorkspaceId
  unwrap(await log.createSession({ sessionId, workspaceId, conversationId: CONVERSATION }))
}

async function claim(log: SessionLog, sessionId: SessionId): Promise<Lease> {
  return unwrap(await log.claim(sessionId, 'the test', 600_000))
}

async function textsOf(log: SessionLog, ...read: Parameters<SessionLog['read']>) {
  return (await log.read(...read)).map(({ body }) => (body.type === 'steer' ? body.text : ''))
}

function steer(text: string) {
  return { conversationId: CONVERSATION, body: { type: 'steer', text } as const }
}

function throwAway(): never {
  throw new Error('away')
}

/** A whole number below the one given, the same sequence for the same seed. */
function createPick(seed: number): (below: number) => number {
  let state = seed * 2654435761
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
