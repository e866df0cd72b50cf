import type { DocPath } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { z } from 'zod'
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
])('%s is recognised by its name, else by its bytes', (path, bytes, id) => {
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

test('formats that share a selector give it one type', () => {
  expect(clashes(FORMATS)).toEqual([])
  const [xlsx, text] = FORMATS
  const odd = { ...text!.reading, selectors: { sheet: z.number().optional() } }
  expect(clashes([xlsx!, { ...text!, reading: odd }])).toEqual(['sheet'])
})

/** `read_file` has one argument for all formats that take it. */
function clashes(formats: typeof FORMATS): string[] {
  const types = new Map<string, string>()
  return formats
    .flatMap(({ reading }) => Object.entries(reading.selectors))
    .filter(([name, field]) => {
      const { type, anyOf } = z.toJSONSchema(field)
      const own = JSON.stringify({ type, anyOf })
      const known = types.get(name)
      types.set(name, known ?? own)
      return known !== undefined && known !== own
    })
    .map(([name]) => name)
}
