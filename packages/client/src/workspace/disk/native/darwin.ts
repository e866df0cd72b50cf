import type { Koffi, Native } from './calls.ts'
import { toErrno } from './to-errno.ts'

const AT_FDCWD = -2
const RENAME_SWAP = 2
const COPYFILE_ACL_AND_XATTR = 1 | 4
const COPYFILE_NOFOLLOW = (1 << 18) | (1 << 19)

/** Written after the manual pages; no Mac ran it yet. */
export function bind(koffi: Koffi): Native {
  const system = koffi.load(null)
  const renameatx = system.func(
    'int renameatx_np(int, const char *, int, const char *, unsigned int)',
  )
  const copyfile = system.func('int copyfile(const char *, const char *, void *, uint32_t)')
  return {
    exchange(from, to) {
      if (renameatx(AT_FDCWD, from, AT_FDCWD, to, RENAME_SWAP) !== 0)
        throw toErrno(koffi.errno(), `exchange ${from} and ${to}`)
    },
    copyAttributes(from, to) {
      const flags = COPYFILE_ACL_AND_XATTR | COPYFILE_NOFOLLOW
      return copyfile(from, to, null, flags) === 0 ? [] : ['access list, extended attributes']
    },
  }
}
