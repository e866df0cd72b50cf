import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Failure, type SessionId, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { tempFolder } from '../../testing/temp-folder.ts'
import { createFinderPart } from '../log/log-finder.ts'
import { createLogIndex } from '../log/log-index.ts'
import { type Database, IN_MEMORY, openDatabase } from './database.ts'
import { MIGRATIONS } from './migrations.ts'
import { loadSqlite } from './sqlite.ts'

const newFile = () => join(tempFolder(), 'state', 'filewright.db')
const open = async (file: string) => unwrap(await openDatabase(file))
const put = (database: Database, key: string) => () =>
  database.run('insert into settings (key, value) values (?, ?)', key, '1')
const keys = (database: Database) =>
  database.all<{ key: string }>('select key from settings order by key').map(row => row.key)

test('later work is done before anything else, and kept with its turn', async () => {
  const database = await open(newFile())
  const later = (key: string) =>
    database.later(() => void database.change(put(database, key))).kept('durable')
  const first = later('first')
  expect(database.change(() => keys(database)).value).toEqual(['first'])
  const second = later('second')
  expect(keys(database)).toEqual(['first', 'second'])
  const inside = database.write(() => {
    later('inside')
    throw new Error('outer')
  })
  await expect(inside).rejects.toThrow('outer')
  await Promise.all([first, second, later('third')])
  expect(keys(database)).toEqual(['first', 'second', 'third'])
  later('last')
  await database.close()
})

test('the file is in WAL mode with the settings that its promises depend on', async () => {
  const database = await open(newFile())
  expect(database.get('pragma journal_mode')).toEqual({ journal_mode: 'wal' })
  expect(database.get('pragma synchronous')).toEqual({ synchronous: 1 })
  expect(database.get('pragma foreign_keys')).toEqual({ foreign_keys: 1 })
  expect(database.get('pragma user_version')).toEqual({ user_version: MIGRATIONS.length })
  await database.close()
})

test.skipIf(process.platform === 'win32')(
  'the files are for their user alone, also in a folder that everybody may look into',
  async () => {
    const folder = tempFolder()
    chmodSync(folder, 0o755)
    const file = join(folder, 'filewright.db')
    writeFileSync(file, '', { mode: 0o644 })
    const database = await open(file)
    await database.write(put(database, 'a'))
    const modes = readdirSync(folder).map(name => statSync(join(folder, name)).mode & 0o777)
    expect(new Set(modes)).toEqual(new Set([0o600]))
    await database.close()
  },
)

test('a commit is there after closing and opening again', async () => {
  const file = newFile()
  const before = await open(file)
  await before.write(put(before, 'a'))
  await before.close()
  const after = await open(file)
  expect(keys(after)).toEqual(['a'])
  await after.close()
})

for (const place of ['in memory', 'on disk']) {
  const openNew = () => open(place === 'on disk' ? newFile() : IN_MEMORY)

  test(`work that throws leaves nothing, and its neighbours stay (${place})`, async () => {
    const database = await openNew()
    const good = database.write(put(database, 'good'))
    const bad = database.write(() => {
      put(database, 'bad')()
      throw new Error('no')
    })
    const later = database.write(put(database, 'later'), 'written')
    await expect(bad).rejects.toThrow('no')
    await Promise.all([good, later])
    expect(keys(database)).toEqual(['good', 'later'])
    expect(database.undone()).toBe(1)
    await database.close()
  })

  test(`nested work is kept or undone with its outer work (${place})`, async () => {
    const database = await openNew()
    const outer = database.write(() => {
      database.change(put(database, 'inner'))
      throw new Error('outer')
    })
    await expect(outer).rejects.toThrow('outer')
    expect(keys(database)).toEqual([])
    await database.close()
  })

  test(`a change is read inside at once, and outside once it is committed (${place})`, async () => {
    const database = await openNew()
    const { value, kept } = database.change(() => {
      put(database, 'a')()
      return keys(database)
    })
    expect(value).toEqual(['a'])
    expect(keys(database)).toEqual(['a']) // reading from outside commits first
    await kept('durable')
    await database.close()
  })
}

for (const version of [1, 2])
  test(`rows of state version ${version} are found by session after its migration`, async () => {
    const file = newFile()
    mkdirSync(join(file, '..'))
    const { DatabaseSync } = await loadSqlite()
    const old = new DatabaseSync(file)
    old.exec(
      `${MIGRATIONS[0]}; pragma user_version = ${version}; pragma application_id = ${0x46575254}`,
    )
    const insert = old.prepare(
      "insert into log (session, seq, conversation, workspace, type, time, body) values (?, ?, 'c', 'w', 'steer', 't', '{}')",
    )
    old.exec('begin')
    for (let seq = 1; seq <= 1_100; seq++)
      for (const session of ['a', 'b']) insert.run(session, seq)
    if (version === 2) old.exec(MIGRATIONS[1]!)
    insert.run('a', 1_101) // not in the index yet
    old.exec('commit')
    old.close()
    const database = await open(file)
    const index = createLogIndex(database)
    const seqs = (after: number, limit: number) =>
      index.read('a' as SessionId, after, limit).map(({ seq }) => seq)
    expect(seqs(0, 10_000)).toEqual(Array.from({ length: 1_101 }, (_, i) => i + 1))
    expect(seqs(510, 4)).toEqual([511, 512, 513, 514])
    expect(seqs(1_099, 10)).toEqual([1_100, 1_101])
    expect(index.lastSeq('a' as SessionId)).toBe(1_101)
    expect(index.lastSeq('b' as SessionId)).toBe(1_100)
    await database.close()
  })

test('state of version 3 has its standing session, its answers and its open calls after its migration', async () => {
  const file = newFile()
  mkdirSync(join(file, '..'))
  const { DatabaseSync } = await loadSqlite()
  const old = new DatabaseSync(file)
  old.exec(MIGRATIONS.slice(0, 3).join(';'))
  old.exec(`pragma user_version = 3; pragma application_id = ${0x46575254}`)
  const session = old.prepare(
    "insert into sessions (session, workspace, title, conversation, state, created, updated) values (?, ?, ?, 'c', 'idle', ?, 't')",
  )
  const standing = 'Standing session of the command line'
  session.run('s1', 'w1', standing, '2')
  session.run('s2', 'w1', standing, '1')
  session.run('s3', 'w1', 'Taxes', '0')
  session.run('s4', 'w2', standing, '3')
  const row = old.prepare(
    "insert into log (session, seq, conversation, workspace, type, time, tool_call, body) values ('s1', ?, 'c', 'w1', ?, 't', ?, ?)",
  )
  row.run(1, 'call-start', null, '{"type":"call-start","tool_call_id":"tc_1","name":"a"}')
  row.run(2, 'call-start', null, '{"type":"call-start","tool_call_id":"tc_2","name":"b"}')
  row.run(3, 'tool_result', 'tc_2', '{"type":"tool_result","tool_call_id":"tc_2"}')
  row.run(4, 'assistant_message', null, '{"type":"assistant_message","turn_id":"trn_1"}')
  old.exec('update log_indexed set position = 4')
  row.run(5, 'call-start', null, '{"type":"call-start","tool_call_id":"tc_3","name":"c"}')
  old.close()
  const database = await open(file)
  const kinds = database.all<{ session: string }>(
    "select session from sessions where kind = 'standing'",
  )
  expect(kinds.map(({ session }) => session).sort()).toEqual(['s2', 's4'])
  const finder = createFinderPart(database)
  expect(await finder.openCalls({ sessionId: 's1' as SessionId })).toMatchObject([
    { toolCallId: 'tc_1', name: 'a' },
    { toolCallId: 'tc_3', name: 'c' },
  ])
  expect(await finder.findAnswer('s1' as SessionId, 'trn_1')).toMatchObject({ seq: 4 })
  await database.close()
})

test('state of a newer version is refused in one sentence and left as it is', async () => {
  const file = newFile()
  const database = await open(file)
  database.run(`pragma user_version = ${MIGRATIONS.length + 1}`)
  await database.close()
  const opened = await openDatabase(file)
  expect(opened).toMatchObject({
    ok: false,
    failure: {
      code: 'STATE_TOO_NEW',
      kind: 'unsupported',
      message: expect.stringContaining('newer version of Filewright'),
    },
  })
  const { DatabaseSync } = await loadSqlite()
  const raw = new DatabaseSync(file)
  expect(raw.prepare('pragma user_version').get()).toEqual({ user_version: MIGRATIONS.length + 1 })
  raw.close()
})

test('a foreign database is refused and left unchanged', async () => {
  const file = newFile()
  mkdirSync(join(file, '..'))
  writeFileSync(file, 'this is a letter to my mother, and it is longer than a header of SQLite')
  expect(await openDatabase(file)).toMatchObject({ failure: { code: 'STATE_UNREADABLE' } })

  const foreign = newFile()
  mkdirSync(join(foreign, '..'))
  const { DatabaseSync } = await loadSqlite()
  const other = new DatabaseSync(foreign)
  other.exec('create table theirs (x); pragma application_id = 7')
  other.close()
  expect(await openDatabase(foreign)).toMatchObject({ failure: { code: 'STATE_UNREADABLE' } })
})

test('a database that the system cannot open is not reported as one to move away', async () => {
  const file = newFile()
  mkdirSync(`${file}-wal`, { recursive: true })
  const { failure } = (await openDatabase(file)) as { failure: Failure }
  expect(failure.message).toContain('It may be intact: try again')
})

test('a folder that cannot be made is a failure and no throw', async () => {
  const file = newFile()
  writeFileSync(join(file, '..', '..', 'state'), '')
  expect(await openDatabase(file)).toMatchObject({
    failure: { code: 'STATE_UNREADABLE', kind: 'unavailable' },
  })
})

test('a deferred write reaches the disk within milliseconds, or with the next awaited one', async () => {
  const database = await open(newFile())
  const alone = performance.now()
  await database.write(put(database, 'a'), 'durable-soon')
  expect(performance.now() - alone).toBeLessThan(20_000) // where nobody waits it takes 5 ms and a flush, on a slow disk a long one
  const order: string[] = []
  await Promise.all([
    database.write(put(database, 'b'), 'durable-soon').then(() => order.push('b')),
    database.write(put(database, 'c'), 'durable').then(() => order.push('c')),
  ])
  expect(order.sort()).toEqual(['b', 'c'])
  const last = database.write(put(database, 'd'), 'durable-soon')
  await database.close()
  await last
})
