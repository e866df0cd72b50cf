import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fail, ok, type Result } from '@filewright/protocol'
import { findClosedFolders } from './disk/closed-folders.ts'
import { type DiskFolderOptions, openDiskFolder } from './disk/disk-folder.ts'
import { createPlainFiles } from './disk/plain-files.ts'
import { probeExchange } from './disk/probe-exchange.ts'
import { isErrno } from './paths/folder.ts'
import { createWorkspace } from './tree/create-workspace.ts'
import { watchFolder } from './tree/watch.ts'
import { SAY_YES, type ScanQuestion, type Workspace } from './tree/workspace.ts'

export interface DiskWorkspaceOptions extends Omit<DiskFolderOptions, 'isHidden'> {
  /**
   * Filewright's own folders, anywhere on the machine: absolute and without links. Inside the workspace they are
   * hidden.
   */
  readonly ownFolders?: readonly string[]
}

/**
 * A folder of this machine. The root's own path may hold links; they are resolved once, here.
 *
 * New bytes always come in a new file under the old name, so a program that holds the old file open keeps the old bytes
 * and a second hard link keeps its own. It has the permission bits, owner, access list and extended attributes of the
 * old one, where the system allows that.
 */
export async function openDiskWorkspace(
  root: string,
  { ownFolders = [], ...given }: DiskWorkspaceOptions = {},
): Promise<Result<Workspace, 'NOT_FOUND' | 'DENIED' | 'InvalidPath'>> {
  let rootPath: string
  let options: DiskFolderOptions = given
  try {
    rootPath = fs.realpathSync.native(path.resolve(root))
    openDiskFolder(rootPath, options).close()
  } catch (error) {
    return toOpenFailure(error, root)
  }
  const closed = findClosedFolders(rootPath, ownFolders)
  if (closed) options = { ...given, isHidden: closed.isOne }
  const ignoreCase = process.platform !== 'linux'
  const workspace = createWorkspace({
    name: rootPath,
    rootPath,
    openRoot: async () => openDiskFolder(rootPath, options),
    question: findQuestion(rootPath),
    isClosed: closed?.holds,
    ignoreCase,
    plainFiles: createPlainFiles(rootPath),
    clock: { nowMs: Date.now, grainMs: findGrain(rootPath) },
  })
  return ok({
    ...workspace,
    probeExchange: () => probeExchange(openDiskFolder(rootPath, options)),
    watch: listener => watchFolder(rootPath, { ...listener, ignoreCase, isClosed: closed?.holds }),
  })
}

function findQuestion(rootPath: string): ScanQuestion | undefined {
  if (path.dirname(rootPath) === rootPath)
    return {
      kind: 'question',
      reason: 'disk-root',
      message: `"${rootPath}" is the root of a disk: ${SAY_YES}, or open a folder in it.`,
    }
  if (rootPath === realHome())
    return {
      kind: 'question',
      reason: 'home-folder',
      message: `"${rootPath}" is a home folder: ${SAY_YES}, or open a folder in it.`,
    }
  return undefined
}

const FINE_GRAIN_MS = 20 // two ticks of the slowest kernel clock
const COARSE_GRAIN_MS = 2000 // FAT
/** ext2–4, XFS, Btrfs, tmpfs, overlay, F2FS: as statfs names them. */
const FINE_DISKS = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010])

function findGrain(rootPath: string): number {
  if (process.platform !== 'linux') return COARSE_GRAIN_MS
  return FINE_DISKS.has(fs.statfsSync(rootPath).type) ? FINE_GRAIN_MS : COARSE_GRAIN_MS
}

function realHome(): string | undefined {
  try {
    return fs.realpathSync.native(os.homedir())
  } catch {
    return undefined // no home folder: nothing to ask about
  }
}

function toOpenFailure(error: unknown, root: string) {
  if (!isErrno(error)) throw error
  if (error.code === 'ENOENT')
    return fail('NOT_FOUND', `Cannot open "${root}" as a workspace: there is no such folder.`)
  if (error.code === 'ENOTDIR')
    return fail('InvalidPath', `Cannot open "${root}" as a workspace: it is not a folder.`)
  return fail('DENIED', `Cannot open "${root}" as a workspace: the system answered ${error.code}.`)
}
