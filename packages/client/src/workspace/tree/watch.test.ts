import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchFolder } from './watch.ts'
import type { WatchLimits } from './watch-limits.ts'

const PATIENCE = { timeout: 60_000, interval: 50 }

async function watched(files: readonly string[], limits: Partial<WatchLimits> = {}) {
  const parent = mkdtempSync(join(tmpdir(), 'filewright-watch-'))
  const root = join(parent, 'root')
  const write = (path: string, content = 'x') => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const path of files) write(path)
  const names = new Set<string>()
  const seen = { names, all: 0 }
  const onError = vi.fn()
  const watching = await watchFolder(root, {
    onChange({ docPaths, isAll }) {
      for (const docPath of docPaths) names.add(docPath)
      if (isAll) seen.all++
    },
    onError,
    ignoreCase: false,
    limits,
  })
  onTestFinished(async () => {
    await watching.close()
    rmSync(parent, { recursive: true, force: true, maxRetries: 20 })
  })
  return { root, parent, write, seen, onError }
}

const untilNamed = (seen: { names: Set<string> }, ...names: readonly string[]) =>
  expect.poll(() => names.filter(name => !seen.names.has(name)), PATIENCE).toEqual([])

test('a new folder is watched with all that is in it, and so is one that was moved in', async () => {
  const { root, parent, write, seen } = await watched(['a.txt'])
  write('new/inner/b.txt')
  await untilNamed(seen, 'new/inner/b.txt')
  mkdirSync(join(parent, 'moved/deep'), { recursive: true })
  writeFileSync(join(parent, 'moved/deep/c.txt'), 'c')
  renameSync(join(parent, 'moved'), join(root, 'moved'))
  await untilNamed(seen, 'moved/deep/c.txt')
  write('new/inner/later.txt')
  write('moved/deep/later.txt')
  await untilNamed(seen, 'new/inner/later.txt', 'moved/deep/later.txt')
})

test('a renamed folder means everything, as its former names are not known; it is watched under its new name', async () => {
  const { root, write, seen } = await watched(['old/deep/a.txt'])
  renameSync(join(root, 'old'), join(root, 'new'))
  await expect.poll(() => seen.all, PATIENCE).toBeGreaterThan(0)
  write('new/deep/b.txt')
  await untilNamed(seen, 'new/deep/b.txt')
  expect([...seen.names].filter(name => name.startsWith('old'))).toEqual([])
})

test('a removed folder is not reported as a file, nor is an ignored one', async () => {
  const { root, write, seen } = await watched(['gone/a.txt', 'build/out.txt', 'build/in/out.txt'])
  write('build/in/out.txt', 'changed')
  rmSync(join(root, 'build'), { recursive: true })
  write('first.txt')
  await untilNamed(seen, 'first.txt')
  expect(seen.all).toBe(0)
  rmSync(join(root, 'gone'), { recursive: true })
  await expect.poll(() => seen.all, PATIENCE).toBeGreaterThan(0)
  write('last.txt')
  await untilNamed(seen, 'last.txt')
  const expected = ['first.txt', 'gone/a.txt', 'last.txt']
  expect([...seen.names].filter(name => !expected.includes(name))).toEqual([])
})

test('a folder that was removed and made again at once is watched, even with the same inode', async () => {
  const { root, write, seen } = await watched(['again/a.txt'])
  for (let round = 0; round < 10; round++) {
    rmSync(join(root, 'again'), { recursive: true })
    write('again/a.txt')
    await expect.poll(() => seen.all, PATIENCE).toBeGreaterThan(round)
    write(`again/later${round}.txt`)
    await untilNamed(seen, `again/later${round}.txt`)
  }
})

test('a folder that a rule file no longer ignores is watched', async () => {
  const { write, seen } = await watched(['build/a.txt'])
  write('.gitignore', '!build\n')
  await untilNamed(seen, '.gitignore')
  let saved = 0
  await expect
    .poll(() => {
      write('build/a.txt', String(saved++))
      return seen.names.has('build/a.txt')
    }, PATIENCE)
    .toBe(true)
})

test('folders beyond the bound are looked at instead, which is said once', async () => {
  const { write, seen, onError } = await watched(['a/a.txt', 'b/b.txt', 'c/deep/c.txt'], {
    folders: 1,
  })
  expect(onError).toHaveBeenCalledTimes(1)
  expect(String(onError.mock.calls[0])).toContain('cannot watch more folders')
  write('root.txt')
  await untilNamed(seen, 'root.txt')
  for (const path of ['b/b.txt', 'c/deep/new.txt', 'a/new/inner.txt', 'a/new/inner.txt']) {
    const before = seen.all
    write(path, `changed ${before}`)
    await expect.poll(() => seen.all, PATIENCE).toBeGreaterThan(before)
  }
  expect(onError).toHaveBeenCalledTimes(1)
})

test('more events than are kept are "everything", and later changes are named again', async () => {
  const { write, seen, onError } = await watched(['in/a.txt'], { events: 20 })
  for (let i = 0; i < 200; i++) write(`in/f${i}.txt`)
  await expect.poll(() => seen.all, PATIENCE).toBeGreaterThan(0)
  let saved = 0
  await expect
    .poll(() => {
      write('in/later.txt', String(saved++))
      return seen.names.has('in/later.txt')
    }, PATIENCE)
    .toBe(true)
  expect(onError).not.toHaveBeenCalled()
})
