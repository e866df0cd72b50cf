import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { xlsxFormat } from '../format.ts'
import { newSheetFaults } from './sheet-rules.contract.ts'
import { logged, NAME, openZoo, partText, saved, type ZooBook, zooBook } from './zoo.contract.ts'

const rows = (p: string) =>
  `<${p}row r="1"><${p}c r="A1" t="inlineStr"><${p}is><${p}t>Region</${p}t></${p}is></${p}c><${p}c r="B1" t="inlineStr"><${p}is><${p}t>Net</${p}t></${p}is></${p}c></${p}row><${p}row r="2"><${p}c r="A2" t="inlineStr"><${p}is><${p}t>North</${p}t></${p}is></${p}c><${p}c r="B2"><${p}v>1</${p}v></${p}c></${p}row><${p}row r="3"><${p}c r="A3" t="inlineStr"><${p}is><${p}t>South</${p}t></${p}is></${p}c><${p}c r="B3"><${p}v>2</${p}v></${p}c></${p}row>`

const OPERATIONS: readonly Operation[] = [
  { op: 'add_table', sheet: 'Data', range: 'A1:B3', name: 'T', totals: { Net: 'sum' } },
  { op: 'define_name', name: 'N_n', refers_to: 'Data!B2:B3' },
  { op: 'data_validation', sheet: 'Data', range: 'D1', type: 'list', list: ['a'] },
  { op: 'set_comment', sheet: 'Data', cell: 'D2', text: 'x & y <z>', author: 'Ann "A"' },
  { op: 'set_hyperlink', sheet: 'Data', cell: 'D3', url: 'https://a.example/?a=1&b=2' },
  { op: 'add_chart', sheet: 'Data', type: 'line', source: 'T', title: 'A & <B>', cell: 'F1' },
  { op: 'add_pivot', sheet: 'Sums', source: 'T', rows: ['Region'], values: ['Net'] },
  { op: 'edit_table', table: 'T', new_name: 'U' },
  { op: 'protect', sheet: 'Sums' },
  { op: 'set_properties', properties: { title: '<T> & "q"' } },
]

const VARIANTS: Readonly<Record<string, ZooBook>> = {
  strict: { isStrict: true, sheets: { Data: rows(''), Sums: '' } },
  'with a prefix': { prefix: 'x:', sheets: { Data: rows('x:'), Sums: '' } },
  'with a comment before its cells': {
    sheets: { Data: { rows: rows(''), head: '<!-- <sheetData/> -->' }, Sums: '' },
  },
  'with an extension at its end': {
    sheets: {
      Data: {
        rows: rows(''),
        tail: '<pageMargins left="1" right="1" top="1" bottom="1" header="1" footer="1"/><extLst><ext uri="{1}"/></extLst>',
      },
      Sums: '',
    },
  },
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const APP = 'http://schemas.openxmlformats.org/officeDocument/2006/extended-properties'

test('a sheet that declares no links gets their declaration with them', () => {
  const part = `<worksheet xmlns="${MAIN}"><sheetData>${rows('')}</sheetData></worksheet>`
  const { document, bytes } = openZoo({
    sheets: { Data: '', Sums: '' },
    parts: { 'xl/worksheets/sheet1.xml': part },
  })
  unwrap(document.apply(logged(OPERATIONS)))
  const after = saved(document, bytes)
  expect(newRepairFaults(bytes, after.bytes)).toEqual([])
  const text = partText(after.bytes, 'xl/worksheets/sheet1.xml')
  for (const name of ['drawing', 'legacyDrawing', 'hyperlink', 'tablePart'])
    expect(text).toMatch(new RegExp(`<${name} [^>]*xmlns:r=`))
})

test.each([
  [
    'with a prefix',
    `<ep:Properties xmlns:ep="${APP}"><ep:Application>X</ep:Application></ep:Properties>`,
    '<ep:Company>Acme</ep:Company>',
  ],
  [
    'without one',
    `<Properties xmlns="${APP}"><Application>X</Application></Properties>`,
    '<Company>Acme</Company>',
  ],
])('a property goes into the namespace of its part, %s', (_, part, written) => {
  const { document, bytes } = openZoo({
    sheets: { Data: '' },
    types:
      '<Override PartName="/docProps/app.xml" ContentType="application/vnd.openxmlformats-officedocument.extended-properties+xml"/>',
    parts: {
      'docProps/app.xml': part,
      '_rels/.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/extendedProperties" Target="docProps/app.xml"/></Relationships>',
    },
  })
  unwrap(document.apply(logged([{ op: 'set_properties', properties: { company: 'Acme' } }])))
  const after = saved(document, bytes).bytes
  expect(partText(after, 'docProps/app.xml')).toContain(written)
  expect(newRepairFaults(bytes, after)).toEqual([])
})

describe('objects in odd workbooks', () => {
  test.each(Object.entries(VARIANTS))('%s', (_, book) => {
    const { document, bytes } = openZoo(book)
    unwrap(document.apply(logged(OPERATIONS)))
    const after = saved(document, bytes)
    expect(newSheetFaults(bytes, after.bytes)).toEqual([])
    expect(newRepairFaults(bytes, after.bytes)).toEqual([])
    const map = unwrap(after.document.map()).text
    for (const words of [
      'table U A1:B4',
      'comments at D2',
      'line chart "A & <B>"',
      'title "<T> & \\"q\\""',
    ])
      expect(map).toContain(words)
    expect(partText(after.bytes, 'xl/worksheets/sheet1.xml')).toContain('North')
  })
})

/** Without some of its changes, a log gives a sound file, and what is left stays the same whatever else is refused. */
test('any part of a draft can be accepted', () => {
  const base = zooBook({ sheets: { Data: rows(''), Sums: '' } })
  const log = logged(OPERATIONS)
  const whole = unwrap(xlsxFormat.replay(base, log, new Set(), NAME))
  fc.assert(
    fc.property(fc.subarray([...whole.changes]), some => {
      const refused = new Set(some.map(({ id }) => id))
      const left = unwrap(xlsxFormat.replay(base, log, refused, NAME))
      const kept = new Set(left.changes.map(({ id }) => id))
      for (const { id, dependsOn } of whole.changes) {
        const isPossible = !refused.has(id) && dependsOn.every(own => kept.has(own))
        expect(kept.has(id)).toBe(isPossible)
      }
      const bytes = toBytes(left.content, base)
      expect(newSheetFaults(base, bytes)).toEqual([])
      expect(newRepairFaults(base, bytes)).toEqual([])
    }),
    { numRuns: 25 },
  )
})
