import fc from 'fast-check'
import { quoteSheet } from '../cell/address.ts'

/** Sheets whose names need quotes, or would be something else without them. */
export const SHEETS = [
  'Data',
  "O'Brien",
  'Q1',
  'Q4',
  'TRUE',
  '2019',
  'R1C1',
  'My x, (sheet)!',
  'Übersicht',
]

/** What is no reference, though it may look like one. */
const STRANGE = [
  '"Data!A1"',
  '"O\'Brien!A1"',
  '#REF!',
  '#N/A',
  'Data!#REF!',
  '#REF!$B$2',
  '[1]Data!B2',
  "'[1]O''Brien'!B2:C3",
  '[1]!Rate',
  "'C:\\x\\[B.xlsx]Data'!B2",
  'Sales[Net]',
  'Sales[[#This Row],[B2]]',
  '[@Net]',
  'Rate',
  'Data!Rate',
  'RC',
  'LOG10(2)',
  'XFE1',
  '{1,2;3,4}',
  'TRUE',
  '_xlpm.B2',
  "'Data:Q1'!B2",
  'Data:Übersicht!B2',
]

const row = fc.integer({ min: 1, max: 40 })
const column = fc.constantFrom('A', 'B', 'C', 'H', 'Z', 'AA', 'XAA')
const mark = fc.constantFrom('', '', '$')
const cell = fc.tuple(mark, column, mark, row).map(parts => parts.join(''))
const join = fc.constantFrom(':', ':', ':', ' : ', ':.', '.:.')
const range = fc.oneof(
  cell,
  fc.tuple(cell, join, cell).map(parts => parts.join('')),
  fc.tuple(mark, column, mark, column).map(([a, b, c, d]) => `${a}${b}:${c}${d}`),
  fc.tuple(mark, row, mark, row).map(([a, b, c, d]) => `${a}${b}:${c}${d}`),
  fc.tuple(mark, column, mark, column).map(([a, b, c, d]) => `${a}${b}.:.${c}${d}`),
)
const sheet = fc.constantFrom(...SHEETS).map(name => `${quoteSheet(name)}!`)
const reference = fc.oneof(
  range,
  fc.tuple(sheet, range).map(parts => parts.join('')),
  fc.tuple(sheet, cell, cell).map(([name, a, b]) => `${name}${a}:${name}${b}`),
  fc.tuple(sheet, cell).map(([name, a]) => `${name}${a}#`),
)

/** Formulas as files have them, with every kind of reference. */
export const randomFormula = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 3, arbitrary: reference },
        { weight: 1, arbitrary: fc.constantFrom(...STRANGE) },
      ),
      fc.constantFrom('+', '&', ' * ', ',', '=', ')-(', '>\n'),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map(parts => `SUM(${parts.flat().slice(0, -1).join('')})`)
