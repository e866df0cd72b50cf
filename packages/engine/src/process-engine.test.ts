import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type StoredBytes, unwrap } from '@filewright/protocol'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../test/verifies.ts'
import { append, engineContract, lines, nameOf, TRAP, textOf } from './engine.contract.ts'
import type { Engine } from './engine.ts'
import {
  createProcessEngine,
  type ProcessEngineOptions,
  secondTry,
  type Trouble,
} from './process-engine.ts'

const built = (file: string) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url))
const command = [process.execPath, built('testing/trap-host.js')]
const BOUND = { timeoutMs: 400 }
const MEMORY = 220 * 1024 * 1024
const CATASTROPHE = { source: '^(a+)+$' } // doubles its time with every letter
const LETTERS = `${'a'.repeat(60)}!`

engineContract('the engine in a child process', () => createProcessEngine({ command }))

const engines: Engine[] = []
afterEach(() => Promise.all(engines.splice(0).map(engine => engine.close())))

/** An engine that records the children it started and its faults. */
function start(options: Partial<ProcessEngineOptions> = {}) {
  const pids: number[] = []
  const troubles: Trouble[] = []
  const engine = createProcessEngine({
    command,
    memoryBytes: MEMORY,
    processes: 1, // what several do is in pool.test.ts
    timeoutMs: 240_000, // what is stopped here by its memory is not stopped by its time
    onStart: pid => pids.push(pid),
    onTrouble: trouble => troubles.push(trouble),
    ...options,
  })
  engines.push(engine)
  return { engine, pids, troubles }
}

/** The call fails with the expected message and the session continues: a draft opened before answers as before. */
async function survives(
  call: (engine: Engine) => Promise<unknown>,
  failure: { code: string; message: RegExp },
) {
  const { engine, pids, troubles } = start()
  const draft = lines('draft', 'one')
  unwrap(await engine.apply(draft, append('two'), '1'))
  const after = lines('draft', 'one', append('two'), '1')

  const { code, message } = failure
  expect(await call(engine)).toMatchObject({
    ok: false,
    failure: { code, message: expect.stringMatching(message) },
  })
  expect(await textOf(engine, after)).toBe('one\ntwo')
  for (const pid of pids.slice(0, -1)) await expectGone(pid)
  return { pids, troubles, loads: after.loads }
}

test('closing in the midst of a request holds the parent until the child is gone', async () => {
  const script = `
    import { createProcessEngine } from ${JSON.stringify(new URL('../dist/process-engine.js', import.meta.url))}
    const engine = createProcessEngine({ command: ${JSON.stringify(command)} })
    const bytes = Buffer.from('one')
    const name = { docPath: 'a.txt', path: 'a.txt' }
    const load = async () => ({ ok: true, value: { bytes, log: [] } })
    await engine.map({ key: 'a', format: 'text', name, state: '0', load })
    for (let i = 0; i < 100; i++) engine.forget('a')
    await new Promise(setImmediate)
    await engine.close()
    process.stdout.write('closed')
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
  let said = ''
  child.stdout.on('data', text => (said += text))
  const [code] = await once(child, 'close')
  expect({ code, said }).toEqual({ code: 0, said: 'closed' })
})

test('no child is started before it is needed, nor to forget', async () => {
  const { engine, pids } = start()
  engine.forget('nothing')
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(pids).toEqual([])
})

verifies(
  'CONTRACT §8 hostile work in a child',
  'documents are opened in another process',
  async () => {
    const { engine, pids } = start()
    const mapped = await engine.map(lines('a', 'trap:crash')) // would end this process too
    expect(mapped).toMatchObject({ ok: false })
    expect(pids).toHaveLength(1)
    expect(pids).not.toContain(process.pid)
  },
)

verifies(
  'CONTRACT §8 child killed by time',
  'work without end is stopped at the bound',
  async () => {
    const { pids, loads } = await survives(
      engine => engine.map(lines('endless', 'trap:hang'), BOUND),
      {
        code: 'TIMEOUT',
        message: /^Cannot map "endless.trap": it took longer than 0.4 s.* Read one/,
      },
    )
    expect(pids).toHaveLength(2)
    expect(loads).toBe(1)
  },
)

verifies(
  ['CONTRACT §8 child killed by time', 'CONTRACT §8 hostile work in a child'],
  'a regular expression that would run for years is stopped at the bound',
  async () => {
    const query = { regex: CATASTROPHE, maxHits: 5 }
    const failure = { code: 'TIMEOUT', message: /simpler regular expression/ }
    await survives(engine => engine.search(lines('letters', LETTERS), query, BOUND), failure)
    const bytes = new TextEncoder().encode(LETTERS)
    const files = [{ state: 'a', source: { format: TRAP, name: nameOf('a.trap'), bytes } }]
    await survives(engine => engine.searchFiles(files, query, BOUND), failure)
  },
)

verifies('CONTRACT §8 child killed by memory', 'a heap without end is stopped', async () => {
  const { troubles } = await survives(engine => engine.map(lines('heap', 'trap:heap')), {
    code: 'TOO_LARGE',
    message: /it took more than 220 MB of memory and was stopped/,
  })
  expect(troubles.map(trouble => trouble.cause)).toEqual(['memory', 'memory'])
})

verifies('CONTRACT §8 child killed by memory', 'buffers without end are stopped', () =>
  survives(engine => engine.apply(lines('bytes', 'one'), append('trap:bytes'), 'n'), {
    code: 'TOO_LARGE',
    message: /^Nothing was written: .*more than 220 MB/,
  }),
)

test('a request that filled its child gets the rest of its time in the next one, and a second at least', () => {
  const limits = { timeoutMs: 3_000 }
  expect(secondTry({ workedMs: 500 }, limits)).toEqual({ timeoutMs: 2_500 })
  expect(secondTry({ workedMs: 2_900 }, limits)).toEqual({ timeoutMs: 1_000 })
  expect(secondTry({ workedMs: 2_900 }, { timeoutMs: 400 })).toEqual({ timeoutMs: 400 })
})

test('memory that earlier calls left behind is not held against the next', async () => {
  const { engine, pids } = start()
  for (const i of [1, 2, 3, 4, 5]) unwrap(await engine.map(lines(`greedy ${i}`, 'trap:some-bytes')))
  expect(pids.length).toBeGreaterThan(1)
})

test('a crash is INTERNAL_ERROR with its cause reported', async () => {
  const { troubles } = await survives(engine => engine.map(lines('a', 'trap:crash')), {
    code: 'INTERNAL_ERROR',
    message: /the worker process ended.*other files/,
  })
  expect(troubles).toEqual([{ cause: 'crash', detail: 'SIGSEGV' }])
})

test('a format that ends its thread is a crash', () =>
  survives(engine => engine.map(lines('a', 'trap:exit')), {
    code: 'INTERNAL_ERROR',
    message: /the worker process ended/,
  }))

test('a document that hangs on opening blocks no other', () =>
  survives(engine => engine.read(lines('a', 'open:hang'), {}, { maxBytes: 9 }, BOUND), {
    code: 'TIMEOUT',
    message: /Ask for a smaller region/,
  }))

test('a fault that a format throws is reported with its stack', async () => {
  const { troubles } = await survives(engine => engine.map(lines('a', 'trap:throw')), {
    code: 'INTERNAL_ERROR',
    message: /a fault in Filewright stopped the work/,
  })
  expect(troubles).toMatchObject([
    { cause: 'throw', detail: /a fault in the format\n.*at spring/s },
  ])
})

test('a fault after the answer ends the child, and the next call has a new one', async () => {
  const { engine, pids } = start()
  const folder = await mkdtemp(join(tmpdir(), 'filewright-engine-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const told = join(folder, 'told')
  unwrap(await engine.map(lines('a', `trap:when-told=${told}`)))
  await writeFile(told, '') // only now: a fault and an answer of the same moment may overtake each other
  await expectGone(pids[0]!)
  expect(await textOf(engine, lines('b', 'two'))).toBe('two')
})

test('a program that cannot be started is INTERNAL_ERROR', async () => {
  const { engine, troubles } = start({ command: ['/nowhere/at/all'] })
  expect(await engine.map(lines('a', ''))).toMatchObject({ failure: { code: 'INTERNAL_ERROR' } })
  expect(troubles).toMatchObject([{ detail: /could not be started.*ENOENT/ }])
})

test.skipIf(process.platform === 'win32')(
  'a machine out of open files is reported, and the engine works when some are free again',
  async () => {
    const program = `
      import { openSync, closeSync } from 'node:fs'
      import { createProcessEngine } from ${JSON.stringify(pathToFileURL(built('process-engine.js')))}
      const engine = createProcessEngine({ command: ${JSON.stringify(command)} })
      const bytes = new TextEncoder().encode('one')
      const load = async () => ({ ok: true, value: { bytes, log: [] } })
      const name = { path: 'a.trap', docPath: 'a.trap' }
      const map = () => engine.map({ key: 'a', format: 'text', name, state: 'base', load })
      const held = []
      try { for (;;) held.push(openSync('/dev/null')) } catch {}
      const short = await map()
      for (const file of held) closeSync(file)
      const results = JSON.stringify([short, await map()])
      await engine.close()
      console.log(results)`
    const run = ['-c', 'ulimit -n 256; exec "$0" "$@"', process.execPath]
    const child = spawn('sh', [...run, '--input-type=module', '-e', program])
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', text => (stdout += text))
    child.stderr.on('data', text => (stderr += text))
    await once(child, 'close')
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject([
      { failure: { code: 'LIMIT_REACHED', kind: 'unavailable' } },
      { ok: true, value: { fields: { lines: 1 } } },
    ])
  },
)

test('a child killed between calls is replaced, and answers are the same', async () => {
  const { engine, pids } = start()
  const ref = lines('draft', 'one', append('two'), '1')
  unwrap(await engine.apply(lines('draft', 'one'), append('two'), '1'))
  const before = [await engine.map(ref), await engine.changes(ref), await engine.content(ref)]
  process.kill(pids[0]!, 'SIGKILL') // the next call does not even wait for it to be gone
  const after = [await engine.map(ref), await engine.changes(ref), await engine.content(ref)]
  expect(after).toEqual(before)
  expect(pids).toHaveLength(2)
  await expectGone(pids[0]!)
})

test('a child killed during a call gets a second chance', async () => {
  const { engine, pids } = start()
  const startMs = await timed(() => textOf(engine, lines('warm', '')))
  const ref = lines('a', 'trap:hang')
  const mapping = engine.map(ref, { timeoutMs: 1_500 + 5 * startMs })
  await until(() => ref.loads === 1)
  process.kill(pids[0]!, 'SIGKILL')
  expect(await mapping).toMatchObject({ failure: { code: 'TIMEOUT' } })
  expect(pids).toHaveLength(2)
})

test('calls that wait behind one that is stopped are answered by the next child', async () => {
  const { engine, pids } = start()
  const stopped = engine.map(lines('endless', 'trap:hang'), BOUND)
  const waiting = ['one', 'two', 'three'].map(text => textOf(engine, lines(text, text)))
  expect(await stopped).toMatchObject({ failure: { code: 'TIMEOUT' } })
  expect(await Promise.all(waiting)).toEqual(['one', 'two', 'three'])
  expect(pids).toHaveLength(2)
})

test('waiting for others does not count as time', async () => {
  const { engine } = start()
  const startMs = await timed(() => textOf(engine, lines('warm', '')))
  const enough = 3_000 + 8 * startMs // for a new child, which the second call needs, on a busy machine too
  const stopped = engine.map(lines('endless', 'trap:hang'), { timeoutMs: enough + 300 })
  const waiting = engine.map(lines('patient', 'one'), { timeoutMs: enough })
  expect(await stopped).toMatchObject({ failure: { code: 'TIMEOUT' } })
  expect(await waiting).toMatchObject({ ok: true })
})

test('a cancelled call answers at once, and the next works', async () => {
  const { engine } = start()
  const controller = new AbortController()
  const ref = lines('endless', 'trap:hang')
  const cancelled = engine.map(ref, { signal: controller.signal })
  const queued = engine.map(lines('queued', ''), { signal: controller.signal })
  await until(() => ref.loads === 1)
  controller.abort()
  expect(await cancelled).toMatchObject({ failure: { code: 'CANCELLED' } })
  expect(await queued).toMatchObject({ failure: { code: 'CANCELLED' } })
  expect(await textOf(engine, lines('b', 'two'))).toBe('two')
})

test('closing ends the child, cancels what runs and refuses what comes', async () => {
  const { engine, pids } = start()
  const ref = lines('endless', 'trap:hang')
  const running = engine.map(ref)
  await until(() => ref.loads === 1)
  await engine.close()
  expect(await running).toMatchObject({ failure: { code: 'CANCELLED' } })
  expect(await engine.map(ref)).toMatchObject({ failure: { code: 'CANCELLED' } })
  await expectGone(pids[0]!)
})

test('large files cross whole', async () => {
  const { engine } = start({ memoryBytes: 2 * MEMORY })
  const text = 'x'.repeat(20 * 1024 * 1024)
  const ref = lines('large', text)
  const content = unwrap(await engine.content(ref))
  expect(content.length).toBe(text.length)
  expect(Buffer.compare(content, Buffer.from(text))).toBe(0)
})

test.each(['idle', 'trap:hang'])(
  'a child does not outlive a parent that is killed (%s)',
  async text => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, text, ...command])
    const pid = Number(String((await once(parent.stdout, 'data'))[0]))
    expect(isRunning(pid)).toBe(true)
    parent.kill('SIGKILL')
    await expectEnded(pid)
  },
)

test.each(['idle', 'close'])('a parent ends in peace (%s)', async text => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, text, ...command])
  const exit = once(parent, 'exit') // may come before what it printed
  const pid = Number(String((await once(parent.stdout, 'data'))[0]))
  expect(await exit).toEqual([0, null])
  await expectEnded(pid)
})

/** Maps one document in its own parent process, and reports the child's process id once the work is on its way. */
const PARENT = `
  import { createProcessEngine } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
  const [text, ...command] = process.argv.slice(1)
  let pid
  const engine = createProcessEngine({ command, onStart: started => (pid = started) })
  const load = async () => ({ ok: true, value: { bytes: new TextEncoder().encode(text), log: [] } })
  const mapping = engine.map({ key: 'k', format: 'text', name: { path: 'a', docPath: 'a' }, state: '', load })
  if (text !== 'trap:hang') await mapping
  if (text === 'close') await engine.close()
  else await new Promise(resolve => setTimeout(resolve, 500))
  console.log(pid)
`

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; !condition(); i++) {
    if (i === 6_000) throw new Error('It did not come to pass within 60 s')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

const expectGone = (pid: number) => until(() => !isRunning(pid))

/** Of an orphan: when its zombie is swept away is the business of the machine's first process. */
const expectEnded = (pid: number) => until(() => !isRunning(pid) || isZombie(pid))

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0) // a zombie answers too
    return true
  } catch {
    return false
  }
}

function isZombie(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // gone by now, or a system without /proc
  }
}

test('a file that ends too soon stops the child, and the next call goes on', async () => {
  const { engine, troubles } = start()
  const short: StoredBytes = {
    sizeBytes: 200_000,
    async *stream() {
      yield new Uint8Array(100_000)
    },
  }
  const asked = { format: TRAP, path: 'a.trap', what: 'add up', task: 'sums', input: {} }
  expect(await engine.task({ ...asked, files: [short] })).toMatchObject({
    failure: {
      code: 'LOCKED',
      message: expect.stringMatching(/add up "a.trap": it changed while it was read.*try again/),
    },
  })
  expect(troubles.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('200000 bytes changed while it was read'),
  ])
  expect(unwrap(await engine.task({ ...asked, files: [Uint8Array.of(1)] }))).toEqual([1])
})

test('documents are let go of while a large file is on its way', async () => {
  const { engine } = start()
  unwrap(await engine.map(lines('held', 'one')))
  const slow: StoredBytes = {
    sizeBytes: 3,
    async *stream() {
      yield Uint8Array.of(1)
      engine.forget('held')
      await new Promise(resolve => setTimeout(resolve, 20))
      yield Uint8Array.of(2, 3)
    },
  }
  const asked = { format: TRAP, path: 'a.trap', what: 'add up', task: 'sums', input: {} }
  expect(unwrap(await engine.task({ ...asked, files: [slow] }))).toEqual([6])
  expect(await textOf(engine, lines('held', 'two'))).toBe('two')
})

test('a task has the time of any other call', async () => {
  const { engine } = start()
  const asked = { format: TRAP, path: 'a.trap', what: 'add up', input: {}, files: [] }
  expect(await engine.task({ ...asked, task: 'hang' }, BOUND)).toMatchObject({
    failure: {
      code: 'TIMEOUT',
      message:
        'Cannot add up "a.trap": it took longer than 0.4 s and was stopped. The file is as it was. Ask for less of it at once.',
    },
  })
})
