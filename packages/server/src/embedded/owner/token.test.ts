import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readOrMakeToken } from './ownership.ts'

test('processes that start at once have one token', async () => {
  const folder = await emptyFolder()
  const tokens = await Promise.all(Array.from({ length: 20 }, () => readOrMakeToken(folder)))
  expect(new Set(tokens).size).toBe(1)
  expect(await readOrMakeToken(folder)).toBe(tokens[0])
  expect(await readdir(folder)).toEqual(['token'])
})

test('an empty, cut or overwritten token is created again', async () => {
  for (const damaged of ['', 'abc', '\0\ufffdno token at all\n']) {
    const folder = await emptyFolder()
    await writeFile(join(folder, 'token'), damaged)
    const token = await readOrMakeToken(folder)
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(await readOrMakeToken(folder)).toBe(token)
  }
})

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-token-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
