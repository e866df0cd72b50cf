import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type DocPath, unwrap } from '@filewright/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDiskFolder } from '../disk/disk-folder.ts'
import { createPlainFiles, type PlainFiles } from '../disk/plain-files.ts'
import { createWorkspace } from './create-workspace.ts'
import type { Workspace } from './workspace.ts'

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')
const nothingHeld = () => undefined

describe.skipIf(!createPlainFiles('/'))('on Linux', () => {
  let root: string
  let outside: string
  let files: PlainFiles
  let workspace: Workspace

  beforeEach(() => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'filewright-at-once-')))
    root = path.join(folder, 'root')
    outside = path.join(folder, 'outside')
    for (const made of [root, outside, path.join(root, 'Sub')]) fs.mkdirSync(made)
    write('a.txt', 'one')
    write('Sub/B.txt', 'two')
    write('.env', 'KEY=1')
    write('large.txt', 'x'.repeat(300 * 1024))
    fs.writeFileSync(path.join(outside, 'B.txt'), 'secret')
    // what is changed in them from now on shows, however coarse the disk's clock is
    for (const made of [root, path.join(root, 'Sub')]) fs.utimesSync(made, 1_000_000, 1_000_000)
    files = createPlainFiles(root)!
    workspace = createWorkspace({
      name: root,
      rootPath: root,
      openRoot: async () => openDiskFolder(root),
      ignoreCase: false,
      plainFiles: files,
      clock: { nowMs: () => Date.now() + 60_000, grainMs: 20 }, // so that listings are kept
    })
  })
  afterEach(() => fs.rmSync(path.dirname(root), { recursive: true }))

  const write = (name: string, text: string) => fs.writeFileSync(path.join(root, name), text)
  const readAtOnce = (docPath: string, holding: (sha256: string) => Uint8Array | undefined) =>
    workspace.readAtOnce!(docPath as DocPath, holding)
  const look = async (docPath: string) =>
    void (await workspace.read(docPath, { allowPrivate: true }))

  test('a file in listed folders is read in one step, with the hash of its current bytes', async () => {
    expect(readAtOnce('sub/b.txt', nothingHeld)).toBeUndefined()
    await look('sub/b.txt')
    for (const text of ['three', '', 'four']) {
      write('Sub/B.txt', text)
      expect(readAtOnce('sub/b.txt', nothingHeld)).toEqual({
        docPath: 'sub/b.txt',
        path: 'Sub/B.txt',
        sha256: sha256Of(text),
        bytes: Buffer.from(text),
      })
    }
  })

  test('bytes that the caller holds are not copied, and the next read does not overwrite a copy', async () => {
    await look('a.txt')
    const own = Buffer.from('one')
    const holding = (sha256: string) => (sha256 === sha256Of('one') ? own : undefined)
    expect(readAtOnce('a.txt', holding)?.bytes).toBe(own)
    const copied = readAtOnce('a.txt', nothingHeld)!
    write('a.txt', 'two')
    readAtOnce('a.txt', nothingHeld)
    expect(Buffer.from(copied.bytes).toString()).toBe('one')
  })

  test.each([
    ['missing', 'none.txt', () => {}],
    ['a folder', 'sub', () => {}],
    ['a key file', '.env', () => {}],
    ['a large file', 'large.txt', () => {}],
    ['a name in flight', '.filewright~0000000000000000-0.new', () => {}],
    ['one of two names of a key', 'a.txt', () => write('A.TXT', 'other')],
    ['in one of two folders of a key', 'sub/b.txt', () => fs.mkdirSync(path.join(root, 'SUB'))],
    ['a link', 'a.txt', () => swap('a.txt', path.join(root, 'large.txt'))],
    ['behind a folder that became a link', 'sub/b.txt', () => swap('Sub', outside)],
    ['a file that became a folder', 'a.txt', () => swapForFolder('a.txt')],
  ])('the long way is left to say what is there: %s', async (_, docPath, change) => {
    await look('a.txt')
    await look('sub/b.txt')
    change()
    expect(readAtOnce(docPath, nothingHeld)).toBeUndefined()
    await look(docPath)
    expect(readAtOnce(docPath, nothingHeld)).toBeUndefined()
  })

  test.each(['a.txt', 'SUB\\b.txt', './Sub//B.txt'])(
    'a read in one step gives the same answer as the long way: %s',
    async spelling => {
      const [long, quick] = [await workspace.read(spelling), await workspace.read(spelling)]
      expect(long.ok).toBe(true)
      expect(quick).toEqual(long)
      expect(readAtOnce(unwrap(long).docPath, nothingHeld)).toBeDefined() // so the second was quick
    },
  )

  test('a file swapped for a link after a read is not read', async () => {
    await workspace.read('sub/b.txt')
    swap('Sub', outside)
    expect(await workspace.read('sub/b.txt')).toMatchObject({ failure: { code: 'InvalidPath' } })
  })

  test('a folder that becomes a link after it was listed leads nowhere', () => {
    expect(Buffer.from(files.read('Sub/B.txt')!.bytes).toString()).toBe('two')
    swap('Sub', outside)
    expect(files.read('Sub/B.txt')).toBeUndefined()
    expect(files.folderStatus('Sub')).toBeUndefined()
  })

  test('a root that was moved away and replaced by a link leads nowhere', () => {
    fs.renameSync(root, `${root}-moved`)
    fs.symlinkSync(outside, root)
    expect(files.read('B.txt')).toBeUndefined()
    expect(files.folderStatus('')).toBeUndefined()
    fs.rmSync(root)
    fs.renameSync(`${root}-moved`, root)
  })

  function swap(name: string, target: string) {
    fs.renameSync(path.join(root, name), path.join(root, `${name}-old`))
    fs.symlinkSync(target, path.join(root, name))
  }

  function swapForFolder(name: string) {
    fs.rmSync(path.join(root, name))
    fs.mkdirSync(path.join(root, name))
  }
})
