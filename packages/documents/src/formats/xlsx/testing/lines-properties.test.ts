import { toBytes, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IS_FULL } from '../../../corpus.contract.ts'
import { Book } from '../book/book.ts'
import { openWorkbook } from '../book/workbook-part.ts'
import { boxName, cellName, WHOLE_SHEET } from '../cell/address.ts'
import { xlsxFormat } from '../format.ts'
import { findStale } from '../formula/dependants.ts'
import { findReferences } from '../formula/references.ts'
import { structureFaults } from './structure.contract.ts'
import { logged, NAME, zooBook } from './zoo.contract.ts'

const RUNS = IS_FULL ? 400 : 25

const corner = fc.record({
  row: fc.integer({ min: 1, max: 9 }),
  column: fc.integer({ min: 1, max: 6 }),
})
const reference = fc.record({
  a: corner,
  b: fc.option(corner, { nil: undefined }),
  marks: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
  isNamed: fc.boolean(),
})
type Drawn = typeof reference extends fc.Arbitrary<infer Own> ? Own : never

const shift = fc.record({
  op: fc.constantFrom('insert_rows', 'delete_rows', 'insert_columns', 'delete_columns'),
  at: fc.integer({ min: 1, max: 8 }),
  count: fc.integer({ min: 1, max: 3 }),
})

const letter = (column: number) => cellName(1, column).slice(0, -1)

function written({ a, b, marks, isNamed }: Drawn, isFixed: boolean, onOther: boolean): string {
  const mark = (index: number) => (isFixed || marks[index] ? '$' : '')
  const first = `${mark(0)}${letter(a.column)}${mark(1)}${a.row}`
  const second = b ? `:${mark(2)}${letter(b.column)}${mark(3)}${b.row}` : ''
  return `${isFixed || isNamed || onOther ? 'Data!' : ''}${first}${second}`
}

function operationOf({ op, at, count }: { op: string; at: number; count: number }) {
  if (op === 'insert_rows') return { op, sheet: 'Data', at, count }
  if (op === 'insert_columns') return { op, sheet: 'Data', at: letter(at), count }
  if (op === 'delete_rows') return { op, sheet: 'Data', rows: `${at}:${at + count - 1}` }
  return { op, sheet: 'Data', columns: `${letter(at)}:${letter(at + count - 1)}` }
}

/** Each formula stands beside a number that tells it apart, on a sheet of its own and far out on the moved one. */
function bookOf(references: readonly Drawn[]): Uint8Array {
  const cells = references.map((own, index) => [
    `<c r="Z${20 + index}"><f>SUM(${written(own, false, false)})+${1000 + index}</f><v>0</v></c>`,
    `<c r="A${index + 1}"><f>SUM(${written(own, false, true)})+${1000 + index}</f><v>0</v></c>`,
  ])
  return zooBook({
    sheets: {
      Data: cells.map(([own], index) => `<row r="${20 + index}">${own}</row>`).join(''),
      Other: cells.map(([, own], index) => `<row r="${index + 1}">${own}</row>`).join(''),
    },
    names: references
      .map(
        (own, index) =>
          `<definedName name="Name_${index}">${written(own, true, true)}</definedName>`,
      )
      .join(''),
  })
}

test('after rows and columns moved, every formula names the cells that a name on them names', () => {
  fc.assert(
    fc.property(
      fc.array(reference, { minLength: 1, maxLength: 6 }),
      fc.array(shift, { minLength: 1, maxLength: 3 }),
      (references, shifts) => {
        const bytes = bookOf(references)
        const document = unwrap(xlsxFormat.open(bytes, NAME))
        unwrap(document.apply(logged(shifts.map(operationOf))))
        const after = toBytes(unwrap(document.content()), bytes)
        expect(structureFaults(after)).toEqual([])
        const book = new Book(unwrap(openWorkbook(after)), { findStale })
        const named = new Map(book.definedNames.map(({ name, text }) => [name, areaOf(text)]))
        for (const sheet of book.sheets)
          for (const { formula } of unwrap(book.values.in(sheet, WHOLE_SHEET)).values()) {
            const id = /\+1(\d+)$/.exec(formula!.text)![1]!
            expect(areaOf(formula!.text), formula!.text).toBe(named.get(`Name_${Number(id)}`))
          }
      },
    ),
    { numRuns: RUNS },
  )
})

test('inserted and deleted again, a workbook reads the same', () => {
  fc.assert(
    fc.property(fc.array(reference, { minLength: 1, maxLength: 5 }), shift, (references, own) => {
      const isRow = own.op.endsWith('rows')
      const bytes = bookOf(references)
      const document = unwrap(xlsxFormat.open(bytes, NAME))
      const [insert, remove] = isRow
        ? (['insert_rows', 'delete_rows'] as const)
        : (['insert_columns', 'delete_columns'] as const)
      unwrap(
        document.apply(
          logged([operationOf({ ...own, op: insert }), operationOf({ ...own, op: remove })]),
        ),
      )
      const after = toBytes(unwrap(document.content()), bytes)
      expect(formulasOf(after)).toEqual(formulasOf(bytes))
    }),
    { numRuns: RUNS },
  )
})

function areaOf(formula: string): string {
  const [area] = findReferences(formula).areas
  return area ? boxName(area) : '#REF!'
}

function formulasOf(bytes: Uint8Array): unknown {
  const book = new Book(unwrap(openWorkbook(bytes)), { findStale })
  return [
    book.definedNames.map(({ text }) => text),
    book.sheets.map(sheet =>
      [...unwrap(book.values.in(sheet, WHOLE_SHEET)).values()].map(
        ({ row, column, formula }) => [row, column, formula!.text] as const,
      ),
    ),
  ]
}
