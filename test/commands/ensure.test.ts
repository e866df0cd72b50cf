import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkoutWith, endOf, runNode, start } from './checkout.ts'

const holder = `
import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { withLock } from './scripts/ensure/lock.mjs'
await withLock('ensure', async () => {
  appendFileSync('order.txt', 'in ')
  console.log('in')
  await setTimeout(Number(process.argv[2]))
  appendFileSync('order.txt', 'out ')
})
`

test('two runs in one checkout wait for each other', async () => {
  const folder = checkoutWith({ 'hold.mjs': holder })
  await Promise.all([1, 2, 3].map(() => runNode(['hold.mjs', '200'], folder)))
  expect(readFileSync(join(folder, 'order.txt'), 'utf8')).toBe('in out in out in out ')
})

test('a killed run blocks no other', async () => {
  const folder = checkoutWith({ 'hold.mjs': holder })
  const killed = start(process.execPath, ['hold.mjs', '60000'], folder)
  await new Promise(resolve => killed.stdout?.once('data', resolve))
  killed.kill('SIGKILL')
  await endOf(killed)
  const { code } = await runNode(['hold.mjs', '0'], folder)
  expect(code).toBe(0)
})

test('an old Node is reported in one sentence', async () => {
  const old = "Object.defineProperty(process.versions, 'node', { value: '18.20.1' })"
  const folder = checkoutWith({ 'old.mjs': `${old}\nawait import('./scripts/ensure.mjs')\n` })
  const { code, stderr } = await runNode(['old.mjs'], folder)
  expect(stderr).toBe('Filewright needs Node 20.19 or newer, and this is Node 18.20.1.\n')
  expect(code).toBe(1)
})

test('an unknown goal is refused with the names of those that exist', async () => {
  const { code, stderr } = await runNode(['scripts/ensure.mjs', 'fly'], checkoutWith({}))
  expect(stderr).toBe('Unknown goal "fly": the goals are build, start, browser, stores, test.\n')
  expect(code).toBe(1)
})
