import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openClientState, openDiskWorkspace, startClient } from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine, createOffice } from '@filewright/engine'
import { fail, unwrap } from '@filewright/protocol'
import { createLogger, createServer } from '@filewright/server'
import { createMemoryBlobs, createStores, IN_MEMORY, openDatabase } from '@filewright/server/stores'

const TOKEN = 'walk'
const BOOK = 'sales.xlsx'
const CALLS = 5
const here = fileURLToPath(new URL('.', import.meta.url))

const coverage = startCoverage()
const product = await startProduct()
const walks = [
  await walk('workspace_write_patch', 'workspace_write_patch', patch),
  await walk('set_cells', 'xlsx_operations', setCell),
]
await product.close()
console.log(JSON.stringify(walks))

/** The modules that every call after the first passes through: deferred work of one call may run in the next. */
async function walk(name: string, tool: string, toArguments: (call: number) => unknown) {
  await product.call(tool, toArguments(0))
  let files: string[] | undefined
  for (let call = 1; call <= CALLS; call++) {
    const passed = await passedThrough(() => product.call(tool, toArguments(call)))
    files = files?.filter(path => passed.has(path)) ?? [...passed]
  }
  return { name, files }
}

async function passedThrough(work: () => Promise<void>): Promise<Set<string>> {
  const reached = new Set<string>()
  await sleep(200) // lets the deferred work of the previous call finish
  Object.assign(globalThis, { reach: (path: string) => reached.add(path) })
  coverage.take()
  await work()
  const counted = coverage.take()
  return new Set([...reached].filter(path => counted.has(path)))
}

function startCoverage() {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    /** Our modules in which a function ran since the last look. */
    take(): Set<string> {
      const ran = new Set<string>()
      session.post('Profiler.takePreciseCoverage', (error, taken) => {
        if (error) throw error
        for (const { url, functions } of taken.result) {
          const path = pathOf(url)
          const isRun = functions.some(each => each.ranges[0]!.count > 0 && !isModule(each))
          if (path && isRun) ran.add(path)
        }
      })
      return ran
    },
  }
}

function pathOf(url: string): string | undefined {
  const path = url.startsWith('file:') ? fileURLToPath(url).slice(here.length) : ''
  return /^(packages|apps)\//.test(path) ? path.replace(/\.mjs$/, '.ts') : undefined
}

/** V8 reports code that runs while a module loads as an unnamed function that starts at offset 0. */
function isModule({
  functionName,
  ranges,
}: {
  functionName: string
  ranges: { startOffset: number }[]
}) {
  return functionName === '' && ranges[0]!.startOffset === 0
}

async function startProduct() {
  const root = mkdtempSync(join(tmpdir(), 'filewright-walk-'))
  const dir = join(root, 'workspace')
  mkdirSync(dir)
  writeFileSync(join(dir, 'a.txt'), textAt(0))
  copyFileSync(join(process.cwd(), 'sample/data', BOOK), join(dir, BOOK))
  const stores = createStores(unwrap(await openDatabase(IN_MEMORY)), createMemoryBlobs())
  const server = await createServer({
    stores,
    logger: createLogger(
      () => {},
      () => new Date(),
    ),
    version: 'walk',
    ownerToken: TOKEN,
    resolveModel: async () => fail('NOT_FOUND', 'No model is needed.'),
  })
  const engine = createInProcessEngine({ loadFormat })
  const client = await startClient({
    workspace: unwrap(await openDiskWorkspace(dir)),
    state: await openClientState(join(root, 'state')),
    engines: { trusted: engine, hostile: engine, office: createOffice({ find: () => undefined }) },
    fetch: server.fetch,
    server: {
      handle: (name, ...call) => server.handle(TOKEN, name, ...call),
      attach: (...given) => server.attach(TOKEN, ...given),
    },
    origin: 'http://localhost',
    token: TOKEN,
    key: 'walk',
    name: 'walk',
  })
  const { workspaceId } = client
  const session = await server.handle(TOKEN, 'createSession', { params: { workspaceId }, body: {} })
  const params = { workspaceId, sessionId: unwrap(session).sessionId }
  return {
    async call(tool: string, args: unknown): Promise<void> {
      const body = { tool, arguments: args, approve: 'all' } as const
      const answered = unwrap(await server.handle(TOKEN, 'callTool', { params, body }))
      if (!('success' in answered && answered.success)) throw new Error(JSON.stringify(answered))
    },
    async close(): Promise<void> {
      await client.close()
      await server.close()
      await stores.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function patch(call: number) {
  const originalSha256 = createHash('sha256').update(textAt(call)).digest('hex')
  const change = {
    operation: 'replace',
    startLine: 2,
    endLine: 2,
    expectedOriginalLines: [`${call}`],
    newLines: [`${call + 1}`],
  }
  return { files: [{ docPath: 'a.txt', originalSha256, changes: [change] }] }
}

/** Its second line is the number of the call that changes it. */
function textAt(call: number): string {
  return `one\n${call}\n`
}

function setCell(value: number) {
  return {
    path: BOOK,
    operations: [{ op: 'set_cells', sheet: 'Sales', cells: [{ cell: 'B2', value }] }],
  }
}
