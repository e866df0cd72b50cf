import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createHost, readConfig } from '@filewright/host'
import { type GivenBody, type JournalLine, type LogRow, unwrap } from '@filewright/protocol'
import { expect } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { verifies } from '../verifies.ts'

const ROUNDS = process.env.FILEWRIGHT_FULL === '1' ? 100 : 6

verifies(
  'CONTRACT §7 calls restored from the draft',
  `killed -9 ${ROUNDS} times while it writes to a draft: the log has each write of the draft once, and each is there once`,
  async () => {
    const box = sandbox({ 'a.txt': 'count 0\n' })
    const random = seeded(5711)
    let acknowledged = 0
    let editMs = 0
    for (let round = 0; round < ROUNDS; round++) {
      const killed = await editUntilKilled(box, { editMs, random })
      acknowledged = Math.max(acknowledged, killed.count)
      editMs = killed.editMs
      await inSession(box, async ({ call, rowsOnce }) => {
        const { content } = await call('read_file', { path: 'a.txt', line_count: 5000 })
        const count = countIn(content)
        expect(count).toBeGreaterThanOrEqual(acknowledged)
        expect(content.match(/^line \d+$/gm) ?? []).toEqual(
          Array.from({ length: count }, (_, i) => `line ${count - i}`),
        )
        const rows = await rowsOnce(
          all => editsIn(all).ended.length >= count && editsIn(all).open.length === 0,
        )
        const { ended, open } = editsIn(rows)
        expect(ended).toHaveLength(count)
        expect(new Set(ended).size).toBe(count)
        expect(open).toEqual([])
        acknowledged = count
      })
    }
    expect(acknowledged).toBeGreaterThan(0)
  },
  { timeout: 600_000 },
)

verifies(
  'CONTRACT §7 calls restored from the draft',
  'rows lost in a power cut are rebuilt from the draft, once, even for a call that is sent again',
  async () => {
    const box = sandbox({ 'a.txt': 'count 0\n' })
    const older = join(box.state, '../older')
    const edit = (n: number) => ({
      tool: 'edit_text_file',
      arguments: { path: 'a.txt', edits: [{ search: `count ${n}`, replace: `count ${n + 1}` }] },
      toolCallId: `edit ${n}`,
    })
    await inSession(box, async ({ send }) => {
      for (let n = 0; n < 3; n++) expect(await send(edit(n))).toMatchObject({ success: true })
    })
    copyDatabase(box.state, older)
    const answers: unknown[] = []
    await inSession(box, async ({ send }) => {
      for (let n = 3; n < 100; n++) answers.push(await send(edit(n)))
    })
    copyDatabase(older, box.state)
    for (let again = 0; again < 2; again++)
      await inSession(box, async ({ send, call, rowsOnce }) => {
        expect(await send(edit(99 - again))).toMatchObject({ success: true })
        expect(await send(edit(70))).toEqual(answers[67])
        const { started, ended } = editsIn(await rowsOnce(all => editsIn(all).ended.length >= 100))
        expect(ended).toHaveLength(100)
        expect(new Set(started)).toEqual(new Set(ended))
        expect(started).toHaveLength(100)
        expect(await call('read_file', { path: 'a.txt' })).toMatchObject({ content: 'count 100\n' })
      })
  },
)

/**
 * Each edit increments a count and appends a line; returns the last acknowledged count. The kill comes within the time
 * of a few edits on this machine, which the first round measures.
 */
async function editUntilKilled(
  box: Sandbox,
  { editMs, random }: { editMs: number; random: () => number },
): Promise<{ count: number; editMs: number }> {
  const child = box.start(['call', '--lines'])
  const exited = once(child, 'exit')
  child.stdin!.on('error', () => {})
  const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const ask = async (tool: string, args: unknown) => {
    child.stdin!.write(`${JSON.stringify({ tool, arguments: args })}\n`)
    const { value, done } = await answers.next()
    return done ? undefined : JSON.parse(value).result
  }
  const read = await ask('read_file', { path: 'a.txt' })
  let took = editMs
  let isArmed = false
  for (let count = countIn(read.content); ; count++) {
    if (took > 0 && !isArmed) setTimeout(() => child.kill('SIGKILL'), random() * 12 * took)
    isArmed = took > 0
    const begun = performance.now()
    const edited = await ask('edit_text_file', {
      path: 'a.txt',
      edits: [{ search: `count ${count}\n`, replace: `count ${count + 1}\nline ${count + 1}\n` }],
    })
    if (!edited) {
      await exited
      return { count, editMs: took }
    }
    expect(edited).toMatchObject({ success: true })
    took = Math.min(took || Number.POSITIVE_INFINITY, performance.now() - begun)
  }
}

interface Standing {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
  call(tool: string, args: unknown): Promise<any>
  send(body: GivenBody<'callTool'>): Promise<unknown>
  /** The log once it has the expected rows: rows are restored after the first answers. */
  rowsOnce(isThere: (rows: readonly LogRow[]) => boolean): Promise<LogRow[]>
}

/** What a new process finds in the standing session. */
async function inSession(box: Sandbox, work: (standing: Standing) => Promise<void>) {
  const connected = await createHost().connect(readConfig({ FILEWRIGHT_STATE: box.state }))
  if (!connected.ok) throw new Error(connected.failure.message)
  const connection = connected.value
  try {
    const opened = await connection.openWorkspace(box.dir)
    if (!opened.ok) throw new Error(opened.failure.message)
    const { workspaceId } = opened.value
    const { sessionId } = unwrap(
      await connection.call('createSession', { params: { workspaceId }, body: { standing: true } }),
    )
    const params = { workspaceId, sessionId }
    const send = async (body: GivenBody<'callTool'>) =>
      unwrap(await connection.call('callTool', { params, body }))
    const readRows = async () => {
      const all: LogRow[] = []
      for (;;) {
        const query = { after: all.at(-1)?.seq ?? 0, limit: 5000 }
        const { rows } = unwrap(await connection.call('log', { params, query }))
        if (rows.length === 0) return all
        all.push(...rows)
      }
    }
    await work({
      send,
      call: (tool, args) => send({ tool, arguments: args }),
      async rowsOnce(isThere) {
        for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
          const rows = await readRows()
          if (isThere(rows)) return rows
          await new Promise(resolve => setTimeout(resolve, 20))
        }
        return readRows()
      },
    })
  } finally {
    await connection.close()
  }
}

/** Ids of the edits that were begun, that succeeded, and that have no result, in the order of the log. */
function editsIn(rows: readonly LogRow[]) {
  const started = bodies(rows, 'call-start')
    .filter(({ name }) => name === 'edit_text_file')
    .map(({ tool_call_id }) => tool_call_id)
  const results = bodies(rows, 'tool_result')
  const all = new Set(results.map(({ tool_call_id }) => tool_call_id))
  const ended = results
    .filter(({ tool_call_id, success }) => success && started.includes(tool_call_id))
    .map(({ tool_call_id }) => tool_call_id)
  return { started, ended, open: started.filter(id => !all.has(id)) }
}

function bodies<Type extends JournalLine['type']>(rows: readonly LogRow[], type: Type) {
  return rows
    .map(({ body }) => body)
    .filter((body): body is Extract<JournalLine, { type: Type }> => body.type === type)
}

function countIn(content: string): number {
  return Number(/count (\d+)/.exec(content)![1])
}

/** The server's log, without the client's drafts. */
function copyDatabase(from: string, to: string) {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(to).filter(isDatabase)) rmSync(join(to, name))
  for (const name of readdirSync(from).filter(isDatabase)) cpSync(join(from, name), join(to, name))
}

function isDatabase(name: string): boolean {
  return /\.(db|sqlite)/.test(name)
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
