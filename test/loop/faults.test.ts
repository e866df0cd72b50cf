import type { Engine } from '@filewright/engine'
import { describe, expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, type ResultLine, recorder, runTo, says } from './running.ts'

const read = (path: string) => call('read_file', { path })

describe('the product with a model that goes wrong', () => {
  verifies(
    ['CONTRACT §7 guard tells at 2', 'CONTRACT §7 guard suppresses at 3'],
    'the same read gets a warning at 2 and is not run at 3; a model that continues is stopped',
    async () => {
      const { model } = recorder(Array.from({ length: 40 }, () => says('Again.', read('a.txt'))))
      const product = await embedded({ 'a.txt': 'one\n' }, { model })
      const { end, rows } = await runTo(product, 'Look at a.txt.')
      const results = bodies(rows, 'tool_result')
      expect(results[0]).toMatchObject({ success: true })
      expect(results[1]!.content).toMatch(/same/i)
      expect(results[2]).toMatchObject({ synthetic: true, error_code: 'LIMIT_REACHED' })
      expect(end).toMatchObject({ reason: 'limit', closing: expect.stringContaining('No file') })
      expect(results.length).toBeLessThan(20)
    },
  )

  verifies(
    'CONTRACT §7 guard alternation',
    'two reads that alternate are noticed, and the run ends by itself',
    async () => {
      const { model } = recorder(
        Array.from({ length: 48 }, (_, step) =>
          says('Hm.', read(step % 2 === 0 ? 'a.txt' : 'b.txt')),
        ),
      )
      const product = await embedded({ 'a.txt': 'one\n', 'b.txt': 'two\n' }, { model })
      const { end, rows } = await runTo(product, 'Compare the two.')
      expect(end.reason).toBe('limit')
      expect(bodies(rows, 'tool_result').some(result => result.synthetic)).toBe(true)
      expect(bodies(rows, 'assistant_message').length).toBeLessThan(30)
    },
  )

  verifies(
    ['ADR-0010 §Safety & Limits 1 calls per turn', 'CONTRACT §7 limit tool calls'],
    'of 51 calls in one turn the last one is answered and not run',
    async () => {
      const calls = Array.from({ length: 51 }, (_, n) =>
        call('write_text_file', { path: `f${n}.txt`, content: `${n}\n` }),
      )
      const { model } = recorder([says('All at once.', ...calls), says('Done.')])
      const product = await embedded({}, { model })
      const { end, rows } = await runTo(product, 'Write 51 files.')
      const results = bodies(rows, 'tool_result')
      expect(results).toHaveLength(51)
      expect(results.filter(result => result.success)).toHaveLength(50)
      const last = resultOfCall(rows, 50)
      expect(last).toMatchObject({ error_code: 'LIMIT_REACHED', synthetic: true })
      expect(last.content).toContain('next turn')
      expect(end.closing).toContain('50 files')
    },
  )

  verifies(
    ['ADR-0010 §Safety & Limits 2 turns', 'CONTRACT §7 limit turns'],
    'a run that never ends is stopped after 50 turns, and says so',
    async () => {
      const { model, requests } = recorder(
        Array.from({ length: 60 }, (_, step) =>
          says('More.', call('write_text_file', { path: 'a.txt', content: `${step}\n` })),
        ),
      )
      const product = await embedded({}, { model })
      const { end } = await runTo(product, 'Count.')
      expect(end).toMatchObject({ reason: 'limit', message: expect.stringContaining('50 turns') })
      expect(requests).toHaveLength(50)
      expect(end.closing).toMatch(/^1 file in the draft/)
    },
  )

  verifies(
    [
      'ADR-0010 §Safety & Limits 3 timeout',
      'CONTRACT §7 limit tool time',
      'CONTRACT §3 result when timed out',
    ],
    'a tool that hangs is ended in time, and finishing later has no effect',
    async () => {
      let finish = () => {}
      const hanging = new Promise<void>(resolve => (finish = resolve))
      const wrapEngine = (engine: Engine): Engine => ({
        ...engine,
        async apply(...given) {
          await hanging
          return engine.apply(...given)
        },
      })
      const { model } = recorder([
        says('I write.', call('write_text_file', { path: 'a.txt', content: 'late\n' })),
        says('It did not work.'),
      ])
      const product = await embedded({}, { model, wrapEngine, limits: { toolTimeoutMs: 200 } })
      const { end, rows } = await runTo(product, 'Write a.txt.')
      expect(bodies(rows, 'tool_result')).toMatchObject([{ error_code: 'TIMEOUT' }])
      expect(end).toMatchObject({ reason: 'final', closing: 'No file was changed' })
      finish()
      await new Promise(resolve => setTimeout(resolve, 50))
      const { value: drafts } = await product.ask('listDrafts')
      expect(drafts.filter((draft: { state: string }) => draft.state === 'open')).toEqual([])
    },
  )

  verifies(
    'CONTRACT §7 guard progress resets',
    'a write of 100 blocks to one sheet, 4 a turn over 25 turns, is not stopped',
    async () => {
      const block = (n: number) =>
        call('xlsx_operations', {
          path: 'big.xlsx',
          create_if_missing: true,
          operations: [
            { op: 'ensure_sheet', sheet: 'Data' },
            { op: 'set_range', sheet: 'Data', start: `A${n * 5 + 1}`, values: rowsFrom(n * 5) },
          ],
        })
      const { model } = recorder([
        ...Array.from({ length: 25 }, (_, turn) =>
          says(`Part ${turn}.`, ...[0, 1, 2, 3].map(k => block(turn * 4 + k))),
        ),
        says('All 500 rows stand.'),
      ])
      const product = await embedded({}, { model })
      const { end, rows } = await runTo(product, 'Fill the sheet.')
      const results = bodies(rows, 'tool_result')
      expect(results.filter(result => result.success)).toHaveLength(100)
      expect(end.reason).toBe('final')
      const last = await product.call('read_file', {
        path: 'big.xlsx',
        sheet: 'Data',
        range: 'A500:B500',
      })
      expect(JSON.stringify(last)).toContain('row 499')
    },
  )
})

test('a call of a tool that does not exist answers with the names, and the run continues', async () => {
  const { model, requests } = recorder([says('', call('make_coffee')), says('Sorry.')])
  const product = await embedded({}, { model })
  const { end } = await runTo(product, 'Coffee, please.')
  expect(end.reason).toBe('final')
  expect(requests[1]!.messages.at(-1)).toMatchObject({ role: 'tool', failed: true })
  expect(JSON.stringify(requests[1]!.messages.at(-1))).toContain('read_file')
})

function rowsFrom(first: number): string[][] {
  return Array.from({ length: 5 }, (_, i) => [`row ${first + i}`, String(first + i)])
}

function resultOfCall(rows: Parameters<typeof bodies>[0], index: number): ResultLine {
  const id = bodies(rows, 'assistant_message')[0]!.tool_calls![index]!.id
  return bodies(rows, 'tool_result').find(result => result.tool_call_id === id)!
}
