import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { LIMITS, type RelativePath, unwrap } from '@filewright/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import { createFileLister } from '../../files/file-lister.ts'
import { makeTempFolder } from '../../testing/temp-folder.ts'
import { type DiskWorkspaceOptions, openDiskWorkspace } from '../disk.ts'
import { createMemoryWorkspace } from '../memory/memory.ts'
import { MemoryDisk, type MemoryDiskOptions } from '../memory/memory-folder.ts'
import { Recorder } from '../memory/recording.ts'
import { errno } from '../paths/folder.ts'
import { createWorkspace } from './create-workspace.ts'
import { describeWorkspace, type WorkspaceUnderTest } from './workspace.contract.ts'
import type { Entry, Workspace } from './workspace.ts'

describeWorkspace('a workspace on disk', () => openDisk())
describeWorkspace('a workspace on disk, without descriptor paths', () =>
  openDisk({ descriptorPaths: false }),
)
describeWorkspace('a workspace in memory', async () => openMemory())
describeWorkspace('a workspace in memory that folds capitals', async () =>
  openMemory({ ignoreCase: true }),
)
describeWorkspace('a workspace that is recorded', async () => {
  const under = openMemory()
  new Recorder([under.disk])
  return under
})

verifies(
  'CONTRACT §2 large tree asked',
  'a home folder and the root of a disk are asked about',
  async () => {
    const home = makeTempFolder() // the machine's own may be missing, or the root itself
    vi.stubEnv('HOME', home)
    vi.stubEnv('USERPROFILE', home)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(os.homedir()).toBe(home)
    for (const [root, reason] of [
      [home, 'home-folder'],
      [path.parse(home).root, 'disk-root'],
    ] as const) {
      const workspace = unwrap(await openDiskWorkspace(root))
      expect(await listAll(workspace)).toMatchObject([{ kind: 'question', reason }])
    }
  },
)

verifies(
  'CONTRACT §2 large tree asked',
  'more than 100,000 files are asked about before the rest is scanned',
  async () => {
    const { workspace, disk } = openMemory()
    const folder = disk.makeFolders('many')
    const node = disk.newNode('file')
    for (let n = 0; n <= LIMITS.treeFilesBeforeAsking; n++) folder.entries.set(`f${n}`, node)
    const entries = await listAll(workspace)
    expect(entries.length).toBe(LIMITS.treeFilesBeforeAsking + 1)
    expect(entries.at(-1)).toMatchObject({ kind: 'question', reason: 'many-files' })
    expect((await listAll(workspace, true)).length).toBe(LIMITS.treeFilesBeforeAsking + 1)
  },
)

verifies(
  ['CONTRACT §2 hash cache', 'CONTRACT §2 guard hashes bytes'],
  'a listing hashes nothing twice; a guard is not fooled by kept times',
  async () => {
    const root = makeTempFolder()
    const file = path.join(root, 'a.txt')
    fs.writeFileSync(file, 'one')
    const old = new Date('2001-01-01')
    fs.utimesSync(file, old, old)
    const workspace = unwrap(await openDiskWorkspace(root))
    const reads: string[] = []
    const readSync = fs.readSync
    fs.readSync = ((...all: Parameters<typeof readSync>) => {
      reads.push(fs.readlinkSync(`/proc/self/fd/${all[0]}`))
      return readSync(...all)
    }) as typeof fs.readSync
    try {
      const first = unwrap(await workspace.hash('a.txt'))
      expect(reads).toContain(file)
      // until its change time is old enough to tell, which takes as long as the disk's clock is coarse
      await expect
        .poll(async () => {
          await workspace.hash('a.txt')
          reads.length = 0
          return listAll(workspace)
        })
        .toMatchObject([{ sha256: first.sha256 }])
      expect(reads).toEqual([])
      fs.writeFileSync(file, 'two')
      fs.utimesSync(file, old, old)
      const hashed = unwrap(await workspace.hash('a.txt'))
      expect(hashed.sha256).not.toBe(first.sha256)
      expect(reads).toContain(file)
    } finally {
      fs.readSync = readSync
    }
  },
  { skip: process.platform !== 'linux' },
)

test('a workspace whose folder is gone says so', async () => {
  const root = makeTempFolder()
  const inner = path.join(root, 'inner')
  fs.mkdirSync(inner)
  const workspace = unwrap(await openDiskWorkspace(inner))
  fs.rmdirSync(inner)
  const failure = {
    code: 'WORKSPACE_GONE',
    kind: 'missing',
    message: expect.stringMatching(/^The folder of the workspace, ".*inner", is gone: .*ENOENT/),
  }
  expect(await workspace.read('a.txt')).toMatchObject({ failure })
  const listed: Entry[] = []
  for await (const entry of workspace.list()) listed.push(entry)
  expect(listed).toMatchObject([{ kind: 'gone', failure }])
  expect(await createFileLister(workspace).list({ limit: 5 })).toMatchObject({ failure })
  await expect(workspace.openTree()).rejects.toMatchObject({ code: 'ENOENT', failure })
  expect(await openDiskWorkspace(inner)).toMatchObject({ failure: { code: 'NOT_FOUND' } })
  fs.writeFileSync(inner, '')
  expect(await openDiskWorkspace(inner)).toMatchObject({ failure: { code: 'InvalidPath' } })
})

test('an unreadable folder is an answer, not an exception', async () => {
  const root = makeTempFolder()
  fs.mkdirSync(path.join(root, 'closed'))
  fs.writeFileSync(path.join(root, 'closed/a.txt'), 'x')
  fs.writeFileSync(path.join(root, 'b.txt'), 'x')
  const disk = unwrap(await openDiskWorkspace(root))
  // an administrator may read everything, so the system's answer is given here
  const tree = await disk.openTree()
  const closed = await tree.folder('closed')
  closed.entries = async () => {
    throw errno('EACCES', 'closed')
  }
  expect(await tree.locate('closed/a.txt')).toMatchObject({
    failure: { code: 'InvalidPath', kind: 'denied' },
  })
  expect(await tree.placeFor('closed/x/new.txt' as RelativePath)).toMatchObject({
    failure: { code: 'InvalidPath', kind: 'denied' },
  })
  expect(await tree.locate('b.txt')).toMatchObject({ ok: true })
  tree.close()
})

test('a folder that can be listed but not entered is left out of a list', async () => {
  const disk = new MemoryDisk()
  disk.writeFile('half/a.txt', Buffer.from('x'))
  disk.writeFile('b.txt', Buffer.from('x'))
  const refused = async () => {
    throw errno('EACCES', 'half')
  }
  const root = disk.openRoot()
  const { openFolder } = root
  root.openFolder = async name =>
    Object.assign(await openFolder.call(root, name), {
      statusOf: refused,
      factsOf: refused,
      openFile: refused,
    })
  const workspace = createWorkspace({
    name: 'half closed',
    openRoot: async () => root,
    ignoreCase: false,
    clock: { nowMs: () => 0, grainMs: 0 },
  })
  expect(await listAll(workspace)).toMatchObject([{ kind: 'file', path: 'b.txt' }])
  expect(await workspace.read('half/a.txt')).toMatchObject({
    failure: { code: 'InvalidPath', kind: 'denied' },
  })
})

test('an unreadable folder is listed as unusable', async () => {
  const disk = new MemoryDisk()
  disk.writeFile('closed/a.txt', Buffer.from('x'))
  disk.writeFile('b.txt', Buffer.from('x'))
  const root = disk.openRoot()
  root.openFolder = async () => {
    throw errno('EACCES', 'closed')
  }
  const workspace = createWorkspace({
    name: 'half closed',
    openRoot: async () => root,
    ignoreCase: false,
    clock: { nowMs: () => 0, grainMs: 0 },
  })
  const reason = 'its permissions do not allow reading it'
  expect(await listAll(workspace)).toMatchObject([
    { kind: 'file', path: 'b.txt' },
    { kind: 'unusable', path: 'closed', reason },
  ])
})

test('a root reached through a link is opened at its real path', async () => {
  const root = makeTempFolder()
  fs.mkdirSync(path.join(root, 'real'))
  fs.writeFileSync(path.join(root, 'real/a.txt'), 'x')
  fs.symlinkSync('real', path.join(root, 'link'))
  const workspace = unwrap(await openDiskWorkspace(path.join(root, 'link')))
  expect(workspace.name).toBe(path.join(root, 'real'))
  expect(await workspace.read('a.txt')).toMatchObject({ ok: true })
})

test('pipes and sockets are shown as unusable and never opened', async () => {
  const { spawnSync } = await import('node:child_process')
  const root = makeTempFolder()
  spawnSync('mkfifo', [path.join(root, 'pipe')])
  const workspace = unwrap(await openDiskWorkspace(root))
  expect(await listAll(workspace)).toMatchObject([{ kind: 'unusable', path: 'pipe' }])
  expect(await workspace.read('pipe')).toMatchObject({ failure: { code: 'InvalidPath' } })
})

test('a file whose time no calendar has is listed without one', async () => {
  const { workspace, disk } = openMemory()
  disk.writeFile('old.txt', Buffer.from('')).mtimeMs = 0
  disk.writeFile('odd.txt', Buffer.from('')).mtimeMs = 1e17
  const listed = unwrap(await createFileLister(workspace).list({ limit: 5 }))
  expect(listed.files).toMatchObject([
    { path: 'odd.txt', modified: '' },
    { path: 'old.txt', modified: '1970-01-01T00:00:00.000Z' },
  ])
})

test('every folder opened for a list is closed, even when the reader stops early', async () => {
  const disk = new MemoryDisk()
  for (let n = 0; n < 5; n++) disk.writeFile(`a/b/c/d${n}/e.txt`, Buffer.from(''))
  const { entries } = disk.makeFolders('node_modules/more/than/are/counted')
  const node = disk.newNode('file')
  for (let n = 0; n <= LIMITS.treeFilesBeforeAsking; n++) entries.set(`f${n}`, node)
  let open = 0
  const counting = (folder: ReturnType<MemoryDisk['openRoot']>): typeof folder => {
    open++
    return new Proxy(folder, {
      get(target, key) {
        if (key === 'close') return () => void open--
        if (key === 'openFolder')
          return async (name: string) => counting(await target.openFolder(name))
        const value = Reflect.get(target, key) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
  const workspace = createWorkspace({
    name: 'counted',
    openRoot: async () => counting(disk.openRoot()),
    ignoreCase: false,
    clock: { nowMs: () => 0, grainMs: 0 },
  })
  for await (const _ of workspace.list()) if (open > 4) break
  await listAll(workspace)
  for await (const _ of workspace.list({ ignored: 'fold' })) expect(open).toBeLessThan(10)
  await workspace.read('a/b/c/d1/e.txt')
  await new Promise(resolve => setImmediate(resolve))
  expect(open).toBe(0)
})

async function openDisk(options?: DiskWorkspaceOptions): Promise<WorkspaceUnderTest> {
  const root = path.join(makeTempFolder(), 'workspace')
  fs.mkdirSync(root)
  const at = (relative: string) => {
    const full = path.join(root, relative)
    fs.mkdirSync(path.dirname(full), { recursive: true })
    return full
  }
  fs.writeFileSync(at('case'), '')
  const ignoresCase = fs.existsSync(at('CASE'))
  fs.rmSync(at('case'))
  return {
    workspace: unwrap(await openDiskWorkspace(root, options)),
    write: (relative, content) => fs.writeFileSync(at(relative), content),
    link: (relative, target) => fs.symlinkSync(target, at(relative)),
    ignoresCase,
  }
}

function openMemory(options: MemoryDiskOptions = {}): WorkspaceUnderTest & { disk: MemoryDisk } {
  const workspace = createMemoryWorkspace({}, options)
  const { disk } = workspace
  return {
    workspace,
    disk,
    write: (file, content) => void disk.writeFile(file, Buffer.from(content)),
    link: (file, target) => disk.makeLink(file, target),
    ignoresCase: options.ignoreCase ?? false,
  }
}

async function listAll(workspace: Workspace, allowLarge = false): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of workspace.list({ allowLarge })) entries.push(entry)
  return entries
}
