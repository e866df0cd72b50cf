import type { Result } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { xlsxFormat } from '../format.ts'
import { NAME, type ZooBook, zooBook } from './zoo.contract.ts'

const MANY = 1_000_000
const repeat = (item: (i: number) => string) =>
  Array.from({ length: MANY }, (_, i) => item(i)).join('')
const CELL = '<row r="1"><c r="A1"><v>1</v></c></row>'
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

const books: Readonly<Record<string, () => ZooBook>> = {
  sheets: () => ({
    sheets: { S: CELL },
    parts: {
      'xl/workbook.xml': `<workbook ${MAIN}><sheets>${repeat(i => `<sheet name="S${i}" sheetId="${i}"/>`)}</sheets></workbook>`,
    },
  }),
  'merged cells': () => ({
    sheets: {
      S: {
        rows: CELL,
        tail: `<mergeCells>${repeat(i => `<mergeCell ref="A${i + 2}:B${i + 2}"/>`)}</mergeCells>`,
      },
    },
  }),
  'attributes of the sheet': () => ({
    sheets: { S: CELL },
    parts: {
      'xl/worksheets/sheet1.xml': `<worksheet ${MAIN}${repeat(i => ` a${i}=""`)}><sheetData>${CELL}</sheetData></worksheet>`,
    },
  }),
  'attributes of the workbook': () => ({
    sheets: { S: CELL },
    workbookTail: `<x${repeat(i => ` a${i}=""`)}/>`,
  }),
  'defined names': () => ({
    sheets: { S: CELL },
    names: repeat(i => `<definedName name="N${i}">S!$A$1</definedName>`),
  }),
}

/** Every sheet asked for whole; the first refusal. */
function use(bytes: Uint8Array): Result<unknown> {
  const opened = xlsxFormat.open(bytes, NAME)
  if (!opened.ok) return opened
  const read = opened.value.read({ sheet: 'S' }, { maxBytes: 2_000 })
  return read.ok ? opened.value.map() : read
}

test.each(Object.entries(books))(
  'a workbook with a million %s is refused by their count',
  (_, make) => {
    const result = use(zooBook(make()))
    expect(result).toMatchObject({ ok: false })
    expect(result.ok || result.failure.message).toMatch(
      /more than [\d,]+ (sheets|merged|attributes|elements)/,
    )
  },
  120_000,
)
