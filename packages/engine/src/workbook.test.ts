import { fileURLToPath } from 'node:url'
import { factsOf } from '@filewright/documents'
import { type LoggedOperation, ok, toBytes, unwrap } from '@filewright/protocol'
import { afterAll, expect, test } from 'vitest'
import { verifies } from '../../../test/verifies.ts'
import { nameOf } from './engine.contract.ts'
import type { DocumentRef } from './engine.ts'
import { createProcessEngine } from './process-engine.ts'

const hostMain = fileURLToPath(new URL('../dist/host-main.js', import.meta.url))
const pids: number[] = []
const engine = createProcessEngine({
  command: [process.execPath, hostMain],
  onStart: pid => pids.push(pid),
})
afterAll(() => engine.close())

const name = nameOf('Sales.xlsx')
const format = factsOf('xlsx').id

function setCell(index: number): LoggedOperation {
  const cells = [{ cell: `A${index + 1}`, value: index }]
  return {
    toolCallId: `tc_${index}`,
    index: 0,
    operation: { op: 'set_cells', sheet: 'Sheet1', cells },
    circumstances: { time: '2026-01-01T00:00:00Z', author: 'a', seed: 1 },
  }
}

verifies(
  'CONTRACT §8 hostile work in a child',
  'a workbook drafted call by call is the same after its child was killed',
  async () => {
    const base = unwrap(await engine.create(format, name))
    const log = Array.from({ length: 20 }, (_, index) => setCell(index))
    let loads = 0
    const at = (count: number): DocumentRef => ({
      key: 'drf_1:sales.xlsx',
      format,
      name,
      state: `${count}`,
      async load() {
        loads++
        return ok({ bytes: base, log: log.slice(0, count) })
      },
    })
    for (const [i, operation] of log.entries())
      unwrap(await engine.apply(at(i), [operation], `${i + 1}`))
    expect(loads).toBe(1)
    const drafted = unwrap(await engine.content(at(20)))
    const reading = unwrap(await engine.read(at(20), { range: 'A1:A20' }, { maxBytes: 10_000 }))
    expect(reading.text).toContain('19')

    process.kill(pids[0]!, 'SIGKILL')
    expect(unwrap(await engine.content(at(20)))).toEqual(drafted)
    expect(unwrap(await engine.read(at(20), { range: 'A1:A20' }, { maxBytes: 10_000 }))).toEqual(
      reading,
    )
    expect(loads).toBe(2)

    for (const forget of [() => {}, () => engine.forget(at(20).key)]) {
      forget()
      const replayed = unwrap(await engine.replay(at(20), new Set()))
      expect(toBytes(replayed.content, base)).toEqual(drafted)
    }
  },
)

test('a file that is not a workbook is a failure with a kind, and the child stays', async () => {
  const load = async () => ok({ bytes: new TextEncoder().encode('not a zip'), log: [] })
  const ref: DocumentRef = { key: 'bad', format, name, state: '', load }
  const failure = { ok: false, failure: { kind: 'unsupported' } }
  expect(await engine.map(ref)).toMatchObject(failure)
  const started = pids.length
  expect(await engine.map(ref)).toMatchObject(failure)
  expect(pids).toHaveLength(started)
})
