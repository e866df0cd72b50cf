import { randomBytes } from 'node:crypto'
import type { WorkspaceId } from '@filewright/protocol'
import type { Homes } from '../store/homes.ts'
import type { Postgres } from './database/postgres.ts'

/** An instance that has not been heard for so long is gone. A lease ends no earlier. */
const GONE_MS = 3_000
const BEAT_MS = 1_000
/** A request need not ask the database again so soon. */
const KNOWN_MS = 250
const MOST_KNOWN = 10_000

const ALIVE_UNTIL = "clock_timestamp() + $2 * interval '1 millisecond'"

export interface SharedHomes extends Homes {
  /** By which other instances know this one. */
  readonly instance: string
  close(): Promise<void>
}

/** The home of a hosted workspace is the instance that claimed it. */
const IS_HOSTED = 'exists (select 1 from hosted where hosted.workspace = $1)'

export function createSharedHomes(database: Postgres): SharedHomes {
  const instance = randomBytes(8).toString('hex')
  const known = new Map<WorkspaceId, { readonly url: string | undefined; readonly at: number }>()
  let beating: NodeJS.Timeout | undefined
  let upUntil = 0

  async function beat(url: string): Promise<void> {
    const until = performance.now() + GONE_MS
    await database.repeat(
      `insert into instances (instance, expires, url) values ($1, ${ALIVE_UNTIL}, $3)
       on conflict (instance) do update set expires = excluded.expires, url = excluded.url`,
      [instance, GONE_MS, url],
    )
    upUntil = until
  }

  async function look(workspaceId: WorkspaceId): Promise<string | undefined> {
    const [row] = await database.repeat<{ url: string }>(
      `select i.url from homes h join instances i on i.instance = h.instance
       where h.workspace = $1 and h.instance <> $2 and i.expires > clock_timestamp()`,
      [workspaceId, instance],
    )
    return row?.url
  }

  return {
    instance,
    async announce(url) {
      await beat(url)
      clearInterval(beating)
      beating = setInterval(() => beat(url).catch(() => {}), BEAT_MS) // the next beat may get through
      beating.unref()
    },
    async settle(workspaceId) {
      known.delete(workspaceId)
      await database.repeat(
        `insert into homes (workspace, instance) select $1, $2 where not ${IS_HOSTED}
         on conflict (workspace) do update set instance = excluded.instance`,
        [workspaceId, instance],
      )
      known.delete(workspaceId)
    },
    async leave(workspaceId) {
      await database.repeat(
        `delete from homes where workspace = $1 and instance = $2 and not ${IS_HOSTED}`,
        [workspaceId, instance],
      )
    },
    async elsewhere(workspaceId) {
      const held = known.get(workspaceId)
      if (held && Date.now() - held.at < KNOWN_MS) return held.url
      const url = await look(workspaceId)
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(workspaceId, { url, at: Date.now() })
      return url
    },
    isUp: () => performance.now() < upUntil,
    async retire() {
      clearInterval(beating)
      upUntil = 0
      await database.repeat('delete from homes where instance = $1', [instance])
      await database.repeat('delete from instances where instance = $1', [instance])
    },
    async close() {
      await this.retire()
      await database.repeat(
        "delete from instances where expires < clock_timestamp() - interval '1 day'",
      )
    },
  }
}
