import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { ChangeSet, ChangeSetId, FileChange } from '@filewright/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import {
  change,
  changeSet,
  create,
  portsOnDisks,
  prepareDisks,
  remove,
  replace,
  sha256Of,
} from '../testing/apply-kit.ts'
import { openDiskPorts, readTree, writeTree } from '../testing/disk-ports.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import type { DiskWorkspaceOptions } from '../workspace/disk.ts'
import { MemoryDisk } from '../workspace/memory/memory-folder.ts'
import { apply } from './apply.ts'
import type { ApplyPorts } from './ports.ts'
import { undo } from './undo.ts'

describe.each([
  ['descriptor paths', {}],
  ['compared paths', { descriptorPaths: false }],
] as [string, DiskWorkspaceOptions][])('%s', (_, options) => {
  verifies(
    [
      'CONTRACT §6 publish all or none',
      'CONTRACT §6 publish mixed formats',
      'CONTRACT §6 no git needed',
    ],
    'text and bytes are replaced, made and deleted at once',
    async () => {
      const { root, ports } = await openWith({
        'a.txt': 'one',
        'Sub/b.txt': 'two',
        'c.txt': 'three',
      })
      const binary = Buffer.from([0, 255, 13, 10])
      const applied = await apply(
        changeSet('cs_1', [
          replace('a.txt', 'one', 'ONE'),
          remove('sub/B.txt', 'two'),
          create('sub/new/deep/d.txt', 'four'),
          change('e.bin', null, [{ from: 'inline', bytes: binary }]),
        ]),
        ports,
      )
      expect(applied).toMatchObject({
        ok: true,
        value: {
          changeSetId: 'cs_1',
          warnings: [],
          files: [
            {
              docPath: 'a.txt',
              path: 'a.txt',
              before: sha256Of('one'),
              after: sha256Of('ONE'),
              sizeBytes: 3,
            },
            {
              docPath: 'sub/b.txt',
              path: 'Sub/b.txt',
              before: sha256Of('two'),
              after: null,
              sizeBytes: 0,
            },
            {
              docPath: 'sub/new/deep/d.txt',
              path: 'Sub/new/deep/d.txt',
              before: null,
              sizeBytes: 4,
            },
            { docPath: 'e.bin', sizeBytes: 4 },
          ],
        },
      })
      expect(fs.readFileSync(path.join(root, 'e.bin'))).toEqual(binary)
      fs.rmSync(path.join(root, 'e.bin'))
      expect(readTree(root)).toEqual({
        'Sub/new/deep/d.txt': 'four',
        'a.txt': 'ONE',
        'c.txt': 'three',
      })
    },
  )

  verifies(
    [
      'CONTRACT §6 publish verifies bases',
      'CONTRACT §6 moved base conflict',
      'CONTRACT §2 sha256 alone guards',
    ],
    'a base that moved, vanished or appeared is a conflict that names all of them, and nothing is written',
    async () => {
      const { root, ports } = await openWith({
        'a.txt': 'one',
        'b.txt': 'moved on',
        'd.txt': 'is here',
      })
      const refused = await apply(
        changeSet('cs_1', [
          replace('a.txt', 'one', 'ONE'),
          replace('b.txt', 'two', 'TWO'),
          remove('c.txt', 'three'),
          create('d.txt', 'four'),
        ]),
        ports,
      )
      expect(refused).toMatchObject({
        ok: false,
        failure: {
          code: 'CONFLICT',
          kind: 'conflict',
          message: expect.stringMatching(
            /^Nothing was written: "b\.txt" changed since it was read/,
          ),
          details: {
            files: [
              { path: 'b.txt', expected: sha256Of('two'), found: sha256Of('moved on') },
              { path: 'c.txt', expected: sha256Of('three'), found: null },
              { path: 'd.txt', expected: null, found: sha256Of('is here') },
            ],
          },
        },
      })
      expect(readTree(root)).toEqual({ 'a.txt': 'one', 'b.txt': 'moved on', 'd.txt': 'is here' })
    },
  )

  test('a large base is compared while its slices are copied, in any order', async () => {
    const piece = 'x'.repeat(1024 * 1024 - 7)
    const base = Array.from({ length: 6 }, (_, n) => `${n}${piece}`).join('\n')
    const { root, ports } = await openWith({ 'large.txt': base })
    const length = Buffer.byteLength(base)
    const shuffled = change('large.txt', base, [
      { from: 'base', start: 4_000_000, end: length },
      { from: 'inline', bytes: Buffer.from('middle') },
      { from: 'base', start: 0, end: 10 },
      { from: 'base', start: 2_000_000, end: 4_500_000 },
    ])
    expect(await apply(changeSet('cs_1', [shuffled]), ports)).toMatchObject({ ok: true })
    const after = fs.readFileSync(path.join(root, 'large.txt'), 'utf8')
    expect(sha256Of(after)).toBe(shuffled.sha256)

    const stale = change('large.txt', base, [{ from: 'base', start: 0, end: 5_000_000 }])
    expect(await apply(changeSet('cs_2', [stale]), ports)).toMatchObject({
      failure: { code: 'CONFLICT', details: { files: [{ found: sha256Of(after) }] } },
    })
    expect(Object.keys(readTree(root))).toEqual(['large.txt'])
    expect(sha256Of(fs.readFileSync(path.join(root, 'large.txt')))).toBe(shuffled.sha256)
  })

  test('a large file is deleted only when it is the base', async () => {
    const base = 'y'.repeat(5_000_000)
    const { root, ports } = await openWith({ 'large.txt': base })
    expect(await apply(changeSet('cs_1', [remove('large.txt', 'other')]), ports)).toMatchObject({
      failure: { code: 'CONFLICT' },
    })
    expect(await apply(changeSet('cs_2', [remove('large.txt', base)]), ports)).toMatchObject({
      ok: true,
    })
    expect(readTree(root)).toEqual({})
  })

  test('permission bits stay as they were', async () => {
    const { root, ports } = await openWith({ 'run.sh': 'one', 'open.txt': 'two' })
    fs.chmodSync(path.join(root, 'run.sh'), 0o750)
    fs.chmodSync(path.join(root, 'open.txt'), 0o666)
    await applyOk([replace('run.sh', 'one', 'ONE'), replace('open.txt', 'two', 'TWO')], ports)
    expect(fs.statSync(path.join(root, 'run.sh')).mode & 0o7777).toBe(0o750)
    expect(fs.statSync(path.join(root, 'open.txt')).mode & 0o7777).toBe(0o666)
  })

  test('the owner stays where the system allows it', {
    skip: process.getuid?.() !== 0,
  }, async () => {
    const { root, ports } = await openWith({ 'theirs.txt': 'one' })
    fs.chownSync(path.join(root, 'theirs.txt'), 65534, 65534)
    await applyOk([replace('theirs.txt', 'one', 'ONE')], ports)
    expect(fs.statSync(path.join(root, 'theirs.txt'))).toMatchObject({ uid: 65534, gid: 65534 })
  })

  test('a read-only file is refused, and its neighbours are not written', async () => {
    const { root, ports } = await openWith({ 'a.txt': 'one', 'locked.txt': 'two' })
    fs.chmodSync(path.join(root, 'locked.txt'), 0o444)
    const set = changeSet('cs_1', [
      replace('a.txt', 'one', 'ONE'),
      replace('locked.txt', 'two', 'TWO'),
    ])
    expect(await apply(set, ports)).toMatchObject({
      failure: {
        code: 'WRITE_FAILED',
        kind: 'denied',
        message: expect.stringContaining('read-only'),
      },
    })
    expect(readTree(root)).toEqual({ 'a.txt': 'one', 'locked.txt': 'two' })
  })

  test('a folder where a file should be, or a file where a folder should be, is refused', async () => {
    const { root, ports } = await openWith({ 'folder/a.txt': 'one', file: 'two' })
    for (const wrong of [
      create('folder', 'x'),
      create('Folder', 'x'),
      create('file/below/b.txt', 'x'),
      replace('folder', 'one', 'x'),
    ])
      expect(await apply(changeSet('cs_1', [create('first.txt', ''), wrong]), ports)).toMatchObject(
        {
          failure: { code: 'CONFLICT', message: expect.stringMatching(/^Nothing was written/) },
        },
      )
    expect(readTree(root)).toEqual({ file: 'two', 'folder/a.txt': 'one' })
  })

  test('a file becomes a folder, and a file takes another spelling, in one set', async () => {
    const { root, ports } = await openWith({ thing: 'one', 'Readme.TXT': 'two' })
    await applyOk(
      [
        remove('thing', 'one'),
        create('thing/inner.txt', 'one'),
        remove('readme.txt', 'two'),
        create('README.txt', 'two'),
      ],
      ports,
    )
    expect(readTree(root)).toEqual({ 'README.txt': 'two', 'thing/inner.txt': 'one' })
  })

  test('new files of one new folder agree on its spelling', async () => {
    const { root, ports } = await openWith({})
    await applyOk(
      [create('New/a.txt', ''), create('NEW/Sub/b.txt', ''), create('new/sub/c.txt', '')],
      ports,
    )
    expect(Object.keys(readTree(root))).toEqual(['New/Sub/b.txt', 'New/Sub/c.txt', 'New/a.txt'])
  })

  test('an edit of a link inside the workspace changes the file it leads to', async () => {
    const { root, ports } = await openWith({ 'real/a.txt': 'one' })
    fs.symlinkSync('real/a.txt', path.join(root, 'link.txt'))
    const applied = await applyOk([replace('link.txt', 'one', 'ONE')], ports)
    expect(applied.files).toMatchObject([
      { docPath: 'link.txt', path: 'link.txt', realPath: 'real/a.txt' },
    ])
    expect(readTree(root)).toEqual({ 'link.txt': '-> real/a.txt', 'real/a.txt': 'ONE' })
    fs.rmSync(path.join(root, 'link.txt'))
    const undone = await undo(applied.changeSetId, ports, { as: 'cs_undo' as ChangeSetId })
    expect(undone).toMatchObject({
      value: { files: [{ docPath: 'real/a.txt', path: 'real/a.txt' }] },
    })
    expect(readTree(root)).toEqual({ 'real/a.txt': 'one' })
  })

  test('a link is not deleted, not edited along with its file, and not followed out', async () => {
    const outside = makeTempFolder()
    fs.writeFileSync(path.join(outside, 'x.txt'), 'one')
    const { root, ports } = await openWith({ 'a.txt': 'one' })
    fs.symlinkSync('a.txt', path.join(root, 'link.txt'))
    fs.symlinkSync(path.join(outside, 'x.txt'), path.join(root, 'out.txt'))
    fs.symlinkSync('nowhere', path.join(root, 'dangling.txt'))
    const attempts: [FileChange[], string][] = [
      [[remove('link.txt', 'one')], 'InvalidPath'],
      [[replace('link.txt', 'one', 'x'), replace('a.txt', 'one', 'y')], 'INVALID_ARGUMENT'],
      [[replace('out.txt', 'one', 'x')], 'InvalidPath'],
      [[create('out.txt', 'x')], 'InvalidPath'],
      [[create('dangling.txt', 'x')], 'InvalidPath'],
    ]
    for (const [files, code] of attempts)
      expect(await apply(changeSet('cs_1', files), ports)).toMatchObject({ failure: { code } })
    expect(Object.keys(readTree(root))).toEqual(['a.txt', 'dangling.txt', 'link.txt', 'out.txt'])
    expect(readTree(root)['a.txt']).toBe('one')
    expect(readTree(outside)).toEqual({ 'x.txt': 'one' })
  })

  test('a second hard link keeps the old bytes, with a warning', async () => {
    const outside = makeTempFolder()
    const { root, ports } = await openWith({ 'a.txt': 'one' })
    fs.linkSync(path.join(root, 'a.txt'), path.join(outside, 'twin.txt'))
    const { warnings } = await applyOk([replace('a.txt', 'one', 'ONE')], ports)
    expect(warnings).toMatchObject([expect.stringContaining('hard links')])
    expect(readTree(outside)).toEqual({ 'twin.txt': 'one' })
  })

  test('two concurrent applies run one after the other', async () => {
    const { root, ports } = await openWith({ 'a.txt': '0' })
    const results = await Promise.all(
      [1, 2, 3].map(n =>
        apply(changeSet(`cs_${n}`, [replace('a.txt', `${n - 1}`, `${n}`)]), ports),
      ),
    )
    expect(results.map(result => result.ok)).toEqual([true, true, true])
    expect(readTree(root)).toEqual({ 'a.txt': '3' })
  })

  test('a set that contradicts itself is refused', async () => {
    const { ports } = await openWith({ 'a.txt': 'one' })
    const wrong: Record<string, FileChange[]> = {
      'names no file': [],
      'is in the change set twice': [create('b.txt', ''), create('B.txt', '')],
      'is to be deleted but has no base': [{ ...create('b.txt', ''), content: null, sha256: null }],
      'needs new content and its sha256': [{ ...create('b.txt', ''), sha256: null }],
      'is not the file of': [{ ...create('b.txt', ''), docPath: 'c.txt' as FileChange['docPath'] }],
      'takes bytes from a base': [
        { ...create('b.txt', ''), content: [{ from: 'base', start: 0, end: 1 }] },
      ],
    }
    for (const [problem, files] of Object.entries(wrong))
      expect(await apply(changeSet('cs_1', files), ports)).toMatchObject({
        failure: { code: 'INVALID_ARGUMENT', message: expect.stringContaining(problem) },
      })
  })

  test('two files that fold to one docPath are refused', async () => {
    const { root, ports } = await openWith({ 'a.txt': 'one', 'A.txt': 'two' })
    expect(await apply(changeSet('cs_1', [replace('a.txt', 'one', 'x')]), ports)).toMatchObject({
      failure: { code: 'DUPLICATE_PATH', details: { paths: ['A.txt', 'a.txt'] } },
    })
    expect(readTree(root)).toEqual({ 'A.txt': 'two', 'a.txt': 'one' })
  })

  async function openWith(tree: Record<string, string>) {
    const folder = makeTempFolder()
    const root = path.join(folder, 'workspace')
    fs.mkdirSync(root)
    writeTree(root, tree)
    const ports = await openDiskPorts(root, path.join(folder, 'state'), options)
    onTestFinished(() => ports.journal.close())
    return { root, ports }
  }
})

test('a full disk: nothing is written and no temporary file is left', {
  skip: process.getuid?.() !== 0 || process.platform !== 'linux',
}, async context => {
  const folder = makeTempFolder()
  const root = path.join(folder, 'small')
  fs.mkdirSync(root)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', root], { stdio: 'ignore' })
  } catch {
    return context.skip('a small disk cannot be mounted here')
  }
  onTestFinished(() => void execFileSync('umount', ['-l', root]))
  writeTree(root, { 'a.txt': 'one', 'sub/b.txt': 'two' })
  const ports = await openDiskPorts(root, path.join(folder, 'state'))
  const tooMuch = 'z'.repeat(700_000)
  const set = [
    replace('a.txt', 'one', 'ONE'),
    create('sub/new/c.txt', tooMuch),
    replace('sub/b.txt', 'two', tooMuch),
  ]
  expect(await apply(changeSet('cs_1', set), ports)).toMatchObject({
    failure: { code: 'WRITE_FAILED', message: expect.stringContaining('the disk is full') },
  })
  expect(readTree(root)).toEqual({ 'a.txt': 'one', 'sub/b.txt': 'two' })
  expect(fs.readdirSync(root, { recursive: true }).sort()).toEqual(['a.txt', 'sub', 'sub/b.txt'])
  // and the other disk, where the state lies, takes the old bytes by a copy
  await applyOk([replace('a.txt', 'one', 'ONE')], ports)
  expect(await ports.checkpoints.open('cs_ok' as ChangeSet['id'], 0)).not.toBeNull()
})

async function applyOk(files: FileChange[], ports: ApplyPorts) {
  const applied = await apply(changeSet('cs_ok', files), ports)
  if (!applied.ok) throw new Error(applied.failure.message)
  return applied.value
}

test('an apply of many files lets other work in the process run', async () => {
  const disks = [new MemoryDisk()] // none of its steps waits
  prepareDisks(disks, {})
  const ports = await portsOnDisks(disks)
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  const files = Array.from({ length: 300 }, (_, n) => create(`f${n}.txt`, `${n}`))
  expect(await apply(changeSet('cs_many', files), ports)).toMatchObject({ ok: true })
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(5 * 4)
})
