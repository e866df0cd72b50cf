import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type Message, textOf } from './frames.ts'
import { connectStdio } from './stdio-client.ts'

const isFull = process.env.FILEWRIGHT_FULL === '1'
const REQUESTS = isFull ? 10_000 : 300
const IN_FLIGHT = 8

test.skipIf(process.platform !== 'linux')(`${REQUESTS} requests leave no leak`, async () => {
  const box = sandbox({ 'a.txt': 'a line of text\n'.repeat(200) })
  const client = await connectStdio(box, { era: '2025-11-25' })
  const ask = (at: number): Promise<Message> => {
    if (at % 10 === 0) return client.call('write_text_file', { path: 'w.txt', content: `${at}\n` })
    if (at % 10 === 1) return client.call('read_file', { path: 'none.txt' })
    if (at % 10 === 2) return client.ask('tools/list')
    return client.call('read_file', { path: 'a.txt' })
  }
  const many = async (count: number) => {
    for (let done = 0; done < count; done += IN_FLIGHT)
      await Promise.all(Array.from({ length: IN_FLIGHT }, (_, at) => ask(done + at)))
  }
  await many(Math.min(2_000, REQUESTS)) // until V8 and the caches have their size
  const [before, files] = [memoryOf(client.child.pid!), filesOf(client.child.pid!)]
  await many(REQUESTS)
  expect(filesOf(client.child.pid!)).toBeLessThanOrEqual(files + 4)
  expect(memoryOf(client.child.pid!)).toBeLessThan(before + 120)
  expect(textOf(await client.call('read_file', { path: 'a.txt' }))).toContain('a line of text')
})

/** In MB. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

/** Open descriptors. */
function filesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
