import type { DocPath } from '@filewright/protocol'
import { expect, test } from 'vitest'
import {
  FORMATS,
  findFormat,
  formatByName,
  formatFor,
  loadFormat,
  toFormats,
} from './known-formats.ts'

const hello = new TextEncoder().encode('hello')
const zeros = new Uint8Array(20)

test.each([
  ['a/b.xlsx', hello, 'xlsx'],
  ['b.xltm', zeros, 'xlsx'],
  ['b.txt', hello, 'text'],
  ['.xlsx.txt', hello, 'text'],
  ['makefile', hello, 'text'],
  ['b.bin', zeros, undefined],
])('%s is read as what its name, else its bytes say', (path, bytes, id) => {
  expect(formatFor(path as DocPath, bytes)?.id).toBe(id)
})

test('a name that no format claims is left to the bytes', () => {
  expect(formatByName('b.txt' as DocPath)).toBeUndefined()
  expect(findFormat('binary')).toBeUndefined()
})

test('the code of every format can be loaded', async () => {
  for (const { id } of FORMATS) expect(await loadFormat(id)).toHaveProperty('open')
})

test('an ending that two formats claim is refused', () => {
  const [xlsx] = FORMATS
  expect(() => toFormats({ xlsx: xlsx!, other: xlsx! })).toThrow(
    'The formats xlsx and other both claim names in .xlsx',
  )
})
