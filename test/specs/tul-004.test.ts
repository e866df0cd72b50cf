import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createMemoryWorkspace, errno } from '@filewright/client'
import { COMMON_CODES, LIMITS, turnEnvelopeSchema } from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Answer, type Embedded, embedded } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'
import { attachIndependent } from './independent-client.ts'

const CREATE = 'workspace_create_file'
const FILE = { path: 'src/New.ts', content: 'export {}\n' }

describe('the server forwards and touches nothing', () => {
  verifies(
    [
      'TUL-004 §1 server touches nothing',
      'TUL-004 §2.2 no server I/O',
      'TUL-004 §3.1 server routes',
      'TUL-004 §3.1 client does the work',
      'TUL-004 §6.1 no I/O',
    ],
    'while another client holds the call, and after it answered, the server has written no file',
    async () => {
      const product = await embedded({ 'a.txt': 'a\n' })
      await product.detach()
      const other = await attachIndependent(product, { isHeld: true })
      const before = everyFile(product)
      const calling = product.call(CREATE, FILE)
      await vi.waitFor(
        () => expect(other.requests).toMatchObject([{ method: 'tool-call' }]),
        PATIENCE,
      )
      expect(everyFile(product)).toEqual(before)
      other.release()
      expect(await calling).toMatchObject({ success: true, created: true, path: 'src/New.ts' })
      expect(everyFile(product)).toEqual(before)
      expect([...other.files.keys()]).toEqual(['src/new.ts'])
      other.close()
    },
  )

  verifies(
    'TUL-004 §3.2 never I/O',
    'a server that knows no folder at all has a file created through its client, and reads it',
    async () => {
      const workspace = createMemoryWorkspace()
      const product = await embedded({}, { workspace })
      expect(await product.call(CREATE, FILE)).toMatchObject({ success: true, created: true })
      expect(readdirSync(product.dir)).toEqual([])
      const read = await product.call('workspace_read_file', { path: FILE.path })
      expect(read.file).toMatchObject({ path: 'src/New.ts', content: FILE.content })
    },
  )

  verifies(
    'TUL-004 §1 client executes',
    'with no client attached the call fails and no file appears anywhere',
    async () => {
      const product = await embedded()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      await product.detach()
      await vi.advanceTimersByTimeAsync(10_000)
      const before = everyFile(product)
      const answer = await product.call(CREATE, FILE)
      expect(answer).toMatchObject({ success: false, errorCode: 'CLIENT_GONE' })
      expect(everyFile(product)).toEqual(before)
    },
  )

  verifies(
    'CONTRACT §4 workspace_create_file checked on the server',
    'arguments that do not fit never reach the client',
    async () => {
      const product = await embedded()
      for (const args of [{ path: 'a.txt' }, { path: 1, content: '' }, { content: '' }])
        expect(await product.call(CREATE, args)).toMatchObject({ errorCode: 'INVALID_ARGUMENT' })
      expect(product.logged.filter(({ event }) => event.startsWith('Tool.CreateFile'))).toEqual([])
    },
  )
})

describe('the turn', () => {
  verifies(
    [
      'TUL-004 §3.2 turn envelope',
      'TUL-004 §6.1 in the envelope',
      'TUL-004 §3.3 reads the envelope',
    ],
    'the call reaches a client in its turn envelope, which names it by id, name and arguments',
    async () => {
      const product = await embedded()
      await product.detach()
      const other = await attachIndependent(product)
      const answer = await product.call(CREATE, FILE)
      const { turn } = other.requests[0]!.params
      expect(turnEnvelopeSchema.parse(turn)).toEqual({
        kind: 'client_tool_continuation',
        sessionId: product.sessionId,
        conversationId: answer.conversationId,
        turnId: answer.turnId,
        toolCalls: [
          { toolCallId: answer.toolCallId, name: CREATE, argumentsJson: JSON.stringify(FILE) },
        ],
      })
      other.close()
    },
  )

  verifies(
    [
      'TUL-004 §3.1 server records',
      'TUL-004 §3.2 stores history',
      'TUL-004 §6.1 result attached',
      'TUL-004 §6.2 result sent back',
    ],
    'request and result of a call are in the history of its session under the same turn',
    async () => {
      const product = await embedded()
      const answer = await product.call(CREATE, FILE)
      const { value } = await product.ask('log', { params: { sessionId: product.sessionId } })
      const rows = value.rows.map((row: Answer) => row.body)
      const { toolCallId: tool_call_id, turnId: turn_id } = answer
      const start = rows.find((row: Answer) => row.type === 'call-start')
      expect(start).toMatchObject({ tool_call_id, turn_id, name: CREATE })
      expect(JSON.parse(start.arguments)).toEqual(FILE)
      const result = rows.filter((row: Answer) => row.tool_call_id === tool_call_id).at(-1)
      expect(result).toMatchObject({ type: 'tool_result', success: true })
      expect(result.content).toContain(answer.hash)
    },
  )
})

describe('what the client answers', () => {
  verifies(
    [
      'TUL-004 §3.1 client hashes',
      'TUL-004 §3.3 canonical hash',
      'TUL-004 §3.3 response contract',
      'TUL-004 §5.1 hash of final bytes',
      'TUL-004 §6.2 returns the payload',
    ],
    'answers parse as declared, and the hash is that of the bytes a read finds',
    async () => {
      const product = await embedded({ 'crlf.txt': 'old\r\n' })
      const { output } = findTool(CREATE)!.declaration
      const created = await product.call(CREATE, { path: 'a.txt', content: 'ä\r\nb\rc' })
      expect(output.safeParse(created).success).toBe(true)
      expect(product.read('a.txt')).toBe('ä\nb\nc')
      expect(created.hash).toBe(sha256(readFileSync(join(product.dir, 'a.txt'))))
      const replaced = await product.call(CREATE, {
        path: 'crlf.txt',
        content: 'new\n',
        overwrite: true,
      })
      expect(product.read('crlf.txt')).toBe('new\r\n')
      expect(replaced).toMatchObject({ hash: sha256('new\n'), sha256: sha256('new\r\n') })
      const refused = await product.call(CREATE, { path: 'a.txt', content: '' })
      expect(refused).toMatchObject({ success: false, errorCode: 'FileExists' })
      expect(typeof refused.message).toBe('string')
    },
  )

  verifies(
    'CONTRACT §2 replacing keeps CRLF',
    'the person who is asked and the model learn how replacing changes the form of a file',
    async () => {
      const latin = new Uint8Array([0xfc, 0x0a])
      const forms: [string, string | Uint8Array, string][] = [
        ['crlf.txt', 'old\r\n', 'The file had CRLF line ends and keeps them'],
        ['latin.txt', latin, 'The file was windows-1252 and is UTF-8 now.'],
        ['bom.txt', '\ufeffold\n', 'The file had a byte order mark and has none now.'],
      ]
      const product = await embedded(Object.fromEntries(forms))
      for (const [path, , warning] of forms) {
        const args = { path, content: 'new\n', overwrite: true }
        const told = [expect.stringContaining(warning)]
        const { approvalId } = await product.call(CREATE, args, { approve: 'ask' })
        expect((await product.ask('listApprovals')).value).toMatchObject([{ warnings: told }])
        const body = { decision: 'approved' }
        const { value } = await product.ask('decide', { params: { approvalId }, body })
        expect(value.outcome.outcome.envelope).toMatchObject({ success: true, warnings: told })
        product.write(path, 'old\r\n')
        expect((await product.call(CREATE, args)).warnings.join()).toContain('CRLF')
      }
    },
  )

  verifies(
    'CONTRACT §5 rebased is said',
    'a replaced file that had changed meanwhile is reported as different from the content that was sent',
    async () => {
      const lines = 'a\nb\nc\nd\ne\nf\ng\n'
      const product = await embedded({ 'a.txt': lines })
      const args = { path: 'a.txt', content: lines.replace('a', 'A'), overwrite: true }
      const { approvalId } = await product.call(CREATE, args, { approve: 'ask' })
      product.write('a.txt', lines.replace('g', 'G'))
      const body = { decision: 'approved' }
      const { value } = await product.ask('decide', { params: { approvalId }, body })
      expect(product.read('a.txt')).toBe('A\nb\nc\nd\ne\nf\nG\n')
      expect(value.outcome.outcome.envelope).toMatchObject({
        success: true,
        warnings: [expect.stringContaining('"a.txt" had changed meanwhile')],
      })
    },
  )

  verifies(
    'TUL-004 §5.1 resolved against the root',
    'a relative path is relative to the workspace, not to the process',
    async () => {
      const product = await embedded()
      await product.call(CREATE, { path: 'only-here.tmp', content: 'x' })
      expect(product.read('only-here.tmp')).toBe('x')
      expect(existsSync(join(process.cwd(), 'only-here.tmp'))).toBe(false)
    },
  )

  verifies(
    'TUL-004 §5.1 existing not written',
    'on FileExists the file keeps bytes, time, mode and inode',
    async () => {
      const product = await embedded({ 'a.txt': 'old' })
      const path = join(product.dir, 'a.txt')
      chmodSync(path, 0o640)
      const facts = () => {
        const { mode, mtimeMs, ctimeMs, ino } = statSync(path)
        return { mode, mtimeMs, ctimeMs, ino, text: product.read('a.txt') }
      }
      const before = facts()
      for (const overwrite of [false, undefined])
        expect(
          await product.call(CREATE, { path: 'A.txt', content: 'new', overwrite }),
        ).toMatchObject({ errorCode: 'FileExists' })
      expect(facts()).toEqual(before)
    },
  )

  verifies(
    [
      'TUL-004 §5.2 no resolution outside',
      'TUL-004 §3.1 client enforces safety',
      'TUL-004 §3.3 validates and confines',
    ],
    'the client itself refuses a path out of the root with InvalidPath, and large content with TooLarge',
    async () => {
      const product = await embedded({ 'in/a.txt': 'a' })
      const outside = join(product.dir, '..', 'outside')
      mkdirSync(outside)
      symlinkSync(outside, join(product.dir, 'link'))
      symlinkSync(join(outside, 'b.txt'), join(product.dir, 'file-link'))
      const paths = [
        '../b.txt',
        'in/../../outside/b.txt',
        'link/b.txt',
        'file-link',
        '/b.txt',
        'D:b.txt',
      ]
      for (const path of paths)
        for (const overwrite of [false, true])
          expect(await product.call(CREATE, { path, content: 'x', overwrite }), path).toMatchObject(
            {
              success: false,
              errorCode: 'InvalidPath',
            },
          )
      expect(readdirSync(outside)).toEqual([])
      // it was the client that refused
      await vi.waitFor(() => expect(executed(product)).toHaveLength(2 * paths.length), PATIENCE)
    },
  )

  verifies(
    'TUL-004 §7.6 gate still asks',
    'a create waits for a person, and nothing is written before the answer',
    async () => {
      const product = await embedded()
      const pending = await product.call(CREATE, FILE, { approve: 'ask' })
      expect(pending).toMatchObject({ pending: true, approvalId: expect.any(String) })
      expect(readdirSync(product.dir)).toEqual([])
      const params = { approvalId: pending.approvalId }
      const { value } = await product.ask('decide', { params, body: { decision: 'approved' } })
      expect(value.outcome.outcome.envelope).toMatchObject({ success: true, created: true })
      expect(product.read('src/New.ts')).toBe(FILE.content)
    },
  )
})

describe('failures', () => {
  verifies(
    ['TUL-004 §5.3 TooLarge'],
    'content over the limit is TooLarge and not written; content of the limit is',
    async () => {
      const product = await embedded()
      const most = 'x'.repeat(LIMITS.textFileBytes)
      expect(await product.call(CREATE, { path: 'a.txt', content: `${most}x` })).toMatchObject({
        errorCode: 'TooLarge',
        kind: 'limit',
      })
      expect(readdirSync(product.dir)).toEqual([])
      const answer = await product.call(CREATE, { path: 'a.txt', content: most })
      expect(answer).toMatchObject({ success: true, sizeBytes: LIMITS.textFileBytes })
    },
  )

  verifies(
    [
      'TUL-004 §5.1 parents failed',
      'TUL-004 §5.3 DirectoryCreateFailed',
      'CONTRACT §4 workspace_create_file removes folders',
    ],
    'a parent that cannot be created is DirectoryCreateFailed, and folders created on the way are removed',
    async () => {
      const workspace = createMemoryWorkspace({ 'taken/file': 'x' })
      const product = await embedded({}, { workspace })
      for (const approve of ['all', 'ask'] as const) {
        const args = { path: 'taken/file/a.txt', content: 'x' }
        const blocked = await product.call(CREATE, args, { approve })
        expect(blocked).toMatchObject({ success: false, errorCode: 'DirectoryCreateFailed' })
      }
      workspace.disk.beforeStep = step => {
        if (step.do === 'add' && step.name === 'deep') throw errno('EACCES', 'injected')
      }
      const denied = await product.call(CREATE, { path: 'new/deep/a.txt', content: 'x' })
      expect(denied).toMatchObject({ success: false, errorCode: 'DirectoryCreateFailed' })
      expect([...workspace.disk.root.entries.keys()]).toEqual(['taken'])
      workspace.disk.beforeStep = step => {
        if (step.do === 'add') throw errno('EACCES', 'a folder that nothing may be added to')
      }
      const closed = await product.call(CREATE, { path: 'taken/deep/a.txt', content: 'x' })
      expect(closed).toMatchObject({ success: false, errorCode: 'DirectoryCreateFailed' })
      expect(closed.message).toContain('"taken/deep"')
    },
  )

  verifies(
    ['TUL-004 §5.3 WriteFailed', 'TUL-004 §5.4 nothing partial after an error'],
    'a full disk and a file that is read-only are WriteFailed; the target is as before',
    async () => {
      const workspace = createMemoryWorkspace({ 'a.txt': 'old' })
      const product = await embedded({}, { workspace })
      for (const kind of ['write', 'sync-file', 'move']) {
        workspace.disk.beforeStep = step => {
          if (step.do === kind) throw errno('ENOSPC', 'injected')
        }
        const answer = await product.call(CREATE, {
          path: 'a.txt',
          content: 'new',
          overwrite: true,
        })
        workspace.disk.beforeStep = undefined
        if (answer.success) continue // this disk needs no such step
        expect(answer).toMatchObject({ errorCode: 'WriteFailed', kind: 'unavailable' })
        expect([...workspace.disk.root.entries.keys()]).toEqual(['a.txt'])
        const read = await product.call('workspace_read_file', { path: 'a.txt' })
        expect(read.file.content).toBe('old')
      }
      const onDisk = await embedded({ 'a.txt': 'old' })
      chmodSync(join(onDisk.dir, 'a.txt'), 0o444)
      expect(
        await onDisk.call(CREATE, { path: 'a.txt', content: 'new', overwrite: true }),
      ).toMatchObject({ errorCode: 'WriteFailed' })
      expect(readdirSync(onDisk.dir)).toEqual(['a.txt'])
    },
  )

  verifies(
    'TUL-004 §5.3 HashFailed',
    'a file that changes between its writing and its hashing is HashFailed',
    async () => {
      const workspace = createMemoryWorkspace()
      const read = workspace.read.bind(workspace)
      const product = await embedded(
        {},
        {
          workspace: {
            ...workspace,
            async read(path, options) {
              if (path === 'a.txt') workspace.disk.writeFile('a.txt', Buffer.from('another editor'))
              return read(path, options)
            },
          },
        },
      )
      const answer = await product.call(CREATE, { path: 'a.txt', content: 'ours' })
      expect(answer).toMatchObject({ success: false, errorCode: 'HashFailed', path: 'a.txt' })
      expect(answer.message).toContain('was written')
    },
  )

  verifies(
    'TUL-004 §5.3 UnhandledException',
    'an unexpected fault is UnhandledException; its cause is only in the log of the client',
    async () => {
      const workspace = createMemoryWorkspace()
      const broken = {
        ...workspace,
        locate: async () => {
          throw new Error('the gears jammed')
        },
      }
      const product = await embedded({}, { workspace: broken })
      const answer = await product.call(CREATE, FILE)
      expect(answer).toMatchObject({
        success: false,
        errorCode: 'UnhandledException',
        kind: 'internal',
      })
      expect(JSON.stringify(answer)).not.toContain('gears')
      expect(product.logged).toContainEqual({
        event: 'client error',
        error: 'Error: the gears jammed',
      })
      await vi.waitFor(() => expect(executed(product)).toHaveLength(1), PATIENCE)
      expect(executed(product)[0]).toMatchObject({
        Success: false,
        ErrorCode: 'UnhandledException',
      })
    },
  )

  verifies(
    'TUL-004 §5.3 message clear',
    'each failure says what was not done and what would work, and nothing about the machine',
    async () => {
      const product = await embedded({ 'a.txt': 'old', 'locked.txt': 'old' })
      chmodSync(join(product.dir, 'locked.txt'), 0o444)
      const content = 'x'
      const answers = [
        await product.call(CREATE, { path: 'a.txt', content }),
        await product.call(CREATE, { path: '../a.txt', content }),
        await product.call(CREATE, { path: 'a.txt/b.txt', content }),
        await product.call(CREATE, { path: 'locked.txt', content, overwrite: true }),
        await product.call(CREATE, {
          path: 'b.txt',
          content: 'x'.repeat(LIMITS.textFileBytes + 1),
        }),
      ]
      const declared = [
        ...Object.keys(COMMON_CODES),
        ...Object.keys(findTool(CREATE)!.declaration.failures),
      ]
      for (const { errorCode, message } of answers) {
        expect(declared).toContain(errorCode)
        expect(message).toMatch(/^(Nothing was written|Cannot use)/)
        expect(message).toMatch(/[Uu]se |Split|overwrite: true|must allow/)
        expect(message).not.toContain(product.dir)
        expect(message).not.toMatch(/\bat \w+ \(|node:|\.ts:\d|syscall/)
      }
    },
  )

  // The replaced file is moved away first, so that an editor's bytes are never lost: for that moment there is no file.
  verifies(
    'TUL-004 §5.4 atomic write',
    'a reader in another process sees the old file, the new one, or for a moment none; never a part',
    async () => {
      const size = 100_000
      const product = await embedded({ 'a.txt': 'a'.repeat(size) })
      const reader = watchFile(join(product.dir, 'a.txt'), size)
      // on a busy machine the reader may sleep through many writes: then make some more
      for (let i = 0; i < 12 || reader.reads() < 12; i++)
        await product.call(CREATE, {
          path: 'a.txt',
          content: (i % 2 ? 'a' : 'b').repeat(size),
          overwrite: true,
        })
      const { reads, odd } = await reader.stop()
      expect(reads).toBeGreaterThanOrEqual(12)
      expect(odd).toEqual([])
    },
  )
})

describe('structured logs', () => {
  const where = ['SessionId', 'ConversationId', 'TurnId']

  verifies(
    [
      'TUL-004 §3.2 logs forwarding',
      'TUL-004 §6.1 event Forwarded',
      'TUL-004 §6.1 event ResultReceived',
      'TUL-004 §6.2 event Executed',
      'TUL-004 §3.3 logs execution',
    ],
    'a create is logged as forwarded, executed and received, with these fields and no others',
    async () => {
      const product = await embedded()
      const args = { path: 'Src/Secret.txt', content: 'the secret content', overwrite: true }
      const answer = await product.call(CREATE, args)
      await vi.waitFor(() => expect(executed(product)).toHaveLength(1), PATIENCE)
      const place = {
        SessionId: product.sessionId,
        ConversationId: answer.conversationId,
        TurnId: answer.turnId,
      }
      const result = { Success: true, ErrorCode: null, SizeBytes: 18, Hash: answer.hash }
      const target = { Path: 'Src/Secret.txt', Overwrite: true }
      expect(fieldsOf(product, 'Tool.CreateFile.Forwarded')).toEqual([
        { ...place, ToolName: CREATE, ...target },
      ])
      expect(fieldsOf(product, 'Tool.CreateFile.Executed')).toEqual([
        { ...place, ...target, ...result },
      ])
      expect(fieldsOf(product, 'Tool.CreateFile.ResultReceived')).toEqual([{ ...place, ...result }])
      expect(JSON.stringify(product.logged)).not.toContain('the secret content')
    },
  )

  verifies(
    'TUL-004 §6.2 event Executed on failure',
    'a failed create is logged as executed and received with its code, and nothing of its content',
    async () => {
      const product = await embedded({ 'a.txt': 'x' })
      await product.call(CREATE, { path: 'a.txt', content: 'other words' })
      await vi.waitFor(() => expect(executed(product)).toHaveLength(1), PATIENCE)
      const failed = { Success: false, ErrorCode: 'FileExists', SizeBytes: null, Hash: null }
      expect(executed(product)[0]).toMatchObject({ Path: 'a.txt', Overwrite: false, ...failed })
      expect(fieldsOf(product, 'Tool.CreateFile.ResultReceived')[0]).toMatchObject(failed)
      expect(JSON.stringify(product.logged)).not.toContain('other words')
    },
  )

  test('a create that a person approves later is received once, when it ends', async () => {
    const product = await embedded()
    const { approvalId } = await product.call(CREATE, FILE, { approve: 'ask' })
    expect(fieldsOf(product, 'Tool.CreateFile.ResultReceived')).toEqual([])
    await product.ask('decide', {
      params: { approvalId },
      body: { decision: 'denied', reason: 'no' },
    })
    const received = fieldsOf(product, 'Tool.CreateFile.ResultReceived')
    expect(received).toMatchObject([{ Success: false, ErrorCode: 'DENIED' }])
    expect(Object.keys(received[0]!)).toEqual([
      ...where,
      'Success',
      'ErrorCode',
      'SizeBytes',
      'Hash',
    ])
  })
})

function executed(product: Embedded) {
  return fieldsOf(product, 'Tool.CreateFile.Executed')
}

function fieldsOf(product: Embedded, name: string): Record<string, unknown>[] {
  return product.logged
    .filter(({ event }) => event === name)
    .map(({ event: _, time: __, level: ___, ...fields }) => fields)
}

/** Every file of the workspace and of the client's state, with its bytes. */
function everyFile(product: Embedded): Record<string, string> {
  const files: Record<string, string> = {}
  for (const root of [product.dir, product.stateRoot])
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name)
        files[path] = sha256(readFileSync(path))
      }
  return files
}

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Reads the file again and again in a separate process; content that is neither all `a` nor all `b` is odd. */
function watchFile(path: string, size: number) {
  const stop = `${path}.stop`
  const script = `
    const fs = require('fs'); let reads = 0; const odd = []
    while (!fs.existsSync(${JSON.stringify(stop)})) {
      let text = ''
      try { text = fs.readFileSync(${JSON.stringify(path)}, 'latin1') } catch { continue }
      if (++reads <= 12) process.stdout.write('.')
      if (text.length !== ${size} || !/^(a*|b*)$/.test(text)) odd.push(text.length)
    }
    console.log(JSON.stringify({ reads, odd }))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString()
  })
  const ended = new Promise(resolve => child.on('close', resolve))
  return {
    /** The part printed so far; it counts only to twelve. */
    reads: () => output.length,
    async stop(): Promise<{ reads: number; odd: number[] }> {
      writeFileSync(stop, '')
      await ended
      return JSON.parse(output.replace(/^\.+/, ''))
    },
  }
}
