import { fileURLToPath } from 'node:url'
import { unwrap } from '@filewright/protocol'
import { afterEach, expect, test } from 'vitest'
import { append, engineContract, lines, textOf } from './engine.contract.ts'
import type { Engine } from './engine.ts'
import { createProcessEngine, type ProcessEngineOptions, type Trouble } from './process-engine.ts'

const MB = 2 ** 20
const command = [
  process.execPath,
  fileURLToPath(new URL('../dist/testing/trap-host.js', import.meta.url)),
]

engineContract('an engine of three processes', () => createProcessEngine({ command, processes: 3 }))

const engines: Engine[] = []
afterEach(() => Promise.all(engines.splice(0).map(engine => engine.close())))

function start(options: Partial<ProcessEngineOptions> = {}) {
  const pids: number[] = []
  const troubles: Trouble[] = []
  const engine = createProcessEngine({
    command,
    timeoutMs: 240_000,
    onStart: pid => pids.push(pid),
    onTrouble: trouble => troubles.push(trouble),
    ...options,
  })
  engines.push(engine)
  return { engine, pids, troubles }
}

/** Work that ends only when `stop` is called. */
async function hang(engine: Engine, key = 'endless') {
  const controller = new AbortController()
  const ref = lines(key, 'trap:hang')
  const hanging = engine.map(ref, { signal: controller.signal })
  await expect.poll(() => ref.loads, { timeout: 60_000 }).toBe(1)
  await new Promise(resolve => setTimeout(resolve, 50)) // until the loaded document is on its way
  return async () => {
    controller.abort()
    expect(await hanging).toMatchObject({ failure: { code: 'CANCELLED' } })
  }
}

test('a document that hangs keeps no other waiting, not even one that shared its process', async () => {
  const { engine, pids } = start()
  const draft = lines('draft', 'one')
  unwrap(await engine.apply(draft, append('two'), '1'))
  const stop = await hang(engine)
  const after = lines('draft', 'one', append('two'), '1')
  expect(await textOf(engine, after)).toBe('one\ntwo')
  expect(after.loads).toBe(1) // rebuilt elsewhere from its base and its log
  unwrap(await engine.apply(after, append('three'), '2'))
  expect(await textOf(engine, { ...after, state: '2' })).toBe('one\ntwo\nthree')
  expect(after.loads).toBe(1) // and at home there
  expect(pids).toHaveLength(2)
  await stop()
})

test('work that has no document finds a free process too', async () => {
  const { engine } = start()
  const stop = await hang(engine)
  const made = await engine.create(lines('x', '').format, lines('x', '').name)
  expect(new TextDecoder().decode(unwrap(made))).toBe('blank')
  await stop()
})

test('calls on one document stay in order while it moves to another process', async () => {
  const { engine } = start()
  const ref = lines('order', 'start')
  unwrap(await engine.map(ref))
  const stop = await hang(engine)
  const names = Array.from({ length: 20 }, (_, i) => `${i}`)
  let state = ref.state
  const applied = names.map(name => {
    const asked = engine.apply({ ...ref, state }, append(name), name)
    state = name
    return asked
  })
  expect((await Promise.all(applied)).every(({ ok }) => ok)).toBe(true)
  expect(await textOf(engine, { ...ref, state })).toBe(`start\n${names.join('\n')}`)
  await stop()
})

test('no more processes are started than allowed, and those that wait are answered in time', async () => {
  const { engine, pids } = start({ processes: 2 })
  const stops = [await hang(engine), await hang(engine, 'endless too')]
  const waiting = ['a', 'b', 'c'].map(text => textOf(engine, lines(text, text)))
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(pids).toHaveLength(2)
  await stops[1]!()
  expect(await Promise.all(waiting)).toEqual(['a', 'b', 'c'])
  await stops[0]!()
})

test('a call that is cancelled while it waits answers at once', async () => {
  const { engine } = start({ processes: 1 })
  const stop = await hang(engine)
  const controller = new AbortController()
  const queued = engine.map(lines('queued', ''), { signal: controller.signal })
  controller.abort()
  expect(await queued).toMatchObject({ failure: { code: 'CANCELLED' } })
  await stop()
})

test('one bound holds for the memory of all processes: an idle one ends before work is stopped', async () => {
  const { engine, pids, troubles } = start({ memoryBytes: 300 * MB, poolBytes: 320 * MB })
  const stop = await hang(engine)
  unwrap(await engine.map(lines('beside', 'trap:some-bytes'))) // stays in the second process
  await stop()
  // the first was replaced; the second, which is idle, takes what a new document needs
  for (const i of [1, 2, 3]) unwrap(await engine.map(lines(`greedy ${i}`, 'trap:some-bytes')))
  expect(pids.length).toBeGreaterThan(1)
  expect(troubles.map(({ cause }) => cause)).not.toContain('pressure')
})

test('the work that began last is stopped when all together take too much, and done afterwards', async () => {
  const { engine, troubles } = start({ memoryBytes: 420 * MB, poolBytes: 440 * MB })
  const [first, second] = ['first', 'second'].map(key =>
    engine.map(lines(key, 'trap:much-for-a-while')),
  )
  expect(await first).toMatchObject({ ok: true })
  expect(await second).toMatchObject({ ok: true })
  expect(troubles.map(({ cause }) => cause)).toContain('pressure')
})
