import fs from 'node:fs'
import { isErrno, type NodeStatus } from '../paths/folder.ts'
import { descriptorFolder } from './disk-file.ts'
import { fstat, lstat } from './disk-status.ts'

/**
 * Files of a disk by their plain paths, without a step for each folder on the way; callers fall back to the long way on
 * undefined.
 */
export interface PlainFiles {
  /**
   * Status of the folder at a path below the root, '' for the root itself; undefined when it is not a folder, or a
   * link.
   */
  folderStatus(path: string): NodeStatus | undefined
  /** The small file at exactly this path, without a link on the way; undefined for anything else. */
  read(path: string): PlainFile | undefined
}

export interface PlainFile {
  readonly status: NodeStatus
  /** The whole content, in a buffer that the next call reuses. */
  readonly bytes: Uint8Array
}

const MOST_BYTES = 256 * 1024
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants

/** Undefined where the system does not report the path of an open file. */
export function createPlainFiles(rootPath: string): PlainFiles | undefined {
  const descriptors = descriptorFolder()
  if (descriptors === null) return undefined
  const below = rootPath === '/' ? '' : rootPath
  const buffer = Buffer.allocUnsafeSlow(MOST_BYTES + 1)

  function readOpened(fd: number, fullPath: string): PlainFile | undefined {
    // Even if something on the way was swapped: this very file is at this very path.
    if (fs.readlinkSync(`${descriptors}/${fd}`) !== fullPath) return undefined
    const status = fstat(fd)
    const { kind, sizeBytes } = status
    if (kind !== 'file' || sizeBytes > MOST_BYTES) return undefined
    const read = fs.readSync(fd, buffer, 0, sizeBytes + 1, 0)
    return read === sizeBytes ? { status, bytes: buffer.subarray(0, read) } : undefined
  }

  return {
    folderStatus(path) {
      const status = lstat(path === '' ? rootPath : `${below}/${path}`)
      return status?.kind === 'folder' ? status : undefined
    },
    read(path) {
      const fullPath = `${below}/${path}`
      let fd: number | undefined
      try {
        fd = fs.openSync(fullPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        return readOpened(fd, fullPath)
      } catch (error) {
        if (isErrno(error)) return undefined // the long way finds out what it is
        throw error
      } finally {
        if (fd !== undefined) fs.closeSync(fd)
      }
    },
  }
}
