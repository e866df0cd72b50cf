import { fail, ok, type Reading, type Result } from '@filewright/protocol'
import type { ReadOptions } from '../../../format.ts'
import type { Book } from '../book/book.ts'
import { splitRanges } from '../cell/address.ts'
import type { WorkbookRegion } from '../declared/selectors.ts'
import { readGrid } from './grid.ts'
import { readRegion } from './read.ts'
import { readTexts } from './read-texts.ts'
import { traceCells } from './trace-cells.ts'

/** One range, or several of one sheet in one reading: `A6:A20,E6:E20`. */
export function readRanges(
  book: Book,
  region: WorkbookRegion,
  options: ReadOptions,
): Result<Reading> {
  if (options.grid) return readGrid(book, region)
  if (region.texts) return readTexts(book, region, options)
  if (region.trace) return traceCells(book, region, options)
  const ranges = splitRanges(region.range ?? '')
  if (ranges.length < 2) return readRegion(book, region, options)
  const parts: Reading[] = []
  let left = options.maxBytes
  for (const range of ranges) {
    const part = readRegion(book, { ...region, range }, { ...options, maxBytes: left })
    if (!part.ok) return part
    parts.push(part.value)
    left -= Buffer.byteLength(part.value.text)
    if (part.value.next || left <= LEAST_BYTES) break
  }
  const sheets = new Set(parts.map(({ fields }) => fields.sheet))
  if (sheets.size > 1) return severalSheets([...sheets] as string[])
  return ok(joinParts(parts, ranges.slice(parts.length)))
}

const LEAST_BYTES = 500 // less is not worth another table

function severalSheets(sheets: readonly string[]) {
  return fail(
    'INVALID_ARGUMENT',
    `Cannot read ranges of ${sheets.map(name => JSON.stringify(name)).join(' and ')} at once: several ranges are read from one sheet. Read each sheet with a call of its own.`,
  )
}

function joinParts(parts: readonly Reading[], later: readonly string[]): Reading {
  const first = parts[0]!
  const cut = parts.at(-1)!.next as WorkbookRegion | undefined
  const range = [cut?.range, ...later].filter(part => part !== undefined).join(',')
  const next = range === '' ? undefined : { sheet: first.fields.sheet as string, range }
  const then = later.length > 0 ? [`then: range ${later.join(',')}`] : []
  const shown = parts.map(part => part.shown).join(',')
  const warnings = [...new Set(parts.flatMap(part => part.warnings ?? []))]
  return {
    text: [...parts.map(part => part.text), ...then].join('\n'),
    fields: { ...joinFields(parts), range: shown, next: next ?? null },
    shown,
    total: first.total,
    ...(next && { next }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** Lists are joined, and what two ranges share is listed once; the rest is that of the sheet. */
function joinFields(parts: readonly Reading[]): Record<string, unknown> {
  const joined = Object.entries(parts[0]!.fields).map(([name, value]) => {
    const values = parts.map(({ fields }) => fields[name])
    return [name, values.every(Array.isArray) ? distinct(values.flat()) : value]
  })
  return Object.fromEntries(joined)
}

function distinct(items: readonly unknown[]): unknown[] {
  return [...new Map(items.map(item => [JSON.stringify(item), item])).values()]
}
