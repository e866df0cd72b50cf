import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { IS_FULL } from '../../../corpus.contract.ts'
import { xlsxFormat } from '../format.ts'
import { withMixedPrefixes } from './mixed-prefixes.contract.ts'
import { randomBooks } from './random-books.contract.ts'
import { randomFrom, randomOperation } from './random-edits.contract.ts'
import { structureFaults } from './structure.contract.ts'
import { edited, logged, NAME, openZoo, partText, saved, shown } from './zoo.contract.ts'

const books = randomBooks()
const CASES = Array.from({ length: IS_FULL ? 1_000 : 60 }, (_, seed) => ({
  seed,
  ...books[seed % books.length]!,
}))
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

describe('a sheet whose elements have prefixes at random', () => {
  test.each(CASES)(
    'seed $seed, $title: reads the same, and every edit gives the same',
    ({ seed, bytes }) => {
      const mixed = withMixedPrefixes(bytes, randomFrom(seed))
      expect(structureFaults(mixed)).toEqual(structureFaults(bytes))
      expect(allText(mixed)).toEqual(allText(bytes))
      const random = randomFrom(seed)
      const document = unwrap(xlsxFormat.open(bytes, NAME))
      const twin = unwrap(xlsxFormat.open(mixed, NAME))
      for (let index = 0; index < 6; index++) {
        const one = logged([randomOperation(document, random)], `tc_${index}`)
        const [own, others] = [document.apply(one, ALLOWED), twin.apply(one, ALLOWED)]
        const what = JSON.stringify(one[0]!.operation)
        expect(others.ok ? '' : others.failure.message, what).toBe(
          own.ok ? '' : own.failure.message,
        )
      }
      const [own, others] = [saved(document, bytes).bytes, saved(twin, mixed).bytes]
      expect(allText(others)).toEqual(allText(own))
      expect(structureFaults(others)).toEqual(structureFaults(own))
    },
  )
})

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

test('rows that move take texts and formulas in another prefix along', () => {
  const rows = `<row r="1"><c r="A1" t="inlineStr"><x:is xmlns:x="${MAIN}"><x:t>one</x:t></x:is></c></row><row r="2"><c r="A2"><x:f xmlns:x="${MAIN}">B2*2</x:f><v>4</v></c><c r="B2"><v>2</v></c></row>`
  const { after } = edited({ sheets: { S: rows } }, [
    { op: 'insert_rows', sheet: 'S', at: 2, count: 1 },
  ])
  expect(shown(after, 'S', 'A1')).toBe('one')
  expect(shown(after, 'S', 'A3')).toContain('{=B3*2}')
})

test('a value of another vocabulary in a cell is no value of the cell, whatever its prefix', () => {
  const rows =
    '<row r="1"><c r="A1"><v xmlns="urn:else">7</v><f xmlns="urn:else">no</f></c><c r="B1"><v>2</v></c></row>'
  const { document } = openZoo({ sheets: { S: rows } })
  expect([shown(document, 'S', 'A1'), shown(document, 'S', 'B1')]).toEqual(['', '2'])
})

test('a sheet with one prefix that declares others keeps every byte that no edit touches', () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>'
  const tail = `<extLst><ext uri="u" xmlns="urn:else"><x:f xmlns:x="${MAIN}">A1</x:f></ext></extLst>`
  const { bytes } = edited({ sheets: { S: { rows, tail } } }, [
    { op: 'set_cells', sheet: 'S', cells: [{ cell: 'B1', value: 3 }] },
  ])
  expect(partText(bytes, 'xl/worksheets/sheet1.xml')).toContain(`<c r="A1"><v>1</v></c>`)
  expect(partText(bytes, 'xl/worksheets/sheet1.xml')).toContain(tail)
})

/** The map, and every sheet with its looks. */
function allText(bytes: Uint8Array): string[] {
  const document = unwrap(xlsxFormat.open(bytes, NAME))
  const map = unwrap(document.map())
  const sheets = (map.fields.sheets as { name: string }[]).map(own => own.name)
  const reads = sheets.map(sheet => {
    const read = document.read({ sheet, styles: true }, { maxBytes: 100_000 })
    return read.ok ? read.value.text : read.failure.message
  })
  return [map.text, ...reads]
}
