import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeCorrected } from '../../../../test/merge-corrected.ts'
import type { Fields } from '../words/fields.ts'
import { offerOf, toCorrected } from './corrected.ts'

const LONG = 'a line of text\n'.repeat(100)

/** The difference, and the law that merging it gives the corrected call. */
function changes(sent: Fields, meant: Fields) {
  const corrected = toCorrected(sent, meant)
  expect(mergeCorrected(sent, corrected)).toEqual(meant)
  return corrected
}

describe('a corrected call', () => {
  test('is whole where it is short', () => {
    expect(changes({ file: 'a' }, { path: 'a' })).toEqual({ path: 'a' })
    expect(offerOf({ path: 'a' })).toBe(' If you mean "corrected", send that.')
  })

  test('over 1,000 characters is what to change, and holds nothing that was sent', () => {
    const corrected = changes({ path: 'a', text: LONG, reason: 'so' }, { path: 'a', content: LONG })
    expect(corrected).toEqual({
      changesOnly: true,
      rename: { '/text': '/content' },
      drop: ['/reason'],
    })
    expect(offerOf(corrected)).toContain('by JSON Pointer')
  })

  test('moves fields into the list they belong to', () => {
    expect(
      changes(
        { path: 'a', search: 'x', replace: LONG },
        { path: 'a', edits: [{ search: 'x', replace: LONG }] },
      ),
    ).toEqual({
      changesOnly: true,
      rename: { '/search': '/edits/0/search', '/replace': '/edits/0/replace' },
      set: { '/edits': [{}] },
    })
  })

  test('makes a list of one of an object, and reaches into a list sent as text', () => {
    const edit = { search: 'x', replace: LONG }
    expect(changes({ edits: edit }, { edits: [edit] })).toEqual({
      changesOnly: true,
      rename: { '/edits': '/edits/0' },
      set: { '/edits': [null] },
    })
    const sent = { edits: JSON.stringify([{ find: 'a/b', replace: LONG, 'x/~': 1 }]) }
    expect(changes(sent, { edits: [{ search: 'a/b', replace: LONG }] })).toEqual({
      changesOnly: true,
      rename: { '/edits/0/find': '/edits/0/search' },
      drop: ['/edits/0/x~1~0'],
    })
  })
})

/** As it is once it was sent: JSON has no -0. */
const json = fc.jsonValue({ maxDepth: 3 }).map(value => JSON.parse(JSON.stringify(value)))
const call = fc.dictionary(fc.stringMatching(/^[a-c/~]{1,2}$/), json, { maxKeys: 4 })

test('merged into what was sent, it is the call that was meant', () => {
  fc.assert(
    fc.property(call, call, (sent, meant) => {
      changes(sent, { ...meant, pad: LONG })
    }),
  )
})

test('the same holds for a call whose names all changed', () => {
  fc.assert(
    fc.property(call, sent => {
      const renamed = Object.entries(sent).map(([name, value]) => [`z${name}`, value])
      changes({ ...sent, pad: LONG }, { list: [{ ...Object.fromEntries(renamed), pad: LONG }] })
    }),
  )
})
