import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { catalog } from '@filewright/tools'
import { expect, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { untilSays } from '../until-says.ts'
import { verifies } from '../verifies.ts'
import { type Era, type Message, textOf } from './frames.ts'
import { connectStdio, RpcFailure } from './stdio-client.ts'

const ERAS: readonly Era[] = ['2026-07-28', '2025-11-25', '2025-06-18']

verifies(
  ['CONTRACT §9 mcp', 'CONTRACT §4 toolset binds mcp'],
  'each era gets the tools of its toolset from one definition, and can call no other',
  async () => {
    const box = sandbox({ 'a.csv': 'name,count\nx,1\n' })
    for (const era of ERAS) {
      const client = await connectStdio(box, { era })
      expect(client.opened.instructions.length).toBeLessThanOrEqual(2_000)
      const { tools } = await client.ask('tools/list')
      expect(names(tools)).toContain('read_file')
      expect(Buffer.byteLength(JSON.stringify(tools.map(shownPart)))).toBeLessThan(24 * 1024)
      const read = await client.call('read_file', { path: 'a.csv' })
      expect(textOf(read)).toContain('name')
      const refused = client.call('workspace_read_file', { path: 'a.csv' })
      await expect(refused).rejects.toThrow(/^UNKNOWN_TOOL: .*The tools are .*read_file/)
      await expect(client.call('ask_person', {})).rejects.toThrow('UNKNOWN_TOOL')
    }
    const coder = await connectStdio(box, { era: '2026-07-28', args: ['--toolset', 'workspace'] })
    expect(names((await coder.ask('tools/list')).tools)).toContain('workspace_write_patch')
    await expect(coder.call('read_file', { path: 'a.csv' })).rejects.toThrow('UNKNOWN_TOOL')
  },
)

test('reads are read-only, draft writes harmless, and only what touches files is destructive', async () => {
  const client = await connectStdio(sandbox(), { era: '2025-11-25' })
  const { tools } = await client.ask('tools/list')
  const hints = Object.fromEntries(tools.map((tool: Message) => [tool.name, tool.annotations]))
  expect(tools.every((tool: Message) => tool.annotations.openWorldHint === false)).toBe(true)
  const destructive = tools.filter((tool: Message) => tool.annotations.destructiveHint)
  expect(names(destructive)).toEqual(['publish_draft', 'discard_draft', 'undo', 'redo'])
  expect(hints.review_draft).toMatchObject({ readOnlyHint: true })
  for (const { declaration } of catalog) {
    if (!hints[declaration.name]) continue
    expect(hints[declaration.name].readOnlyHint).toBe(declaration.writes === 'nothing')
  }
})

test('the data of a result says the same as its text, and is hardly longer', async () => {
  const lines = Array.from({ length: 3_000 }, (_, at) => `${at},"a ""quoted"" text",${at * 7}`)
  const box = sandbox({
    'long.csv': `n,t,v\n${lines.join('\n')}\n`,
    'code.ts': 'let a = "b"\n'.repeat(200),
  })
  const client = await connectStdio(box, { era: '2025-11-25' })
  const calls: [string, object][] = [
    ['list_files', {}],
    ['get_file_info', { path: 'long.csv' }],
    ['read_file', { path: 'long.csv' }],
    ['read_file', { path: 'code.ts' }],
    ['search_files', { query: 'quoted' }],
    ['read_file', { path: 'none.txt' }],
  ]
  for (const [name, args] of calls) {
    const { content, structuredContent } = await client.call(name, args)
    const { text } = content[0]
    expect(Buffer.byteLength(text)).toBeLessThan(25_000 * 3)
    if (structuredContent === undefined) continue
    const said = structuredContent.text ?? JSON.stringify(structuredContent)
    expect(said).toBe(text)
    const bytes = Buffer.byteLength(JSON.stringify(structuredContent))
    expect(bytes).toBeLessThanOrEqual(1.2 * Buffer.byteLength(text))
  }
  const failed = await client.call('read_file', { path: 'none.txt' })
  expect(failed.isError).toBe(true)
  expect(textOf(failed)).toMatch(/^NOT_FOUND: /)
})

test('a result that is too long names the call for the rest, which gives it', async () => {
  const rows = Array.from({ length: 4_000 }, (_, at) => `row ${at} ${'x'.repeat(40)}`)
  const box = sandbox({ 'long.txt': `${rows.join('\n')}\n` })
  const client = await connectStdio(box, { era: '2026-07-28', args: ['--toolset', 'workspace'] })
  const text = textOf(await client.call('workspace_read_file', { path: 'long.txt' }))
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(48 * 1024)
  const [, id, offset] = /recall_tool_result \{"id": "(\w+)", "offset": (\d+)\}/.exec(text)!
  const rest = textOf(await client.call('recall_tool_result', { id, offset: Number(offset) }))
  expect(rest).toContain('row 100 ')
})

test('a read after a write shows it, though both were sent at once', async () => {
  const client = await connectStdio(sandbox(), { era: '2025-11-25' })
  for (let at = 0; at < 5; at++) {
    const content = `line ${at}\n`
    const [, read, review] = await Promise.all([
      client.call('write_text_file', { path: 'a.txt', content }),
      client.call('read_file', { path: 'a.txt' }),
      client.call('review_draft'),
    ])
    expect(textOf(read)).toContain(`line ${at}`)
    expect(textOf(review)).toContain('a.txt')
  }
})

test('a call that is cancelled while it waits for the one before has no effect', async () => {
  const client = await connectStdio(sandbox(), { era: '2025-11-25' })
  const first = client.call('write_text_file', { path: 'a.txt', content: 'a\n'.repeat(1_000_000) })
  const second = client.call('write_text_file', { path: 'b.txt', content: 'b\n' })
  client.tell('notifications/cancelled', { requestId: client.lastId() })
  second.catch(() => {}) // a cancelled request has no answer
  await first
  const review = textOf(await client.call('review_draft'))
  expect(review).toContain('a.txt')
  expect(review).not.toContain('b.txt')
})

test('a picture comes as one', async () => {
  const client = await connectStdio(sandbox({ 'dot.png': png() }), { era: '2026-07-28' })
  const { content } = await client.call('read_file', { path: 'dot.png' })
  expect(content.map(({ type }: Message) => type)).toEqual(['text', 'image'])
  expect(content[1].mimeType).toMatch(/^image\//)
  expect(Buffer.from(content[1].data, 'base64').length).toBeGreaterThan(50)
})

test('a draft of another session is worked on by its id, and one that does not exist by none', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const client = await connectStdio(box, { era: '2025-11-25' })
  await client.call('write_text_file', { path: 'standing.txt', content: 's\n' })
  const [draft] = await drafts(box)
  await client.call('edit_text_file', {
    path: 'a.txt',
    edits: [{ search: 'a', replace: 'b' }],
    draft_id: draft.id,
  })
  expect(textOf(await client.call('review_draft', { draft_id: draft.id }))).toMatch(/a\.txt/)
  const none = await client.call('read_file', { path: 'a.txt', draft_id: 'drf_none' })
  expect(none.isError).toBe(true)
  expect(textOf(none)).toContain(draft.id)
  expect(box.read('a.txt')).toBe('a\n')
})

test('a frame that is no message gets an error, and the session goes on', async () => {
  const client = await connectStdio(sandbox({ 'a.txt': 'a\n' }), { era: '2025-11-25' })
  const wrong: [string, number][] = [
    ['{"jsonrpc":"2.0","id":', -32700],
    ['nonsense', -32700],
    ['[]', -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['"text"', -32600],
    ['{"id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","method":7}', -32600],
    ['{"jsonrpc":"2.0","method":"tools/list","params":[]}', -32600],
    [
      `{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":"${'x'.repeat(21 * 1024 * 1024)}"}}`,
      -32600,
    ],
  ]
  for (const [line, code] of wrong) expect((await client.raw(line)).error.code).toBe(code)
  const strange = client.ask('no/such/method')
  await expect(strange).rejects.toMatchObject({ code: -32601 })
  await expect(client.ask('tools/call', { name: 7 })).rejects.toBeInstanceOf(RpcFailure)
  expect(textOf(await client.call('read_file', { path: 'a.txt' }))).toContain('1|a')
})

test('it ends when the host closes the pipe, and when the host is killed', async () => {
  const closed = await connectStdio(sandbox(), { era: '2026-07-28' })
  const ended = exitOf(closed.child)
  closed.child.stdin!.end()
  expect(await ended).toBe(0)

  // The other end of its pipe stays open here: only the missing parent tells that the host is gone.
  const { bin, dir, state } = sandbox()
  const script = `
    const { spawn } = require('node:child_process')
    const holder = spawn('sleep', ['60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const server = spawn(process.execPath, [process.argv[1], 'mcp'], { stdio: [holder.stdout, 'ignore', 'ignore'] })
    console.log(server.pid)
    setInterval(() => {}, 1000)`
  const env = { PATH: process.env.PATH, FILEWRIGHT_STATE: state, HOME: dir }
  const host = spawn(process.execPath, ['-e', script, bin], { cwd: dir, env })
  const pid = Number(await untilSays(host, /^\d+/))
  await expect.poll(() => existsSync(join(state, 'owner.sock'))).toBe(true)
  host.kill('SIGKILL')
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('a long call says that it is under way, where the host asks for that', async () => {
  const box = sandbox()
  const client = await connectStdio(box, { era: '2025-11-25' })
  await client.call('write_text_file', { path: 'a.txt', content: 'a\n' })
  const asked = client.call('publish_draft', {}, { _meta: { progressToken: 'p' } })
  await expect.poll(() => client.told.length).toBeGreaterThan(1)
  const [first, second] = client.told
  expect(first).toMatchObject({ method: 'notifications/progress', params: { progressToken: 'p' } })
  expect(second.params.progress).toBeGreaterThan(first.params.progress)
  client.tell('notifications/cancelled', { requestId: client.lastId() })
  asked.catch(() => {}) // a cancelled request has no answer
  expect(textOf(await client.call('review_draft'))).toContain('is open')
  expect(box.exists('a.txt')).toBe(false)
})

test('files and drafts are resources, in pages, and common jobs are prompts', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 230 }, (_, at) => [
      `many/${String(at).padStart(3, '0')} ä.txt`,
      `${at}\n`,
    ]),
  )
  for (const era of ['2026-07-28', '2025-11-25'] as const) {
    const client = await connectStdio(sandbox(files), { era })
    await client.call('write_text_file', { path: 'new.txt', content: 'new\n' })
    const first = await client.ask('resources/list')
    const second = await client.ask('resources/list', { cursor: first.nextCursor })
    const uris = [...first.resources, ...second.resources].map(({ uri }: Message) => uri)
    expect(uris[0]).toMatch(/^filewright:\/\/drafts\/drf_/)
    expect(new Set(uris).size).toBe(231)
    expect(second.nextCursor).toBeUndefined()
    const read = async (uri: string) =>
      (await client.ask('resources/read', { uri })).contents[0].text
    expect(await read(uris[1])).toContain('1|0')
    expect(await read(uris[0])).toContain('new.txt')
    expect(await read('filewright://files/new.txt')).toContain('1|new') // as the draft has it
    for (const uri of ['filewright://files/none', 'file:///etc/passwd', 'filewright://files/../x'])
      await expect(read(uri)).rejects.toMatchObject({ code: -32602 })
    expect((await client.ask('resources/templates/list')).resourceTemplates).toHaveLength(2)

    const { prompts } = await client.ask('prompts/list')
    expect(names(prompts)).toContain('edit_file')
    const given = { path: 'a.xlsx', change: 'add a total' }
    const prompt = await client.ask('prompts/get', { name: 'edit_file', arguments: given })
    expect(prompt.messages[0].content.text).toContain('In a.xlsx: add a total')
    const wrong = client.ask('prompts/get', { name: 'edit_file', arguments: {} })
    await expect(wrong).rejects.toMatchObject({ code: -32602 })
  }
})

test('other commands do not load the library', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const { code, stderr } = await box.run(['call', 'read_file', '{"path":"a.txt"}'], {
    env: { NODE_DEBUG: 'module' },
  })
  expect(code).toBe(0)
  expect(stderr).not.toContain('mcp-sdk')
  const served = await box.run(['mcp'], { env: { NODE_DEBUG: 'module' }, input: '' })
  expect(served.stderr).toContain('mcp-sdk')
})

function names(tools: readonly Message[]): string[] {
  return tools.map(({ name }) => name)
}

/** What a host hands on to its model. */
function shownPart({ name, description, inputSchema }: Message) {
  return { name, description, inputSchema }
}

async function drafts(box: Sandbox): Promise<Message[]> {
  return JSON.parse((await box.run(['draft', 'list', '--json'])).stdout)
}

function exitOf(child: { once(event: 'exit', done: (code: number | null) => void): unknown }) {
  return new Promise<number | null>(resolve => child.once('exit', resolve))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** 8 × 8, grey. */
function png(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length)
    body.copy(out, 4)
    out.writeUInt32BE(crc(body), body.length + 4)
    return out
  }
  const head = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 0])
  const rows = Buffer.alloc(8 * 9, 0x80)
  for (let row = 0; row < 8; row++) rows[row * 9] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc(bytes: Buffer): number {
  let value = ~0
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return ~value >>> 0
}
