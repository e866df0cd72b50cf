import { randomBytes } from 'node:crypto'
import type { LogRow, SessionId } from '@filewright/protocol'
import type { Unsubscribe } from '../../log/log.ts'
import type { Postgres } from '../database/postgres.ts'
import { createHearings } from './hearings.ts'
import type { LogReads } from './log-reads.ts'
import { openChannel } from './notify-channel.ts'

/** What instances tell each other: which sessions have new rows, and which have mail. */
export interface LogNews {
  /** Rows of this process are in the log. Resolves when its subscribers have heard them. */
  wrote(sessionId: SessionId, rows: readonly LogRow[]): Promise<void>
  subscribe(sessionId: SessionId, onRows: (rows: readonly LogRow[]) => void): Unsubscribe
  /** Resolves when a reader that subscribed before misses nothing that comes after what it reads now. */
  ready(sessionId: SessionId): Promise<void>
  mailed(sessionId: SessionId): void
  onMail(wake: (sessionId: SessionId) => void): Unsubscribe
  close(): Promise<void>
}

/** Rows go to other instances so often at most; each message names every session that has some. */
const GATHER_MS = 5
/** A notification can be lost with its connection, so those who listen look by themselves now and then. */
const LOOK_MS = 3_000
/** PostgreSQL takes at most 8,000 bytes. */
const MOST_BYTES = 6_000

interface Message {
  readonly from: string
  readonly rows?: Readonly<Record<SessionId, number>>
  readonly mail?: readonly SessionId[]
}

export function createLogNews(database: Postgres, reads: LogReads): LogNews {
  const from = randomBytes(6).toString('hex')
  const wakers = new Set<(sessionId: SessionId) => void>()
  const hearings = createHearings(reads)
  const rows = new Map<SessionId, number>()
  const mail = new Set<SessionId>()
  let timer: NodeJS.Timeout | undefined

  const channel = openChannel(database, { onMessage: hear, onGap: catchUp })
  const looking = setInterval(() => void hearings.lookAtAll(), LOOK_MS)
  looking.unref()

  function hear(text: string) {
    const message = JSON.parse(text) as Message
    if (message.from === from) return
    for (const [sessionId, last] of Object.entries(message.rows ?? {}))
      hearings.noteLast(sessionId as SessionId, last)
    for (const sessionId of message.mail ?? []) wake(sessionId)
  }

  /** Nobody knows what was said while the connection was gone. */
  async function catchUp() {
    await hearings.lookAtAll()
    for (const sessionId of await reads.withMail()) wake(sessionId)
  }

  function wake(sessionId: SessionId) {
    for (const each of wakers) each(sessionId)
  }

  function soon() {
    timer ??= setTimeout(say, GATHER_MS)
  }

  function say() {
    timer = undefined
    const allRows = [...rows]
    const allMail = [...mail]
    rows.clear()
    mail.clear()
    while (allRows.length + allMail.length > 0) {
      const message: { from: string; rows: Record<string, number>; mail: string[] } = {
        ...{ from, rows: {}, mail: [] },
      }
      let bytes = 100
      while (bytes < MOST_BYTES && allRows.length > 0) {
        const [sessionId, last] = allRows.pop()!
        message.rows[sessionId] = last
        bytes += sessionId.length + 20
      }
      while (bytes < MOST_BYTES && allMail.length > 0) {
        const sessionId = allMail.pop()!
        message.mail.push(sessionId)
        bytes += sessionId.length + 4
      }
      channel.send(JSON.stringify(message))
    }
  }

  return {
    async wrote(sessionId, written) {
      const last = written.at(-1)
      if (!last) return
      rows.set(sessionId, last.seq)
      soon()
      await hearings.hear(sessionId, written)
    },
    subscribe: hearings.subscribe,
    ready: hearings.ready,
    mailed(sessionId) {
      mail.add(sessionId)
      soon()
      wake(sessionId)
    },
    onMail(waker) {
      wakers.add(waker)
      return () => wakers.delete(waker)
    },
    async close() {
      clearTimeout(timer)
      if (timer) say()
      clearInterval(looking)
      await channel.close()
    },
  }
}
