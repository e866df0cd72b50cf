import { type Result, toBytes, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IS_FULL } from '../../../corpus.contract.ts'
import { OpcPackage } from '../../../opc/index.ts'
import { xlsxFormat } from '../format.ts'
import { logged, NAME, openZoo, zooBook } from './zoo.contract.ts'

const ALLOWED = { allowProtected: true, allowBreakSignature: true }

/** Everything a caller may ask, each answered or refused; a throw or a hang fails the test. */
function useAll(bytes: Uint8Array): void {
  const opened = xlsxFormat.open(bytes, NAME)
  if (!opened.ok) return
  const document = opened.value
  const results: Result<unknown>[] = [
    document.map(),
    document.read({}, { maxBytes: 2_000, styles: true }),
    document.read({ sheet: 'S', range: 'A1:C9' }, { maxBytes: 2_000 }),
    document.search({ text: 'a', maxHits: 3 }),
    document.apply(
      logged([
        {
          op: 'set_range',
          sheet: 'S',
          start: 'A1',
          values: [
            [1, 'x'],
            [{ formula: 'A1' }, null],
          ],
        },
      ]),
      ALLOWED,
    ),
    document.apply(logged([{ op: 'rename_sheet', sheet: 'S', new_name: 'Q' }]), ALLOWED),
    document.apply(logged([{ op: 'copy_sheet', sheet: 'Q', new_name: 'R' }]), ALLOWED),
  ]
  for (const result of results) if (!result.ok) expect(result.failure.kind).not.toBe('internal')
  const content = document.content()
  if (content.ok) expect(xlsxFormat.open(toBytes(content.value, bytes), NAME).ok).toBe(true)
}

const book = zooBook({
  strings: ['one', '<r><t>ri</t></r>'],
  names: '<definedName name="N">S!$A$1</definedName>',
  sheets: {
    S: {
      head: '<dimension ref="A1:C4"/><cols><col min="1" max="2" width="9" hidden="1"/></cols>',
      rows: '<row r="1" spans="1:3"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>in</t></is></c></row><row r="2" hidden="1"><c r="A2"><f t="shared" ref="A2:A3" si="0">B1*2</f><v>2</v></c></row><row r="3"><c r="A3"><f t="shared" si="0"/><v>3</v></c><c r="C3" t="str"><f t="array" ref="C3:C4">T!A1:A2</f><v>x</v></c></row><row r="4"><c r="C4" t="str"><v>y</v></c></row>',
      tail: '<mergeCells count="1"><mergeCell ref="A6:B7"/></mergeCells>',
    },
    T: '<row r="1"><c r="A1"><v>1</v></c></row>',
  },
})
const parts = unwrap(OpcPackage.open(book))
const names = parts.names.filter(name => name.endsWith('.xml') || name.endsWith('.rels'))
const scraps = [
  '<',
  '>',
  '"',
  '&',
  '</c>',
  '<row>',
  '<c r="ZZZZ9"/>',
  'r="99999999"',
  '<v>',
  '</sheetData>',
  '<!--',
  ']]>',
  '<![CDATA[',
  't="s"',
  'si="9"',
  '\u0000',
  '<x:f>',
  '-',
  '1e999',
]

const damage = fc.record({
  name: fc.constantFrom(...names),
  steps: fc.array(
    fc.record({
      at: fc.nat(),
      kind: fc.constantFrom('insert', 'cut', 'drop', 'set'),
      scrap: fc.constantFrom(...scraps),
      length: fc.integer({ min: 1, max: 60 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

function damaged(
  name: string,
  steps: readonly { at: number; kind: string; scrap: string; length: number }[],
): Uint8Array {
  let bytes = Buffer.from(unwrap(parts.part(name)))
  for (const { at: place, kind, scrap, length } of steps) {
    const at = place % (bytes.length + 1)
    if (kind === 'insert')
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(scrap), bytes.subarray(at)])
    else if (kind === 'drop')
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    else if (kind === 'cut') bytes = bytes.subarray(0, at)
    else if (at < bytes.length) bytes[at] = length + 40
  }
  return toBytes(parts.content(new Map([[name, bytes]])), book)
}

describe('damaged workbooks', () => {
  test('are answered or refused, whichever part is damaged', () => {
    fc.assert(
      fc.property(damage, ({ name, steps }) => useAll(damaged(name, steps))),
      { numRuns: IS_FULL ? 20_000 : 400, seed: 20_260_131 },
    )
  }, 1_800_000)

  test('a cell that is cut where its row ends does not stop the scan', () => {
    const { document } = openZoo({
      sheets: { S: '<row r="1"><c r="A1"><v>1<row r="2"><c r="A2"><v>2</v></c></row>' },
    })
    document.map()
    expect(document.read({ sheet: 'S', range: 'A2' }, { maxBytes: 1000 }).ok).toBe(true)
  })

  test('a claim of a huge array, merge or column costs nothing', () => {
    const rows = '<row r="1"><c r="A1"><f t="array" ref="A1:XFD1048576">1</f><v>1</v></c></row>'
    const { document } = openZoo({
      sheets: {
        S: {
          rows,
          head: '<cols><col min="1" max="99999999" hidden="1"/></cols>',
          tail: '<mergeCells><mergeCell ref="B2:XFD1048576"/></mergeCells>',
        },
      },
    })
    const started = performance.now()
    document.map()
    document.apply(logged([{ op: 'set_cells', sheet: 'S', cells: [{ cell: 'C3', value: 1 }] }]))
    document.content()
    expect(performance.now() - started).toBeLessThan(20_000) // milliseconds here; cell by cell it would be minutes
  })
})
