import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { openZoo, type ZooBook } from './zoo.contract.ts'

const number = (at: string, value: number) => `<c r="${at}"><v>${value}</v></c>`
const text = (at: string, value: string) =>
  `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
const formula = (at: string, own: string, value: number) =>
  `<c r="${at}"><f>${own}</f><v>${value}</v></c>`

const BOOK: ZooBook = {
  sheets: {
    Data:
      `<row r="1">${text('A1', 'Name')}${text('B1', 'Net')}${text('C1', 'Gross')}</row>` +
      `<row r="2">${text('A2', 'x')}${number('B2', 1)}${formula('C2', 'B2*1.19', 1.19)}</row>` +
      `<row r="3">${text('A3', 'y')}${number('B3', 2)}${formula('C3', 'B2*1.19', 1.19)}</row>` +
      `<row r="4">${text('A4', 'x')}${number('B4', 3)}${formula('C4', 'B4*1.19', 3.57)}</row>` +
      `<row r="5">${text('A5', 'x')}${text('B5', '12')}${formula('C5', 'B5*1.19', 14.28)}</row>` +
      `<row r="6">${number('B6', 4)}<c r="D6" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>` +
      `<row r="7">${formula('B7', 'SUM(B2:B3)', 3)}</row>` +
      `<row r="9">${formula('B9', 'SUM(B2:B7)', 13)}</row>`,
    Report: `<row r="1">${formula('A1', 'Data!B7+Rate', 3)}</row>`,
  },
  names: '<definedName name="Rate">Data!$B$2</definedName>',
}

const read = (region: object) =>
  unwrap(openZoo(BOOK).document.read(region as never, { maxBytes: 10_000 }))

test('distinct texts come with their counts', () => {
  const { text: shown, fields } = read({ sheet: 'Data', range: 'A2:A5', texts: true })
  expect(shown).toContain('3|"x"|A2')
  expect(fields.texts).toEqual([
    { text: 'x', count: 3, cell: 'A2' },
    { text: 'y', count: 1, cell: 'A3' },
  ])
})

test('a trace shows what formulas read, also through names and other sheets', () => {
  expect(read({ sheet: 'Report', range: 'A1', trace: 'precedents' }).text).toContain(
    'Report!A1: 3 {=Data!B7+Rate} ← Data!B7 3 {=SUM(B2:B3)}; Data!B2 1',
  )
  const dependents = read({ sheet: 'Data', range: 'B2', trace: 'dependents' }).text
  for (const cell of ['Data!C2', 'Data!C3', 'Data!B7', 'Data!B9', 'Report!A1'])
    expect(dependents).toContain(`${cell}: `)
  expect(dependents).not.toContain('Data!C4')
})

test('the map names the places that deserve a look', () => {
  const { document } = openZoo(BOOK)
  const { fields, text: map } = unwrap(document.map())
  const [data] = fields.sheets as { check: { kind: string; cell: string }[] }[]
  const found = data!.check.map(({ kind, cell }) => `${kind} ${cell}`)
  expect(found).toContain('error D6')
  expect(found).toContain('formula differs from its neighbours C3')
  expect(found).toContain('number stored as text B5')
  expect(found).toContain('range stops short B7')
  expect(found).toContain('counted twice B9')
  expect(found).toContain('number inside a formula C4')
  expect(map).toContain('check: error: D6 #DIV/0!')
})
