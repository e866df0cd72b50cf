import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real PostgreSQL and a real S3 server on loopback. */
export interface SharedStores {
  /** The address of a new, empty database. */
  database(): Promise<string>
  /** The address of a place in the bucket that holds nothing. */
  bucket(): string
  /** That part of the requests to the bucket is answered with 503. */
  refuseBucket(part: number): void
  /** Runs statements as a person with all rights would. */
  administer(sql: string): Promise<void>
  /** What a statement finds in one of the databases. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is found
  find(address: string, sql: string): Promise<any[]>
}

const NOBODY = 65534

/** Both end with `end`, or with this process. `s3Server`: the module that runs the S3 server in a process of its own. */
export async function runStores(
  { postgres, s3rver }: { readonly postgres: string; readonly s3rver: string },
  s3Server: string,
): Promise<SharedStores & { end(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-shared-'))
  const [database, bucket] = await Promise.all([
    startPostgres(postgres, folder),
    startBucket(s3rver, s3Server, folder),
  ])
  let count = 0
  const address = (name: string) => `postgres://filewright@127.0.0.1:${database.port}/${name}`
  const administer = async (sql: string) => void (await runSql(address('postgres'), sql))
  return {
    async end() {
      await Promise.all([end(bucket.process, 'SIGKILL'), end(database.process, 'SIGQUIT')])
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
    administer,
    find: runSql,
    async database() {
      const name = `test_${++count}`
      await administer(`create database ${name} template template0`)
      return address(name)
    },
    bucket: () =>
      `s3://filewright/place${++count}?endpoint=${encodeURIComponent(`http://127.0.0.1:${bucket.port}`)}`,
    refuseBucket: part => bucket.process.send({ refuse: part }),
  }
}

async function startPostgres(programs: string, folder: string) {
  const data = mkdtempSync(join(tmpdir(), 'filewright-postgres-'))
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  if (isRoot) chownSync(data, NOBODY, NOBODY)
  const initialized = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'filewright', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: '/', encoding: 'utf8' },
  )
  if (initialized.status !== 0) throw new Error(`initdb: ${initialized.stderr}`)
  const port = await freePort()
  const settings = ['fsync=off', 'max_connections=300', 'shared_buffers=64MB'].flatMap(each => [
    '-c',
    each,
  ])
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-k', '', '-h', '127.0.0.1', '-p', String(port), ...settings],
    { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
  )
  process.once('exit', () => {
    child.kill('SIGKILL')
    rmSync(data, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', text => {
      said += said.includes('ready to accept') ? '' : text
      if (said.includes('ready to accept')) resolve()
    })
    child.once('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)))
  })
  return { process: child, port }
}

async function startBucket(s3rver: string, s3Server: string, folder: string) {
  const child = fork(s3Server, [s3rver, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { process: child, port }
}

async function runSql(address: string, sql: string) {
  const { default: pg } = await import('pg')
  const client = new pg.Client(address)
  client.on('error', () => {}) // whoever waits for its answer gets it
  await client.connect()
  return (await client.query(sql).finally(() => client.end())).rows
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
