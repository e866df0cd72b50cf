import type { ConversationId, SessionId } from '@filewright/protocol'
import { unwrap } from '@filewright/protocol'
import type { Lease, SessionLog } from '../log/log.ts'
import { parseBucketAddress } from '../shared/blobs/bucket-address.ts'
import { openSharedStores, openStores } from '../stores/stores.ts'

/**
 * A process that appends to a session until it is killed or shut out, and prints what was acknowledged. Arguments:
 * state folder (or a database, a space, a bucket), session, mode, lease time in ms, and the number of rows after which it ends or stops itself.
 */
const [folder, session, what, ttl, rows] = process.argv.slice(2) as [
  string,
  SessionId,
  'append' | 'compete' | 'hold',
  string,
  string?,
]
const ttlMs = Number(ttl)
const last = rows ? Number(rows) : Number.POSITIVE_INFINITY

const { log, close } = unwrap(
  folder.startsWith('postgres:') ? await openTogether() : await openStores(folder),
)
const tasks = { append: appendAll, compete: claimAndStall, hold: holdUntilLost }
await tasks[what](log)
await close()

async function openTogether() {
  const [database, bucket] = folder.split(' ')
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  return openSharedStores({
    database: database!,
    bucket: unwrap(parseBucketAddress(bucket!, keys)),
  })
}

/** Rows of all sorts as fast as it can, every third with an item of the inbox. */
async function appendAll(log: SessionLog) {
  const lease = await claim(log)
  for (let n = 1 + (await log.lastSeq(session)); n <= last; ) {
    const id = `item ${n}`
    if (n % 3 === 0) unwrap(await log.putInbox(session, { id, type: 'note', body: n }))
    const lines = n % 5 === 0 ? [steer(`${n}`), steer(`${n + 1}`)] : [steer(`${n}`)]
    const consume = n % 3 === 0 ? [id] : []
    const { rows } = unwrap(await log.append(lease, lines, { consume }))
    say(`ack ${rows.at(-1)!.seq}`)
    n += lines.length
  }
}

/** Claims, appends under its epoch, and often sleeps longer than its lease lives. */
async function claimAndStall(log: SessionLog) {
  for (;;) {
    const lease = await claim(log)
    for (;;) {
      const appended = await log.append(lease, [steer(`${lease.epoch}`)])
      if (!appended.ok) break
      say(`ack ${appended.value.rows[0]!.seq} ${lease.epoch}`)
      await sleep(Math.random() < 0.3 ? ttlMs * 4 : 2)
    }
  }
}

/** Alternates renewals and appends; it ends when it is shut out. */
async function holdUntilLost(log: SessionLog) {
  const lease = await claim(log)
  for (let n = 1; ; n++) {
    const appended = await log.append(lease, [steer('mine')])
    if (!appended.ok) return say(appended.failure.code)
    say(`ack ${appended.value.rows[0]!.seq}`)
    if (n === last) process.kill(process.pid, 'SIGSTOP')
    await sleep(ttlMs / 5)
    await log.renew(lease, ttlMs)
  }
}

async function claim(log: SessionLog): Promise<Lease> {
  for (;;) {
    const claimed = await log.claim(session, `process ${process.pid}`, ttlMs)
    if (claimed.ok) return claimed.value
    await sleep(5)
  }
}

function steer(text: string) {
  return { conversationId: 'con_1' as ConversationId, body: { type: 'steer', text } as const }
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
