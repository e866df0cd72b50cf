import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { structureFaults } from './structure.contract.ts'
import { THREADED_PARTS } from './threaded.contract.ts'
import { edited, partText, type ZooBook } from './zoo.contract.ts'

const SHEET1 = 'xl/worksheets/sheet1.xml'
const plain: ZooBook = { sheets: { Sales: '<row r="2"><c r="B2"><v>5</v></c></row>' } }

function done(book: ZooBook, ...operations: { op: string; [key: string]: unknown }[]) {
  const own = edited(book, operations)
  expect(newRepairFaults(own.before, own.bytes)).toEqual([])
  expect(structureFaults(own.bytes)).toEqual([])
  return own
}
const add = {
  op: 'set_comment',
  sheet: 'Sales',
  cell: 'B2',
  text: 'Check this\nplease',
  author: 'Ann',
}

describe('a note', () => {
  test('is added with its box', () => {
    const { bytes, after, changes } = done(plain, add)
    expect(partText(bytes, SHEET1)).toMatch(/<legacyDrawing r:id="rId\d"\/>/)
    expect(partText(bytes, 'xl/comments1.xml')).toContain('<author>Ann</author>')
    expect(partText(bytes, 'xl/drawings/vmlDrawing1.vml')).toContain(
      '<x:Row>1</x:Row><x:Column>1</x:Column>',
    )
    const map = after.map()
    expect(map.ok && map.value.text).toContain('comments at B2')
    expect(changes).toMatchObject([
      { place: 'Sales!B2 comment', after: { text: 'Check this\nplease' } },
    ])
  })

  test('is changed where it is, beside another', () => {
    const { bytes, changes } = done(
      plain,
      add,
      { ...add, cell: 'C3' },
      { ...add, text: 'Done', author: 'Bob' },
    )
    const comments = partText(bytes, 'xl/comments1.xml')
    expect(comments.match(/<comment /g)).toHaveLength(2)
    expect(comments).toContain('ref="B2" authorId="1"')
    expect(changes[2]).toMatchObject({
      before: { text: 'Check this\nplease' },
      dependsOn: [changes[0]!.id],
    })
    expect(partText(bytes, 'xl/drawings/vmlDrawing1.vml').match(/ObjectType="Note"/g)).toHaveLength(
      2,
    )
  })

  test('goes with its box, and the last one with its parts', () => {
    const one = done(
      plain,
      add,
      { ...add, cell: 'C3' },
      { op: 'remove_comment', sheet: 'Sales', cell: 'B2' },
    )
    expect(partText(one.bytes, 'xl/comments1.xml').match(/<comment /g)).toHaveLength(1)
    expect(partText(one.bytes, 'xl/drawings/vmlDrawing1.vml')).not.toContain('<x:Row>1<')
    const none = done(plain, add, { op: 'remove_comment', sheet: 'Sales', cell: 'B2' })
    expect(partText(none.bytes, SHEET1)).not.toContain('legacyDrawing')
    expect(() => partText(none.bytes, 'xl/comments1.xml')).toThrow()
  })
})

const threaded: ZooBook = {
  ...THREADED_PARTS,
  sheets: {
    Sales: { ...THREADED_PARTS.sheet, rows: '<row r="2"><c r="B2"><v>5</v></c></row>' },
  },
}

describe('a conversation', () => {
  test('is answered, by a person whom the workbook gets to know', () => {
    const { bytes, changes } = done(threaded, { ...add, text: 'Because', author: 'Bob' })
    const thread = partText(bytes, 'xl/threadedComments/threadedComment1.xml')
    expect(thread).toContain(
      '<text>Why 5?</text></threadedComment><threadedComment ref="B2" dT="2026-01-31T00:00:00"',
    )
    expect(thread).toContain(
      'parentId="{11111111-1111-4111-8111-111111111111}"><text>Because</text>',
    )
    const person = /displayName="Bob" id="([^"]+)"/.exec(
      partText(bytes, 'xl/persons/person.xml'),
    )?.[1]
    expect(thread).toContain(`personId="${person}"`)
    expect(person).toMatch(/^\{[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-8[0-9A-F]{3}-[0-9A-F]{12}\}$/)
    expect(partText(bytes, 'xl/comments1.xml')).toContain('Reply:\n    Because')
    expect(changes).toMatchObject([
      { before: { text: 'Why 5?' }, after: { text: 'Why 5?\nBecause' }, description: 'an answer' },
    ])
  })

  test('goes whole', () => {
    const { bytes } = done(threaded, { op: 'remove_comment', sheet: 'Sales', cell: 'B2' })
    expect(() => partText(bytes, 'xl/threadedComments/threadedComment1.xml')).toThrow()
    expect(() => partText(bytes, 'xl/comments1.xml')).toThrow()
    expect(partText(bytes, SHEET1)).not.toContain('legacyDrawing')
  })
})
