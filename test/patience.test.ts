import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const SHORTEST_WAIT_MS = 60_000
const SHORTEST_TEST_MS = 300_000 // the default of a test

test('no wait of a test is shorter than a busy machine may take', () => {
  expect(sources().flatMap(path => faultsIn(path, readFileSync(join(root, path), 'utf8')))).toEqual(
    [],
  )
})

test('a short wait, a short test and a wait without patience are reported', () => {
  const short =
    "test('a', async () => {\n  await expect.poll(b, { timeout: 5_000 }).toBe(1)\n}, 9_000)"
  expect(faultsIn('a.test.ts', short)).toEqual([
    'a.test.ts waits for 5000 ms: a busy machine may take 60000.',
    'a.test.ts gives a test 9000 ms: leave it out, the rest have 300000.',
  ])
  expect(faultsIn('b.test.ts', 'await vi.waitFor(() => c)')).toEqual([
    'b.test.ts has a vi.waitFor without PATIENCE, which gives up after a second.',
  ])
  expect(faultsIn('c.test.ts', 'await vi.waitFor(() => c, PATIENCE)')).toEqual([])
})

function faultsIn(path: string, source: string): string[] {
  const waits = numbersIn(source, /\btimeout: ([\d_]{3,})/g).filter(ms => ms < SHORTEST_WAIT_MS)
  const tests = numbersIn(source, /^ *\}, (\d+_[\d_]+)\)$/gm).filter(ms => ms < SHORTEST_TEST_MS)
  const isHasty = count(source, /\bvi\.waitFor\(/g) > count(source, /, PATIENCE\)|^ *PATIENCE,$/gm)
  return [
    ...waits.map(ms => `${path} waits for ${ms} ms: a busy machine may take ${SHORTEST_WAIT_MS}.`),
    ...tests.map(
      ms => `${path} gives a test ${ms} ms: leave it out, the rest have ${SHORTEST_TEST_MS}.`,
    ),
    ...(isHasty
      ? [`${path} has a vi.waitFor without PATIENCE, which gives up after a second.`]
      : []),
  ]
}

function numbersIn(source: string, pattern: RegExp): number[] {
  return [...source.matchAll(pattern)].map(([, digits]) => Number(digits!.replaceAll('_', '')))
}

function count(source: string, pattern: RegExp): number {
  return [...source.matchAll(pattern)].length
}

/** Every test file except this one. */
function sources(): string[] {
  return ['test', 'packages', 'apps'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map(path => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter(path => /\.(test|contract)\.tsx?$/.test(path))
      .filter(path => !/node_modules|\/dist\//.test(path) && path !== 'test/patience.test.ts'),
  )
}
