import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import {
  type CorpusFile,
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import { ALLOWED } from '../../../draft-log.ts'
import { convert } from '../../../libreoffice.contract.ts'
import { readZip } from '../../../opc/index.ts'
import { validate } from '../../../validator.contract.ts'
import { png } from '../../docx/testing/png.contract.ts'
import { xlsxFormat } from '../format.ts'
import { newSheetFaults } from './sheet-rules.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const files = corpusFiles(
  file => file.category !== 'malformed' && /^xlsx\/.*\.xls[xm]$/.test(file.file),
)
const MODEST = 300_000 // bytes; the larger ones only in a full run
const sample = sampleOf(
  files.filter(({ size }) => IS_FULL || size < MODEST),
  8,
)

const PICTURE = png(40, 30)
const HASH = createHash('sha256').update(PICTURE).digest('hex')

const SHEET = 'Objects of a test'
const data = [
  ['Region', 'Year', 'Net'],
  ['North', 2025, 10],
  ['South', 2025, 20],
  ['North', 2026, 30],
]

/** Every operation once, on a sheet of its own and beside the data of a real one. */
function operationsOn(sheet: string, row: number): readonly Operation[] {
  const at = (column: string) => `${column}${row}`
  const made = { op: 'add_table', sheet: SHEET, range: 'A1:C4', name: 'Objects_T', totals: true }
  const link = { op: 'set_hyperlink', sheet, cell: at('B'), url: 'https://a.example/', text: 'A' }
  const rule = { op: 'data_validation', sheet, range: at('C'), type: 'list', list: ['a', 'b'] }
  const note = { op: 'set_comment', sheet, cell: at('B'), text: 'A note', author: 'Ann' }
  const drawn = {
    op: 'add_chart',
    sheet,
    type: 'column',
    source: `'${SHEET}'!A1:C4`,
    cell: at('E'),
  }
  return [
    { op: 'ensure_sheet', sheet: SHEET },
    { op: 'set_range', sheet: SHEET, start: 'A1', values: data },
    made,
    { op: 'edit_table', table: 'Objects_T', new_name: 'Objects_U', style: 'light 3' },
    { op: 'define_name', name: 'Objects_N', refers_to: `'${SHEET}'!C2:C4` },
    { op: 'edit_name', name: 'Objects_N', new_name: 'Objects_M' },
    rule,
    { ...rule, prompt: 'Choose' },
    note,
    { ...note, text: 'Another note' },
    link,
    { ...drawn, name: 'Objects 1', title: 'Net' },
    { op: 'edit_chart', sheet, chart: 'Objects 1', type: 'line', y_title: 'EUR' },
    { ...drawn, type: 'pie', source: 'Objects_U[Net]', name: 'Objects 2', cell: at('N') },
    { op: 'add_image', sheet, image: 'logo.png', cell: at('H'), alt: 'Logo', name: 'Objects 3' },
    { op: 'move_image', sheet, picture: 'Objects 3', width: 20 },
    {
      op: 'add_pivot',
      sheet: SHEET,
      source: 'Objects_U',
      rows: ['Region'],
      columns: ['Year'],
      values: ['Net'],
      filters: [],
      cell: 'F1',
      name: 'Objects_P',
    },
    { op: 'edit_pivot', pivot: 'Objects_P', columns: [], filters: ['Year'] },
    { op: 'set_properties', properties: { subject: 'Objects' } },
    { op: 'protect', sheet: SHEET },
  ]
}

const removals = (sheet: string, row: number): readonly Operation[] => [
  { op: 'unprotect', sheet: SHEET },
  { op: 'remove_pivot', pivot: 'Objects_P' },
  { op: 'remove_chart', sheet, chart: 'Objects 2' },
  { op: 'remove_chart', sheet, chart: 'Objects 1' },
  { op: 'remove_image', sheet, picture: 'Objects 3' },
  { op: 'remove_hyperlink', sheet, cell: `B${row}` },
  { op: 'remove_comment', sheet, cell: `B${row}` },
  { op: 'remove_validation', sheet, range: `C${row}` },
  { op: 'remove_name', name: 'Objects_M' },
  { op: 'remove_table', table: 'Objects_U' },
]

interface Edited {
  readonly added: Uint8Array
  readonly removed: Uint8Array
}

/** Undefined for a workbook without a sheet that can be edited. */
function editedFile(file: CorpusFile): Edited | undefined {
  const bytes = readCorpusFile(file)
  const document = unwrap(xlsxFormat.open(bytes, NAME))
  const { sheets } = unwrap(document.map()).fields as {
    sheets: { name: string; kind: string; usedRange?: string | null; visibility: string }[]
  }
  const own = sheets.find(
    ({ kind, visibility }) => kind === 'worksheet' && visibility === 'visible',
  )
  if (!own) return undefined
  const row = Number(/(\d+)$/.exec(own.usedRange ?? 'A1')?.[1] ?? 1) + 3
  const apply = (operations: readonly Operation[], call: string) => {
    const log = logged(operations, call).map(each => ({
      ...each,
      inputs: { 'logo.png': HASH as never },
    }))
    unwrap(document.apply(log, { ...ALLOWED, inputs: { [HASH]: PICTURE } }))
    return toBytes(unwrap(document.content()), bytes)
  }
  const added = apply(operationsOn(own.name, row), 'tc_add')
  return { added, removed: apply(removals(own.name, row), 'tc_remove') }
}

/** Parts that an edit may change: those of the sheets, the workbook and what hangs on them. */
const MAY_CHANGE =
  /Content_Types|\.rels$|workbook\.xml$|worksheets\/|sheets\/|calcChain|styles|docProps|drawings?\/|comments|media\/|charts\/|pivot|tables\/|persons|metadata/i

describe.skipIf(!hasCorpus)('objects in real workbooks', () => {
  test.each(sample)('$file', file => {
    const bytes = readCorpusFile(file)
    const edited = editedFile(file)
    if (!edited) return
    for (const after of [edited.added, edited.removed]) {
      expect(newSheetFaults(bytes, after)).toEqual([])
      expect(newRepairFaults(bytes, after)).toEqual([])
      const now = new Map(unwrap(readZip(after)).entries.map(own => [own.name, own]))
      for (const own of unwrap(readZip(bytes)).entries) {
        const twin = now.get(own.name)
        const isSame =
          twin &&
          Buffer.compare(
            after.subarray(twin.start, twin.end),
            bytes.subarray(own.start, own.end),
          ) === 0
        if (!isSame) expect(own.name).toMatch(MAY_CHANGE)
      }
    }
  })
})

const folder = IS_FULL ? mkdtempSync(join(tmpdir(), 'filewright-objects-')) : ''
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!IS_FULL || !hasCorpus)('objects judged by others', () => {
  test.each(files)(
    '$file: the Open XML SDK finds no new error',
    async file => {
      const edited = editedFile(file)
      if (!edited) return
      const name = basename(file.file)
      const [known, ...now] = await validate([
        { name, bytes: readCorpusFile(file) },
        { name, bytes: edited.added },
        { name, bytes: edited.removed },
      ])
      for (const found of now) expect(found.filter(error => !known?.includes(error))).toEqual([])
    },
    240_000,
  )

  test('LibreOffice still opens the files it opened before', () => {
    const edited = files.flatMap(file => {
      const own = editedFile(file)
      return own ? [{ file, bytes: own.added }] : []
    })
    const named = edited.map(({ file, bytes }) => ({ name: basename(file.file), bytes }))
    const opened = convert(named, 'csv', folder)
    const failed = named.filter((_, index) => opened[index] === undefined).map(({ name }) => name)
    const expected = (files as (CorpusFile & { libreoffice_7_4_loads?: boolean })[])
      .filter(file => file.libreoffice_7_4_loads === false)
      .map(file => basename(file.file))
    expect(failed.filter(name => !expected.includes(name))).toEqual([])
  }, 600_000)
})
