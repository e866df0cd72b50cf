import fs from 'node:fs'
import { errno } from '../../paths/folder.ts'
import type { Koffi, Native } from './calls.ts'

const REPLACEFILE_IGNORE_MERGE_ERRORS = 2

/** Written after the reference; no Windows machine ran it yet. */
export function bind(koffi: Koffi): Native {
  const kernel = koffi.load('kernel32.dll')
  const replaceFile = kernel.func(
    'int __stdcall ReplaceFileW(const char16_t *, const char16_t *, const char16_t *, uint32_t, void *, void *)',
  )
  const lastError = kernel.func('uint32_t __stdcall GetLastError()')
  return {
    exchange(from, to, spare) {
      const flags = REPLACEFILE_IGNORE_MERGE_ERRORS
      if (replaceFile(to, from, spare, flags, null, null) === 0)
        throw errno(CODES[lastError()] ?? 'EIO', `replace ${to} by ${from}`)
      fs.renameSync(spare, from)
    },
    copyAttributes: () => [], // ReplaceFileW keeps the access list and the streams of the old file
  }
}

/** Of Windows's own error numbers. */
const CODES: Readonly<Partial<Record<number, string>>> = {
  1: 'ENOTSUP', // ERROR_INVALID_FUNCTION
  2: 'ENOENT', // ERROR_FILE_NOT_FOUND
  3: 'ENOENT', // ERROR_PATH_NOT_FOUND
  5: 'EPERM', // ERROR_ACCESS_DENIED
  17: 'EXDEV', // ERROR_NOT_SAME_DEVICE
  32: 'EBUSY', // ERROR_SHARING_VIOLATION
  50: 'ENOTSUP', // ERROR_NOT_SUPPORTED
}
