import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { openZoo, type ZooBook } from '../testing/zoo.contract.ts'

const map = (book: ZooBook) => unwrap(openZoo(book).document.map()).text
const MOST = 16_000 // bytes that a model reads of any workbook

test('outline groups and names are told by their first ones', () => {
  const rows = Array.from(
    { length: 400 },
    (_, i) => `<row r="${i + 1}" outlineLevel="${i % 2}"><c r="A${i + 1}"><v>${i}</v></c></row>`,
  ).join('')
  const names = Array.from(
    { length: 300 },
    (_, i) => `<definedName name="Name_${i}">S!$A$${i + 1}+${'1+'.repeat(100)}1</definedName>`,
  ).join('')
  const text = map({ sheets: { S: rows }, names })
  expect(text).toContain('grouped: rows 2:2, rows 4:4')
  expect(text).toMatch(/rows 24:24 and 188 more$/)
  expect(text).toMatch(/Name_19 = S!\$A\$20\+[+1]+… and 280 more\n/)
  expect(Buffer.byteLength(text)).toBeLessThan(MOST / 2)
})

test('of a workbook with many sheets the later ones have a line each', () => {
  const row = (at: number) =>
    `<row r="${at}">${[...'ABCDEFGHIJKLMNOPQRST'].map(own => `<c r="${own}${at}" t="inlineStr"><is><t>A header of a column ${own}</t></is></c>`).join('')}</row>`
  const sheets = Object.fromEntries(
    Array.from({ length: 80 }, (_, i) => [`Sheet ${i}`, `${row(1)}${row(2)}`]),
  )
  const text = map({ sheets })
  expect(text).toContain('80. "Sheet 79": A1:T2, 40 cells\n')
  expect(text).toContain('sheets with one line alone')
  expect(Buffer.byteLength(text)).toBeLessThan(MOST)
})

test('a column with a few texts among its numbers is mostly number', () => {
  const rows = Array.from({ length: 25 }, (_, i) =>
    i % 12 === 5
      ? `<row r="${i + 2}"><c r="A${i + 2}" t="s"><v>1</v></c></row>`
      : `<row r="${i + 2}"><c r="A${i + 2}"><v>${i}</v></c></row>`,
  ).join('')
  const book = {
    strings: ['Net', 'n/a'],
    sheets: { S: `<row r="1"><c r="A1" t="s"><v>0</v></c></row>${rows}` },
  }
  expect(map(book)).toContain('A "Net" mostly number')
})
