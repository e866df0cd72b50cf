import type { Box, GridRun } from '@filewright/protocol'
import { attribute, child, parseXml } from '../../../opc/index.ts'
import { oneAround } from './around.ts'
import type { LineEdit, Sheet } from './sheet.ts'
import { isTrue } from './workbook-part.ts'

/** What a column or row is like, with edits: undefined where the file says nothing. */
export interface LineFormat {
  /** Width in characters, or height in points. */
  readonly size?: number
  readonly hidden: boolean
  readonly level: number
  readonly folded: boolean
  readonly style?: number
}

const PLAIN: LineFormat = { hidden: false, level: 0, folded: false }

/** The columns of a box that have a format of their own, by number. */
export function columnFormats(sheet: Sheet, left: number, right: number): Map<number, LineFormat> {
  const found = new Map<number, LineFormat>()
  for (const own of oneAround(sheet, 'cols')?.root.children ?? []) {
    const [from, to] = [Number(attribute(own, 'min')), Number(attribute(own, 'max'))]
    const format = readLine({
      size: attribute(own, 'width'),
      hidden: attribute(own, 'hidden'),
      level: attribute(own, 'outlineLevel'),
      folded: attribute(own, 'collapsed'),
      style: attribute(own, 'style'),
    })
    for (let column = Math.max(from, left); column <= Math.min(to, right); column++)
      found.set(column, format)
  }
  for (const [column, edit] of sheet.columns)
    if (column >= left && column <= right)
      found.set(column, withEdit(found.get(column) ?? PLAIN, edit))
  return found
}

/** The rows of a box that have a format of their own, by number. */
export function rowFormats(sheet: Sheet, top: number, bottom: number): Map<number, LineFormat> {
  const found = new Map<number, LineFormat>()
  const xml = sheet.xmlTo(bottom)
  if (!xml.ok) return found
  const { rows, bytes } = xml.value
  for (let index = xml.value.findRow(top); index < rows.count; index++) {
    const row = rows.numbers[index]!
    if (row > bottom) break
    const start = rows.starts[index]!
    const tag = Buffer.from(bytes.subarray(start, bytes.indexOf(62, start))).toString('utf8')
    if (!/\s(?:ht|hidden|outlineLevel|collapsed|customFormat)\s*=/.test(tag)) continue
    const element = parseXml(Buffer.from(`${tag.replace(/\/$/, '')}/>`))
    if (typeof element === 'string') continue
    const wordOf = (name: string) => attribute(element.root, name)
    const format = readLine({
      size: wordOf('ht'),
      hidden: wordOf('hidden'),
      level: wordOf('outlineLevel'),
      folded: wordOf('collapsed'),
      style: isTrue(wordOf('customFormat')) ? wordOf('s') : undefined,
    })
    found.set(row, format)
  }
  for (const [row, edit] of sheet.rows)
    if (row >= top && row <= bottom) found.set(row, withEdit(found.get(row) ?? PLAIN, edit))
  return found
}

function readLine(
  own: Readonly<Record<'size' | 'hidden' | 'level' | 'folded' | 'style', string | undefined>>,
): LineFormat {
  const size = own.size === undefined ? Number.NaN : Number(own.size)
  const style = own.style === undefined ? Number.NaN : Number(own.style)
  return {
    ...(Number.isFinite(size) && { size }),
    hidden: isTrue(own.hidden),
    level: Number(own.level ?? 0) || 0,
    folded: isTrue(own.folded),
    ...(Number.isFinite(style) && style > 0 && { style }),
  }
}

function withEdit({ size, ...format }: LineFormat, edit: LineEdit): LineFormat {
  return {
    ...format,
    ...(size !== undefined && edit.size !== 'auto' && { size }),
    ...(typeof edit.size === 'number' && { size: edit.size }),
    ...(edit.hidden !== undefined && { hidden: edit.hidden }),
    ...(edit.level !== undefined && { level: edit.level }),
    ...(edit.folded !== undefined && { folded: edit.folded }),
    ...(edit.style !== undefined && { style: edit.style }),
  }
}

/** Sizes that lines have unless they say otherwise. */
export interface DefaultSizes {
  /** In characters. */
  readonly width: number
  /** In points. */
  readonly height: number
}

export function defaultSizes(sheet: Sheet): DefaultSizes {
  const format = oneAround(sheet, 'sheetFormatPr')?.root
  const width = Number(attribute(format, 'defaultColWidth') ?? Number.NaN)
  const base = Number(attribute(format, 'baseColWidth') ?? 8) || 8
  const height = Number(attribute(format, 'defaultRowHeight') ?? Number.NaN)
  return {
    width: width > 0 ? width : base + 5 / DIGIT_PIXELS + 0.43,
    height: height > 0 ? height : 15,
  }
}

const DIGIT_PIXELS = 7 // the widest digit of Calibri 11, on which Excel's widths are based

export function widthPixels(characters: number): number {
  return Math.round(characters * DIGIT_PIXELS)
}

export function heightPixels(points: number): number {
  return Math.round((points * 96) / 72)
}

/** Lines with a format as runs of neighbours that are alike, in pixels. */
export function toRuns(
  formats: ReadonlyMap<number, LineFormat>,
  standard: number,
  pixels: (size: number) => number,
): GridRun[] {
  const runs: { from: number; to: number; size: number; hidden?: true; level?: number }[] = []
  for (const line of [...formats.keys()].sort((a, b) => a - b)) {
    const { size, hidden, level } = formats.get(line)!
    const own = {
      size: pixels(size ?? standard),
      ...(hidden && { hidden: true as const }),
      ...(level > 0 && { level }),
    }
    if (!hidden && level === 0 && own.size === pixels(standard)) continue
    const last = runs.at(-1)
    if (
      last &&
      last.to === line - 1 &&
      last.size === own.size &&
      last.hidden === own.hidden &&
      last.level === own.level
    )
      last.to = line
    else runs.push({ from: line, to: line, ...own })
  }
  return runs
}

/** Rows and columns that stay in view. */
export function frozenOf(sheet: Sheet): { rows: number; columns: number } | undefined {
  const pane = child(child(oneAround(sheet, 'sheetViews')?.root, 'sheetView'), 'pane')
  if (!(attribute(pane, 'state') ?? '').startsWith('frozen')) return undefined
  const numberOf = (name: string) =>
    Math.max(0, Math.floor(Number(attribute(pane, name) ?? 0) || 0))
  return { rows: numberOf('ySplit'), columns: numberOf('xSplit') }
}

export function sizeOfBox(box: Box): number {
  return (box.bottom - box.top + 1) * (box.right - box.left + 1)
}
