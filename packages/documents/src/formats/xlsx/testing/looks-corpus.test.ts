import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Operation, type SheetGrid, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import {
  type CorpusFile,
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import type { OpenDocument } from '../../../format.ts'
import { convert } from '../../../libreoffice.contract.ts'
import { readZip } from '../../../opc/index.ts'
import { validate } from '../../../validator.contract.ts'
import { xlsxFormat } from '../format.ts'
import { newSheetFaults } from './sheet-rules.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const files = corpusFiles(file => file.category === 'xlsx' && file.size < 300_000)
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

interface MappedSheet {
  readonly name: string
  readonly kind?: string
  readonly usedRange?: string | null
  readonly merges?: readonly string[]
  readonly widths?: Readonly<Record<string, number>>
  readonly heights?: Readonly<Record<string, number>>
  readonly frozen?: { readonly rows: number; readonly columns: number } | null
  readonly tables?: readonly unknown[]
  readonly conditionalFormats?: readonly {
    readonly range: string
    readonly rule: object
    readonly style?: string
  }[]
}

function sheetsOf(document: OpenDocument): readonly MappedSheet[] {
  return unwrap(document.map()).fields.sheets as MappedSheet[]
}

/** The first sheet with cells, not too large. */
function firstSheet(document: OpenDocument): MappedSheet | undefined {
  return sheetsOf(document).find(({ usedRange }) => {
    const [, last = ''] = usedRange?.split(':') ?? []
    return usedRange && Number(/\d+$/.exec(last)?.[0] ?? 1) <= 400
  })
}

const EDITS: readonly ((sheet: MappedSheet) => Operation)[] = [
  own => ({
    op: 'set_style',
    range: own.usedRange!,
    style: { bold: true, fill: 'FFF2CC', border: 'thin' },
  }),
  () => ({ op: 'set_style', range: 'B:C', style: 'italic, format "0.000"' }),
  own => ({ op: 'clear_style', range: own.usedRange! }),
  own => ({ op: 'conditional_format', range: own.usedRange!, rule: { top: 3 }, style: 'bold' }),
  own => ({ op: 'conditional_format', range: own.usedRange!, rule: { bar: '638EC6' } }),
  () => ({ op: 'freeze_panes', at: 'B3' }),
  () => ({ op: 'auto_filter', range: 'AX1:AY3' }),
  own => ({
    op: 'print_setup',
    print: {
      area: own.usedRange!,
      title_rows: '1:1',
      orientation: 'landscape',
      fit: { width: 1, height: 0 },
      header: 'Page &P',
    },
  }),
  () => ({ op: 'group', rows: '3:5', collapse: true }),
  () => ({ op: 'group', columns: 'B:C' }),
  () => ({ op: 'set_column_widths', widths: { 'A:F': 'auto' } }),
]

function editedBy(bytes: Uint8Array, operations: readonly Operation[]): Uint8Array | string {
  const document = unwrap(xlsxFormat.open(bytes, NAME))
  const applied = document.apply(logged(operations), ALLOWED)
  if (!applied.ok) return applied.failure.message
  return toBytes(unwrap(document.content()), bytes)
}

/** Parts that are not as they were. */
function changedParts(before: Uint8Array, after: Uint8Array): string[] {
  const old = unwrap(readZip(before)).entries
  const now = new Map(unwrap(readZip(after)).entries.map(own => [own.name, own]))
  return old
    .filter(entry => {
      const own = now.get(entry.name)
      return (
        !own ||
        Buffer.compare(
          after.subarray(own.start, own.end),
          before.subarray(entry.start, entry.end),
        ) !== 0
      )
    })
    .map(({ name }) => name)
}

const OWN_PARTS =
  /worksheets\/[^/]+\.xml$|styles\d*\.xml$|workbook\d*\.xml$|\[Content_Types\]|workbook\d*\.xml\.rels$/i

describe.skipIf(!hasCorpus)('looks of real workbooks', () => {
  test.each(sampleOf(files, 12))(
    '$file: each operation changes its own parts, and nothing needs repair',
    async file => {
      const bytes = readCorpusFile(file)
      const sheet = firstSheet(unwrap(xlsxFormat.open(bytes, NAME)))
      if (!sheet) return
      const results: { name: string; bytes: Uint8Array }[] = []
      for (const [index, make] of EDITS.entries()) {
        const operation: Operation = { ...make(sheet), sheet: sheet.name }
        const after = editedBy(bytes, [operation])
        if (typeof after === 'string') {
          expect(after, operation.op).toMatch(/^Nothing was written: /)
          continue
        }
        const changed = changedParts(bytes, after)
        expect(
          changed.filter(name => !OWN_PARTS.test(name)),
          operation.op,
        ).toEqual([])
        expect(changed.filter(name => /worksheets/.test(name)).length, operation.op).toBeLessThan(2)
        expect(newSheetFaults(bytes, after), operation.op).toEqual([])
        results.push({ name: `${index}-${basename(file.file)}`, bytes: after })
      }
      expect(results.length).toBeGreaterThan(2)
      // starting both programs for every file takes longer than all other tests together
      if (IS_FULL && files.indexOf(file) % 6 === 0) await expectOpened(bytes, results)
    },
  )
})

/** LibreOffice opens them, and the validator finds no more than before. */
async function expectOpened(
  before: Uint8Array,
  results: readonly { name: string; bytes: Uint8Array }[],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fw-looks-'))
  try {
    const [known = [], ...found] = await validate([
      { name: 'before.xlsx', bytes: before },
      ...results,
    ])
    for (const [index, faults] of found.entries())
      expect(
        faults.filter(own => !known.includes(own)),
        results[index]!.name,
      ).toEqual([])
    const opened = convert(results, 'csv', folder)
    expect(opened.filter(own => own === undefined)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function widthAt({ columns, defaults }: SheetGrid, column: number): number {
  return columns.find(({ from, to }) => column >= from && column <= to)?.size ?? defaults.width
}

const gridOf = (document: OpenDocument, sheet: string, range: string) =>
  unwrap(document.read({ sheet, range }, { maxBytes: 10_000_000, grid: true }))
    .fields as unknown as SheetGrid

/** Every cell with its look in full, whatever its number is. */
function looksBy(grid: SheetGrid): Map<string, string> {
  return new Map(
    grid.cells.flatMap(({ row, column, look }) =>
      look === undefined ? [] : [[`${row} ${column}`, JSON.stringify(grid.looks[look])]],
    ),
  )
}

/** What makes another sheet look like this one, from what the map tells of it. */
function restyling(own: MappedSheet, target: string): Operation[] {
  const on = (op: string, fields: object): Operation => ({ op, sheet: target, ...fields })
  const has = (sizes: object | undefined) => Object.keys(sizes ?? {}).length > 0
  return [
    on('set_style', {
      range: own.usedRange,
      like: `'${own.name.replaceAll("'", "''")}'!${own.usedRange}`,
    }),
    ...(has(own.widths) ? [on('set_column_widths', { widths: own.widths })] : []),
    ...(has(own.heights) ? [on('set_row_heights', { heights: own.heights })] : []),
    ...(own.frozen ? [on('freeze_panes', { at: cellAfter(own.frozen) })] : []),
    ...(own.merges ?? []).map(range => on('merge_cells', { range })),
    ...(own.conditionalFormats ?? []).map(({ range, rule, style }) =>
      on('conditional_format', {
        range: range.replaceAll(' ', ','),
        rule,
        ...(style && { style }),
      }),
    ),
  ]
}

function cellAfter({ rows, columns }: { readonly rows: number; readonly columns: number }): string {
  return `${String.fromCharCode(65 + columns)}${rows + 1}`
}

describe.skipIf(!hasCorpus)('a sheet restyled like the one beside it', () => {
  const rich = files.filter(isStyled)

  test.each(sampleOf(rich, 10))('$file: the same looks, cell by cell', file => {
    const bytes = readCorpusFile(file)
    const document = unwrap(xlsxFormat.open(bytes, NAME))
    const own = firstSheet(document)!
    const operations = [{ op: 'ensure_sheet', sheet: 'Beside' }, ...restyling(own, 'Beside')]
    unwrap(document.apply(logged(operations), ALLOWED))
    const after = unwrap(xlsxFormat.open(toBytes(unwrap(document.content()), bytes), NAME))
    const [before, beside] = [own.name, 'Beside'].map(name => gridOf(after, name, own.usedRange!))
    expect(looksBy(beside!)).toEqual(looksBy(before!))
    for (const { from, to, size } of before!.columns)
      for (let column = from; column <= to; column++)
        expect(widthAt(beside!, column), `column ${column}`).toBe(size)
    expect([beside!.frozen, beside!.merges.length]).toEqual([before!.frozen, before!.merges.length])
    expect(newSheetFaults(bytes, toBytes(unwrap(document.content()), bytes))).toEqual([])
  })

  test.each(sampleOf(rich, 10))('$file: the same looks from the words of a read', file => {
    const bytes = readCorpusFile(file)
    const document = unwrap(xlsxFormat.open(bytes, NAME))
    const own = firstSheet(document)!
    const read = unwrap(
      document.read({ sheet: own.name, range: own.usedRange! }, { maxBytes: 40_000, styles: true }),
    )
    const { styles, range } = read.fields as {
      range: string
      styles: { ranges: string[]; style: string }[]
    }
    const operations = styles.map(({ ranges, style }) => ({
      op: 'set_style',
      sheet: 'Beside',
      range: ranges.join(','),
      style,
      replace: true,
    }))
    unwrap(document.apply(logged([{ op: 'ensure_sheet', sheet: 'Beside' }, ...operations])))
    const looks = [own.name, 'Beside'].map(name => looksBy(gridOf(document, name, range)))
    const told = new Set(looks[1]!.keys())
    expect(told.size).toBeGreaterThan(0)
    for (const [place, look] of looks[1]!) expect(look, place).toBe(looks[0]!.get(place))
  })
})

function isStyled(file: CorpusFile): boolean {
  const opened = xlsxFormat.open(readCorpusFile(file), NAME)
  const own = opened.ok && opened.value.map().ok ? firstSheet(opened.value) : undefined
  if (!opened.ok || !own?.usedRange) return false
  const drawn = opened.value.read(
    { sheet: own.name, range: own.usedRange },
    { maxBytes: 1e7, grid: true },
  )
  const protectedBook = !opened.value.apply(logged([{ op: 'ensure_sheet', sheet: 'Beside' }])).ok
  return !protectedBook && drawn.ok && (drawn.value.fields as unknown as SheetGrid).looks.length > 4
}
