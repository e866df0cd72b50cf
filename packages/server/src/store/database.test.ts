import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SessionId, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createLogIndex } from '../session/log-index.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { type Database, IN_MEMORY, openDatabase } from './database.ts'
import { MIGRATIONS } from './migrations.ts'
import { loadSqlite } from './sqlite.ts'

const newFile = () => join(tempFolder(), 'state', 'filewright.db')
const open = async (file: string) => unwrap(await openDatabase(file))
const put = (database: Database, key: string) => () =>
  database.run('insert into settings (key, value) values (?, ?)', key, '1')
const keys = (database: Database) =>
  database.all<{ key: string }>('select key from settings order by key').map(row => row.key)

test('the file is in WAL mode with the settings that its promises stand on', async () => {
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

  test(`work inside work stands and falls with it (${place})`, async () => {
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

test('rows of the first state version are found by session after its migration', async () => {
  const file = newFile()
  mkdirSync(join(file, '..'))
  const { DatabaseSync } = await loadSqlite()
  const old = new DatabaseSync(file)
  old.exec(`${MIGRATIONS[0]}; pragma user_version = 1; pragma application_id = ${0x46575254}`)
  const insert = old.prepare(
    "insert into log (session, seq, conversation, workspace, type, time, body) values (?, ?, 'c', 'w', 'steer', 't', '{}')",
  )
  for (const [session, seq] of [
    ['a', 1],
    ['b', 1],
    ['a', 2],
  ] as const)
    insert.run(session, seq)
  old.close()
  const database = await open(file)
  const index = createLogIndex(database)
  expect(index.read('a' as SessionId, 0, 10).map(({ seq }) => seq)).toEqual([1, 2])
  expect(index.lastSeq('b' as SessionId)).toBe(1)
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

test('what is no database of ours is refused and left as it is', async () => {
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

test('a folder that cannot be made is a failure and no throw', async () => {
  const file = newFile()
  writeFileSync(join(file, '..', '..', 'state'), '')
  expect(await openDatabase(file)).toMatchObject({
    failure: { code: 'STATE_UNREADABLE', kind: 'unavailable' },
  })
})

test('what may wait is on the disk within milliseconds, or with the next that somebody waits for', async () => {
  const database = await open(newFile())
  const alone = performance.now()
  await database.write(put(database, 'a'), 'durable-soon')
  expect(performance.now() - alone).toBeLessThan(1_000)
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
