import type { DocPath } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isEditable } from './format.ts'
import { xlsx } from './formats/xlsx/facts.ts'
import {
  editedAs,
  FORMATS,
  findFormat,
  formatByName,
  formatFor,
  LINE_TEXT,
  loadFormat,
  readAs,
  toFormats,
} from './known-formats.ts'

const hello = new TextEncoder().encode('hello')
const zeros = new Uint8Array(20)

test.each([
  ['a/b.xlsx', hello, 'xlsx'],
  ['b.xltm', zeros, 'xlsx'],
  ['b.dotx', hello, 'docx'],
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

test('the code of every format can be loaded, and it writes where its facts say so', async () => {
  for (const { id, editing } of FORMATS) {
    const format = await loadFormat(id)
    expect(format).toHaveProperty('open')
    expect(isEditable(format), id).toBe(editing !== undefined)
  }
})

test('a csv is edited as text, and a draft of its text is read as a csv', () => {
  const csv = findFormat('csv')!.id
  expect([editedAs(csv), editedAs(LINE_TEXT)]).toEqual([LINE_TEXT, LINE_TEXT])
  expect(readAs('a/b.csv' as DocPath, LINE_TEXT)).toBe(csv)
  expect(readAs('a/b.txt' as DocPath, LINE_TEXT)).toBe(LINE_TEXT)
  expect(readAs('a/b.xlsx' as DocPath, LINE_TEXT)).toBe(LINE_TEXT)
})

test('an ending that two formats claim is refused', () => {
  expect(() => toFormats({ xlsx, other: xlsx })).toThrow(
    'The formats xlsx and other both claim names in .xlsx',
  )
})

test('formats that share a selector give it one type', () => {
  expect(clashes(FORMATS)).toEqual([])
  const text = findFormat('text')!
  const odd = { ...text.reading, selectors: { sheet: z.number().optional() } }
  expect(clashes([findFormat('xlsx')!, { ...text, reading: odd }])).toEqual(['sheet'])
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
