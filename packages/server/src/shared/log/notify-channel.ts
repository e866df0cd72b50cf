import type { Client } from 'pg'
import type { Postgres } from '../database/postgres.ts'

export interface Channel {
  /** Not kept: who is not connected now hears nothing of it. */
  send(text: string): void
  close(): Promise<void>
}

export interface ChannelEnds {
  onMessage(text: string): void
  /** The connection is there again after it was gone, or there for the first time. */
  onGap(): Promise<void>
}

const PAUSE_MS = 250

/**
 * LISTEN and NOTIFY on a connection of their own. A notification inside an append would make appends wait for each
 * other: PostgreSQL hands out the place in its queue one commit at a time.
 */
export function openChannel(database: Postgres, { onMessage, onGap }: ChannelEnds): Channel {
  let client: Client | undefined
  let name = ''
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  let connecting = connect()

  async function connect(): Promise<void> {
    try {
      const opened = await database.connect()
      if (isClosed) return void (await opened.end())
      opened.on('notification', ({ payload }) => payload && onMessage(payload))
      opened.on('error', () => lose(opened))
      opened.on('end', () => lose(opened))
      const found = await opened.query<{ schema: string }>('select md5(current_schema()) as schema')
      name = `filewright_${found.rows[0]!.schema}`
      await opened.query(`listen ${name}`)
      client = opened
    } catch {
      again()
      return
    }
    await onGap().catch(() => {}) // the next look finds what this one missed
  }

  function lose(lost: Client) {
    if (client !== lost) return
    client = undefined
    again()
  }

  function again() {
    if (isClosed) return
    clearTimeout(retry)
    retry = setTimeout(() => {
      connecting = connect()
    }, PAUSE_MS)
    retry.unref()
  }

  return {
    send(text) {
      client?.query('select pg_notify($1, $2)', [name, text]).catch(() => {}) // `lose` connects again
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      await connecting
      const open = client
      client = undefined
      await open?.end().catch(() => {})
    },
  }
}
