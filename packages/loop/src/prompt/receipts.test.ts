import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { LOOP_LIMITS } from '../port/loop-limits.ts'
import { runSession } from '../testing/run-session.ts'
import { script } from '../testing/script.ts'
import { ask, createProcess, createWorld, linesOf, type TestTool } from '../testing/world.ts'
import { fitsWhole, RECEIPT_BYTES, toReceipt } from './receipts.ts'

const tools: Record<string, TestTool> = {
  read: {
    readOnly: true,
    run: ({ bytes, line = 'row' }) => ({ text: lines(Number(bytes), String(line)) }),
  },
}

verifies(
  [
    'CONTRACT §7 receipt',
    'CONTRACT §7 limit one result',
    'CONTRACT §7 read within the bound whole',
  ],
  'a result of 48 KB is whole, one byte more is a receipt',
  async () => {
    const [whole, shortened] = await resultsOf([48 * 1024, 48 * 1024 + 1])
    expect(whole!.content).toBe(lines(48 * 1024, 'row'))
    expect(whole!.full).toBeUndefined()
    expect(Buffer.byteLength(shortened!.content)).toBeLessThanOrEqual(RECEIPT_BYTES)
    expect(shortened!.full?.sizeBytes).toBe(48 * 1024 + 1)
    expect(shortened!.content).toContain('lines, 49153 bytes. It begins:\nrow 0\nrow 1\n')
    const { id, offset } = recallOf(shortened!.content)
    expect(id).toBe(shortened!.tool_call_id)
    expect(lines(48 * 1024 + 1, 'row').startsWith('row', offset)).toBe(true)
  },
)

verifies(
  "CONTRACT §7 limit turn's results",
  'the results of one turn stay within 160 KB, however many there are',
  async () => {
    for (const count of [4, 10, 50]) {
      const results = await resultsOf(Array(count).fill(40 * 1024))
      const sizes = results.map(line => Buffer.byteLength(line.content))
      expect(sum(sizes)).toBeLessThanOrEqual(160 * 1024)
      expect(sizes[0]).toBe(40 * 1024)
    }
  },
)

test('a short result is never worth a receipt', () => {
  const room = { usedBytes: LOOP_LIMITS.turnResultBytes, resultsToCome: 40 }
  expect(fitsWhole('x'.repeat(RECEIPT_BYTES), room, LOOP_LIMITS)).toBe(true)
})

test('the receipt of a failure begins with the error', async () => {
  const world = createWorld()
  const wrong = 'FileExists: Nothing was written: "a.txt" exists.'
  const text = `${wrong}\n{"corrected":"${'x'.repeat(60_000)}"}`
  const failing = { create: { run: () => ({ text, code: 'FileExists' }) } }
  ask(world, 'go', failing)
  const model = script([{ calls: [['create', {}]] }, { say: 'I see.' }])
  await runSession(createProcess(world, { model, tools: failing }))
  const [result] = linesOf(world, 'tool_result')
  expect(result!.content.split('\n')[0]).toBe(wrong)
  expect(Buffer.byteLength(result!.content)).toBeLessThanOrEqual(RECEIPT_BYTES)
  expect(text.startsWith('{"corrected"', recallOf(result!.content).offset)).toBe(true)
})

test('a receipt names the shape of JSON and never cuts a character', () => {
  expect(toReceipt(JSON.stringify(Array(999).fill('é😀')), 'tc_1')).toContain('a JSON list of 999')
  expect(toReceipt(JSON.stringify({ sheets: 'x'.repeat(9_000) }), 'tc_1')).toContain(
    'a JSON object with sheets',
  )
  for (let pad = 0; pad < 4; pad++)
    expect(toReceipt('x'.repeat(pad) + '😀'.repeat(5_000), 'tc_1')).not.toMatch(/\p{Surrogate}/u)
})

async function resultsOf(sizes: readonly number[]) {
  const world = createWorld()
  const calls = sizes.map((bytes, index) => ['read', { bytes, index }] as const)
  ask(world, 'go', tools)
  await runSession(createProcess(world, { model: script([{ calls }, { say: 'ok' }]), tools }))
  return linesOf(world, 'tool_result')
}

function recallOf(receipt: string): { id: string; offset: number } {
  return JSON.parse(/recall_tool_result (\{.*?\})/.exec(receipt)![1]!)
}

function lines(bytes: number, line: string): string {
  let text = ''
  for (let row = 0; text.length < bytes; row++) text += `${line} ${row}\n`
  return text.slice(0, bytes)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
