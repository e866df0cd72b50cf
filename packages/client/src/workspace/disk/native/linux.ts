import type { Koffi, Native } from './calls.ts'
import { toErrno } from './to-errno.ts'

const AT_FDCWD = -100
const RENAME_EXCHANGE = 2

export function bind(koffi: Koffi): Native {
  const libc = koffi.load(null)
  const renameat2 = libc.func('int renameat2(int, const char *, int, const char *, unsigned int)')
  const lists = bindLists(koffi)
  return {
    exchange(from, to) {
      if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) !== 0)
        throw toErrno(koffi.errno(), `exchange ${from} and ${to}`)
    },
    copyAttributes: (from, to) => copyAttributes(lists, from, to),
  }
}

/** Extended attributes of a path; an access list is the one named `system.posix_acl_access`. */
interface AttributeCalls {
  names(path: string): string[]
  get(path: string, name: string): Buffer | null
  /** False: refused. */
  set(path: string, name: string, value: Buffer): boolean
  remove(path: string, name: string): boolean
}

const room = Buffer.allocUnsafeSlow(64 * 1024) // XATTR_SIZE_MAX and XATTR_LIST_MAX

function bindLists(koffi: Koffi): AttributeCalls {
  const libc = koffi.load(null)
  const list = libc.func('intptr_t llistxattr(const char *, _Out_ uint8_t *, size_t)')
  const get = libc.func('intptr_t lgetxattr(const char *, const char *, _Out_ uint8_t *, size_t)')
  const set = libc.func('int lsetxattr(const char *, const char *, const uint8_t *, size_t, int)')
  const remove = libc.func('int lremovexattr(const char *, const char *)')
  return {
    names(path) {
      const length = list(path, room, room.length)
      if (length <= 0) return [] // a disk without attributes, too
      return room.toString('utf8', 0, length - 1).split('\0')
    },
    get(path, name) {
      const length = get(path, name, room, room.length)
      return length < 0 ? null : Buffer.from(room.subarray(0, length))
    },
    set: (path, name, value) => set(path, name, value, value.length, 0) === 0,
    remove: (path, name) => remove(path, name) === 0,
  }
}

function copyAttributes(calls: AttributeCalls, from: string, to: string): string[] {
  const wanted = calls.names(from)
  const given = calls.names(to)
  const lost: string[] = []
  for (const name of wanted) {
    const value = calls.get(from, name)
    if (value === null || (given.includes(name) && calls.get(to, name)?.equals(value))) continue
    if (!calls.set(to, name, value) || name === CAPABILITIES) lost.push(name)
  }
  // what the folder gives to every new file, such as a default access list, may allow more than the old file did
  for (const name of given)
    if (!wanted.includes(name) && !name.startsWith('security.') && !calls.remove(to, name))
      lost.push(name)
  return lost
}

const CAPABILITIES = 'security.capability' // the kernel drops it when the file is written
