import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { eventData, openDiskWorkspace } from '@filewright/client'
import { routePath, unwrap } from '@filewright/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../verifies.ts'
import { served } from './served.ts'
import { startOwnClient } from './start-own-client.ts'

interface Told {
  readonly type: string
  readonly docPaths: readonly string[]
  readonly all?: boolean
}

/** A watched folder, and every change that a listener at the server receives. */
async function watched(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'filewright-watch-'))
  const dir = join(root, 'workspace')
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  const server = await served()
  const client = await startOwnClient(server, {
    workspace: unwrap(await openDiskWorkspace(dir)),
    stateRoot: join(root, 'state'),
    watch: true,
  })
  const told: Told[] = []
  const abort = new AbortController()
  onTestFinished(async () => {
    abort.abort()
    await client.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 20 })
  })
  const { workspaceId } = client
  const stream = await fetch(server.direct + routePath('workspaceEvents', { workspaceId }), {
    headers: { authorization: `Bearer ${server.token}` },
  })
  listen(stream.body!, abort.signal, told)
  const names = () => new Set(told.flatMap(({ docPaths }) => docPaths))
  const untilTold = async (isSo: () => boolean, meanwhile = () => {}) => {
    for (const deadline = Date.now() + 120_000; !isSo(); ) {
      if (Date.now() > deadline) throw new Error(`Received only ${JSON.stringify(told)}`)
      meanwhile()
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  let saved = 0
  await untilTold(
    () => names().has('started.txt'),
    () => write('Started.txt', String(saved++)),
  )
  return { dir, write, told, names, untilTold, server, workspaceId }
}

async function listen(body: ReadableStream<Uint8Array>, signal: AbortSignal, told: Told[]) {
  for await (const data of eventData(body, signal)) told.push(JSON.parse(data))
}

verifies(
  'CONTRACT §2 ignored nowhere listed',
  'created, changed and deleted files are reported by docPath; ignored ones and files in flight are not',
  async () => {
    const { dir, write, names, untilTold, server, workspaceId } = await watched({
      'Src/A.txt': 'a',
      'gone.txt': 'g',
      '.gitignore': 'secret/\n*.log\n',
      'node_modules/p/index.js': '',
    })
    write('node_modules/p/index.js', 'changed')
    write('node_modules/new/index.js', 'new')
    write('secret/a.txt', 's')
    write('build.log', 'l')
    write('Src/A.txt', 'changed')
    write('Deep/er/New.txt', 'n')
    rmSync(join(dir, 'gone.txt'))
    const { sessionId } = (await server.ask('createSession', { params: { workspaceId } })).value
    const { value } = await server.ask('callTool', {
      params: { workspaceId, sessionId },
      body: {
        tool: 'workspace_create_file',
        arguments: { path: 'own.txt', content: 'o' },
        approve: 'all',
      },
    })
    expect(value).toMatchObject({ success: true })
    const expected = ['src/a.txt', 'deep/er/new.txt', 'gone.txt', 'own.txt']
    await untilTold(() => expected.every(name => names().has(name)))
    expect([...names()].sort()).toEqual([...expected, 'started.txt'].sort())
  },
)

test('a folder that was renamed and put back, or created again, is watched as before, however soon', async () => {
  const { dir, write, names, untilTold } = await watched({ 'a.txt': 'a' })
  const putBack = () => renameSync(`${dir}-away`, dir)
  const makeAnew = () => {
    rmSync(`${dir}-away`, { recursive: true })
    write('other.txt', 'another folder')
  }
  for (const [round, put] of [putBack, makeAnew, putBack, makeAnew].entries()) {
    renameSync(dir, `${dir}-away`)
    if (round < 2) await new Promise(resolve => setTimeout(resolve, 1_500)) // long enough to be noticed, or not
    put()
    let saved = 0
    await untilTold(
      () => names().has(`later${round}.txt`),
      () => write(`later${round}.txt`, String(saved++)),
    )
  }
})

test('more than a thousand changes at once are a few messages, by a thousand names or as everything', async () => {
  const { write, told, names, untilTold } = await watched({ 'a.txt': '' })
  const many = Array.from({ length: 1500 }, (_, i) => `many/f${i}.txt`)
  for (const path of many) write(path, 'x')
  const isNamed = () => many.every(path => names().has(path))
  await untilTold(() => told.some(({ all }) => all) || isNamed())
  let saved = 0
  await untilTold(
    () => told.some(({ docPaths }) => docPaths.includes('last.txt')),
    () => write('last.txt', String(saved++)),
  )
  expect(told.length).toBeLessThan(300)
  for (const { docPaths } of told) expect(docPaths.length).toBeLessThanOrEqual(1000)
})
