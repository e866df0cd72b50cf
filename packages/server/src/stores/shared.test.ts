import { unwrap } from '@filewright/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { S3_KEYS, startSharedStores, whyNoStores } from '../../../../test/shared/shared-stores.ts'
import { logContract } from '../log/log.contract.ts'
import type { Lease, SessionLog } from '../log/log.ts'
import { finderContract } from '../log/log-finder.contract.ts'
import { leaseContract } from '../log/log-lease.contract.ts'
import { processContract } from '../log/log-processes.contract.ts'
import { patchesContract, testIds } from '../patches/patches.contract.ts'
import { createSharedAccess } from '../shared/access-shared.ts'
import { createSharedBlobs } from '../shared/blobs/blobs-shared.ts'
import { openBucket } from '../shared/blobs/bucket.ts'
import { parseBucketAddress } from '../shared/blobs/bucket-address.ts'
import { migrate } from '../shared/database/migrate.ts'
import { MIGRATIONS } from '../shared/database/migrations.ts'
import { connectPostgres, type Postgres } from '../shared/database/postgres.ts'
import { createSharedDecisions } from '../shared/decisions-shared.ts'
import { createSharedLog } from '../shared/log/log-shared.ts'
import { createSharedPatches } from '../shared/patches-shared.ts'
import { createSharedSearchIndex } from '../shared/search-index-shared.ts'
import { createSharedSettings } from '../shared/settings-shared.ts'
import { createSharedSources } from '../shared/sources-shared.ts'
import { accessContract } from '../store/access.contract.ts'
import { blobsContract } from '../store/blobs.contract.ts'
import { decisionsContract } from '../store/decisions.contract.ts'
import { searchIndexContract } from '../store/search-index.contract.ts'
import { settingsContract } from '../store/settings.contract.ts'
import { sourcesContract } from '../store/sources.contract.ts'
import { begin, countTo, item, SESSION, steer } from '../testing/log-lines.ts'
import { openSharedStores } from './stores.ts'

const isFull = process.env.FILEWRIGHT_FULL === '1'

describe.skipIf(whyNoStores)('in PostgreSQL and S3', async () => {
  if (whyNoStores) return
  const shared = await startSharedStores()
  const now = () => new Date()
  const open: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })

  async function openDatabase(): Promise<Postgres> {
    const database = await connectPostgres(await shared.database(), { connections: 4 })
    open.push(() => database.close())
    unwrap(await migrate(database))
    return database
  }

  async function openBlobs(database: Postgres, options?: { maxBytes: number }) {
    const bucket = await openBucket(unwrap(parseBucketAddress(shared.bucket(), S3_KEYS)))
    return createSharedBlobs(database, bucket, options)
  }

  async function openLog() {
    const database = await openDatabase()
    const blobs = await openBlobs(database)
    const { broken, ...faults } = breakable(database)
    const log = createSharedLog(broken, blobs, { now, blobGraceMs: 0 })
    open.push(() => log.close())
    return { blobs, log, hintsAgain: true, ...faults }
  }

  test('bytes that were put just before all that named them was removed go when they are older', async () => {
    const blobs = await openBlobs(await openDatabase())
    const { sha256 } = unwrap(await blobs.put(Buffer.from('of a deleted workspace')))
    const sweep = { candidates: [sha256], isReferenced: () => false, graceMs: 500 }
    expect(await blobs.sweep(sweep)).toEqual({ removed: [] })
    await expect.poll(() => blobs.has(sha256), { timeout: 60_000 }).toBe(false)
  })

  blobsContract('blobs', async options => openBlobs(await openDatabase(), options))
  sourcesContract('sources', async () => {
    const database = await openDatabase()
    const blobs = await openBlobs(database)
    return { sources: createSharedSources(database, blobs, now), blobs }
  })
  patchesContract('patches', async () => createSharedPatches(await openDatabase(), testIds, now))
  settingsContract('settings', async () => createSharedSettings(await openDatabase()))
  searchIndexContract('search index', async () => createSharedSearchIndex(await openDatabase()))
  accessContract('access', async () => createSharedAccess(await openDatabase()))
  decisionsContract('decisions', async () => createSharedDecisions(await openDatabase()))
  logContract('log', openLog)
  leaseContract('log', openLog)
  finderContract('log', async () => (await openLog()).log)

  async function newPlace() {
    const [database, blobs] = [await shared.database(), shared.bucket()]
    const bucket = unwrap(parseBucketAddress(blobs, S3_KEYS))
    const open = async () => unwrap(await openSharedStores({ database, bucket }))
    return { place: `${database} ${blobs}`, open, database, bucket }
  }
  processContract('log', newPlace, { kills: isFull ? 200 : 3 })

  test('rows and mail of another instance are heard, each once and in order', async () => {
    const { open } = await newPlace()
    const [here, there] = [await open(), await open()]
    const lease = await begin(here.log, SESSION)
    const heard: number[] = []
    const woken = new Promise(resolve => there.log.onMail(resolve))
    there.log.subscribe(SESSION, rows => heard.push(...rows.map(row => row.seq)))
    expect(await there.log.read(SESSION)).toEqual([])
    for (const n of countTo(30)) unwrap(await here.log.append(lease, [steer(`${n}`)]))
    await expect.poll(() => heard).toEqual(countTo(30))
    unwrap(await here.log.putInbox(SESSION, item('a')))
    expect(await woken).toBe(SESSION)
    await Promise.all([here.close(), there.close()])
  })

  test('what was said while the connection was cut is heard when it is back', async () => {
    const { open, database } = await newPlace()
    const [here, there] = [await open(), await open()]
    const held = { lease: await begin(here.log, SESSION) }
    const heard: number[] = []
    there.log.subscribe(SESSION, rows => heard.push(...rows.map(row => row.seq)))
    await there.log.read(SESSION)
    const name = new URL(database).pathname.slice(1)
    for (const n of countTo(20)) {
      if (n % 5 === 0)
        await shared.administer(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        )
      await appendOnce(here.log, held, n)
    }
    await expect.poll(() => heard).toEqual(countTo(20))
    await Promise.all([here.close(), there.close()])
  })

  test('bytes outlive a bucket that is busy, and a lost object is an absent blob until it is put again', async () => {
    const database = await openDatabase()
    const place = unwrap(parseBucketAddress(shared.bucket(), S3_KEYS))
    const bucket = await openBucket(place)
    const bytes = new Uint8Array(20_000_000).map((_, i) => i % 251)
    shared.refuseBucket(0.3)
    const { sha256 } = unwrap(await createSharedBlobs(database, bucket).put(bytes))
    const found = await createSharedBlobs(database, bucket).get(sha256)
    shared.refuseBucket(0)
    expect(Buffer.compare(found!, bytes)).toBe(0)
    const range = { start: 8_388_600, end: 8_388_620 } // over the border of two parts
    expect(await createSharedBlobs(database, bucket).get(sha256, range)).toEqual(
      bytes.slice(range.start, range.end),
    )

    const [row] = await database.query<{ parts: string }>('select parts from blobs')
    await bucket.delete((JSON.parse(row!.parts) as [string, number][])[1]![0])
    const blobs = createSharedBlobs(database, bucket)
    expect(await blobs.get(sha256)).toBeUndefined()
    expect(await blobs.has(sha256)).toBe(false)
    unwrap(await blobs.put(bytes))
    expect((await createSharedBlobs(database, bucket).get(sha256))?.length).toBe(bytes.length)
  })

  test('instances that start at once make the tables once, and a newer program is told from a strange database', async () => {
    const { open, database, bucket } = await newPlace()
    const all = await Promise.all(countTo(4).map(open))
    await Promise.all(all.map(stores => stores.close()))
    const change = (sql: string) => {
      const pg = connectPostgres(database, { connections: 1 })
      return pg.then(async own => own.run(sql).finally(own.close))
    }
    const newer = MIGRATIONS.length + 1
    await change(`insert into migrations (number, checksum, needs) values (${newer}, 'newer', 1)`)
    await (await open()).close()
    await change(`update migrations set needs = ${newer} where number = ${newer}`)
    expect(await openSharedStores({ database, bucket })).toMatchObject({
      failure: { code: 'STATE_TOO_NEW', kind: 'unsupported' },
    })
    await change("update migrations set needs = 1, checksum = 'other'")
    expect(await openSharedStores({ database, bucket })).toMatchObject({
      failure: { code: 'STATE_UNREADABLE' },
    })
  })

  test('a database or a bucket that cannot be used is named, without its password', async () => {
    const { database, bucket } = await newPlace()
    const wrong = { ...bucket, url: bucket.url.replace('/filewright/', '/nowhere/') }
    const places = [
      { database: 'postgres://me:secret@127.0.0.1:1/x', bucket },
      { database: 'mysql://me:secret@127.0.0.1/x', bucket },
      { database: database.replace(/[^/]*$/, 'no_such'), bucket },
      { database, bucket: wrong },
      { database, bucket: { ...bucket, secretAccessKey: 'wrong' } },
    ]
    const messages: string[] = []
    for (const place of places) {
      const opened = await openSharedStores(place)
      expect(opened).toMatchObject({ failure: { code: 'STATE_UNREACHABLE', kind: 'unavailable' } })
      if (!opened.ok) messages.push(opened.failure.message)
    }
    expect(messages[0]).toContain('ECONNREFUSED')
    expect(messages[1]).toContain('postgres://USER')
    expect(messages[2]).toContain('no_such')
    expect(messages[3]).toContain('NoSuchBucket')
    expect(messages.join()).not.toContain('secret')
  })
})

/** An append whose answer was lost is in the log or not: who holds the session looks, and claims it again. */
async function appendOnce(log: SessionLog, held: { lease: Lease }, n: number): Promise<void> {
  while ((await log.lastSeq(SESSION)) < n) {
    const appended = await log.append(held.lease, [steer(`${n}`)]).catch(() => undefined)
    if (!appended?.ok) held.lease = unwrap(await log.claim(SESSION, 'again', 60_000))
  }
}
/** While it is broken, writes fail: every other one before it reaches the database, every other one after. */
function breakable(whole: Postgres) {
  let isBroken = false
  let count = 0
  async function failing<Value>(work: () => Promise<Value>): Promise<Value> {
    if (isBroken && count++ % 2 === 0) throw new Error('Connection terminated on the way there')
    const value = await work()
    if (isBroken) throw new Error('Connection terminated on the way back')
    return value
  }
  const broken: Postgres = {
    ...whole,
    query: (sql, values) => failing(() => whole.query(sql, values)),
    transaction: work => failing(() => whole.transaction(work)),
  }
  return {
    broken,
    breakDown: () => {
      isBroken = true
    },
    mend: () => {
      isBroken = false
    },
  }
}
