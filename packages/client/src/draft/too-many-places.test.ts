import type { DocPath } from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { DraftFile } from './draft.ts'
import { refuseTooMany } from './too-many-places.ts'

const file = (format: string, changeCount?: number) => ({ format, changeCount }) as DraftFile

/** A draft of one file. */
const draftOf = (...given: Parameters<typeof file>) => ({
  files: new Map([['a' as DocPath, file(...given)]]),
})

test('a draft holds a million changed places of texts, and not one more', () => {
  expect(refuseTooMany(draftOf('text', 999_999), 'text', 1)).toBeUndefined()
  expect(refuseTooMany(draftOf('text', 999_999), 'text', 2)).toMatchObject({
    failure: { code: 'TOO_LARGE', kind: 'limit', message: expect.stringContaining('holds 999999') },
  })
  expect(refuseTooMany(draftOf('text'), 'text', 1_000_000)).toBeUndefined()
  expect(refuseTooMany({ files: new Map() }, 'text', 1_000_001)).toMatchObject({
    failure: {
      message: expect.stringContaining('this call changes 1000001 places of a text file'),
    },
  })
})

test('a draft holds half a million changed cells of workbooks, and not one more', () => {
  expect(refuseTooMany(draftOf('xlsx', 499_999), 'xlsx', 1)).toBeUndefined()
  expect(refuseTooMany(draftOf('xlsx', 499_999), 'xlsx', 2)).toMatchObject({
    failure: {
      code: 'TOO_LARGE',
      kind: 'limit',
      message: expect.stringContaining('holds 499999 changed cells, this call adds'),
    },
  })
  expect(refuseTooMany({ files: new Map() }, 'xlsx', 500_001)).toMatchObject({
    failure: {
      message: expect.stringContaining('this call changes 500001 cells of a spreadsheet'),
    },
  })
})

test('places in text files and cells of workbooks are counted separately', () => {
  expect(refuseTooMany(draftOf('xlsx', 500_000), 'text', 1_000_000)).toBeUndefined()
  expect(refuseTooMany(draftOf('text', 1_000_000), 'xlsx', 500_000)).toBeUndefined()
})
