import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type Connection, createHost, readConfig } from '@filewright/host'
import type { GivenParams, LogRow } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'

const ROUNDS = process.env.FILEWRIGHT_FULL === '1' ? 200 : 8
const FILES = ['a.txt', 'b.txt', 'deep/c.txt']

test(`server and client killed -9 in ${ROUNDS} approved batches: disk, heads and journal agree, nothing is done twice`, async () => {
  const box = sandbox(Object.fromEntries(FILES.map(path => [path, 'count 0\n'])))
  const random = seeded(4711)
  let acknowledged = 0
  let batchMs = 0
  for (let round = 0; round < ROUNDS; round++) {
    const killed = await patchUntilKilled(box, { batchMs, random })
    acknowledged = Math.max(acknowledged, killed.count)
    batchMs = killed.batchMs
    const { count, journal, heads } = await lookAgain(box)
    expect(count).toBeGreaterThanOrEqual(acknowledged)
    acknowledged = count
    const open = new Set(
      journal
        .filter(row => row.type === 'call-start')
        .map(row => (row.body as { tool_call_id: string }).tool_call_id),
    )
    for (const row of journal)
      if (row.body.type === 'tool_result') open.delete(row.body.tool_call_id)
    expect([...open]).toEqual([])
    for (const path of FILES) expect(heads.get(path)).toBe(sha256(box.readBytes(path)))
  }
  expect(acknowledged).toBeGreaterThan(0)
}, 600_000)

/**
 * Each batch increments a count in every file and adds a line; returns the last acknowledged count. The kill comes
 * within the time of a few batches on this machine, which the first round measures.
 */
async function patchUntilKilled(
  box: Sandbox,
  { batchMs, random }: { batchMs: number; random: () => number },
): Promise<{ count: number; batchMs: number }> {
  const child = box.start(['call', '--lines', '--yes'])
  const exited = once(child, 'exit')
  const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const call = async (tool: string, args: unknown) => {
    child.stdin!.write(`${JSON.stringify({ tool, arguments: args })}\n`)
    const { value, done } = await answers.next()
    return done ? undefined : JSON.parse(value).result
  }
  child.stdin!.on('error', () => {})
  let count = 0
  let took = batchMs
  let isArmed = false
  for (;;) {
    const reads = []
    for (const path of FILES) {
      const read = await call('workspace_read_file', { path })
      if (!read?.success) break
      reads.push(read.file)
    }
    if (took > 0 && !isArmed) setTimeout(() => child.kill('SIGKILL'), random() * 8 * took)
    isArmed = took > 0
    const begun = performance.now()
    if (reads.length < FILES.length) break
    const current = Number(/count (\d+)/.exec(reads[0].content)![1])
    const files = reads.map(file => ({
      docPath: file.docPath,
      originalSha256: file.version,
      changes: [
        {
          operation: 'replace',
          startLine: 1,
          endLine: 1,
          expectedOriginalLines: [`count ${current}`],
          newLines: [`count ${current + 1}`],
        },
        { operation: 'insert', afterLine: file.lineCount, newLines: [`line ${current + 1}`] },
      ],
    }))
    const patched = await call('workspace_write_patch', { files })
    if (!patched) break
    expect(patched).toMatchObject({ success: true })
    count = current + 1
    took = Math.min(took || Number.POSITIVE_INFINITY, performance.now() - begun)
  }
  child.kill('SIGKILL')
  await exited
  return { count, batchMs: took }
}

/** What the next process finds, after its recovery. */
async function lookAgain(box: Sandbox) {
  const connected = await createHost().connect(readConfig({ FILEWRIGHT_STATE: box.state }))
  if (!connected.ok) throw new Error(connected.failure.message)
  const connection = connected.value
  try {
    const opened = await connection.openWorkspace(box.dir)
    if (!opened.ok) throw new Error(opened.failure.message)
    const params = { workspaceId: opened.value.workspaceId }
    const session = await connection.call('createSession', {
      params,
      body: { standing: true },
    })
    if (!session.ok) throw new Error(session.failure.message)
    await settled(connection, params, session.value.sessionId)
    const journal = await readLog(connection, { ...params, sessionId: session.value.sessionId })
    const heads = new Map<string, string | null>()
    for (const path of FILES) {
      const history = await connection.call('history', {
        params,
        query: { path },
      })
      if (history.ok) heads.set(path, history.value.items[0]?.sha256 ?? null)
    }
    const counts = FILES.map(path => Number(/count (\d+)/.exec(box.read(path))![1]))
    expect(new Set(counts).size).toBe(1)
    for (const path of FILES)
      expect(box.read(path).match(/^line \d+$/gm) ?? []).toEqual(
        Array.from({ length: counts[0]! }, (_, i) => `line ${i + 1}`),
      )
    return { count: counts[0]!, journal, heads }
  } finally {
    await connection.close()
  }
}

/** Open calls are reconciled in the background when the client is attached. */
async function settled(connection: Connection, params: { workspaceId: string }, sessionId: string) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const rows = await readLog(connection, { ...params, sessionId })
    const started = rows.filter(row => row.type === 'call-start').length
    const ended = rows.filter(row => row.type === 'tool_result').length
    if (started === ended) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

async function readLog(connection: Connection, params: GivenParams<'log'>): Promise<LogRow[]> {
  const all: LogRow[] = []
  for (;;) {
    const page = await connection.call('log', {
      params,
      query: { after: all.at(-1)?.seq ?? 0, limit: 5000 },
    })
    if (!page.ok || page.value.rows.length === 0) return all
    all.push(...page.value.rows)
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
