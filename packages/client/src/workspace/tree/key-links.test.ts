import fs from 'node:fs'
import path from 'node:path'
import { type DocPath, unwrap } from '@filewright/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import { makeTempFolder } from '../../testing/temp-folder.ts'
import { openDiskWorkspace } from '../disk.ts'
import type { Workspace } from './workspace.ts'

const CLOSED = { failure: { code: 'PRIVATE_FILE' } }

verifies(
  'CONTRACT §2 key files not read',
  'a hard link to a key file of the workspace is a key file',
  async () => {
    const { workspace, link } = await open({ 'deep/down/.env': 'SECRET=1', 'plain.txt': 'plain' })
    expect(await workspace.read('plain.txt')).toMatchObject({ ok: true })
    link('deep/down/.env', 'notes.txt')
    link('plain.txt', 'twin.txt')
    expect(await workspace.read('notes.txt')).toMatchObject(CLOSED)
    expect(await workspace.open('notes.txt')).toMatchObject(CLOSED)
    expect(workspace.readAtOnce?.('notes.txt' as DocPath, () => undefined)).toBeUndefined()
    expect(await workspace.locate('notes.txt')).toMatchObject({ value: { isPrivate: true } })
    expect(await workspace.read('twin.txt')).toMatchObject({ ok: true })
    expect(await privateFiles(workspace)).toEqual(['deep/down/.env', 'notes.txt'])
  },
)

test('a key file that gets its name after the tree was searched is noticed', async () => {
  const { workspace, link } = await open({ 'plain.txt': 'plain', 'b.txt': 'b' })
  link('plain.txt', 'twin.txt')
  expect(await workspace.read('twin.txt')).toMatchObject({ ok: true })
  link('twin.txt', 'later.pem')
  expect(await workspace.read('plain.txt')).toMatchObject(CLOSED)
})

test('many files with several names cost one search', async () => {
  const names = Array.from({ length: 50 }, (_, n) => `${n}.txt`)
  const { root, workspace, link } = await open(Object.fromEntries(names.map(name => [name, name])))
  fs.mkdirSync(path.join(root, 'twins'))
  for (const name of names) link(name, `twins/${name}`)
  await expect
    .poll(() => Date.now() - fs.statSync(path.join(root, '49.txt')).ctimeMs)
    .toBeGreaterThan(100)
  const opened = vi.spyOn(fs, 'readdirSync')
  onTestFinished(() => opened.mockRestore())
  for (const name of names) expect(await workspace.read(name)).toMatchObject({ ok: true })
  expect(opened.mock.calls.length).toSatisfy((count: number) => count > 0 && count < 10)
})

async function open(files: Readonly<Record<string, string>>) {
  const root = makeTempFolder()
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), content)
  }
  const workspace = unwrap(await openDiskWorkspace(root))
  const link = (from: string, to: string) => fs.linkSync(path.join(root, from), path.join(root, to))
  return { root, workspace, link }
}

async function privateFiles(workspace: Workspace): Promise<string[]> {
  const found: string[] = []
  for await (const entry of workspace.list())
    if (entry.kind === 'file' && entry.isPrivate) found.push(entry.path)
  return found
}
