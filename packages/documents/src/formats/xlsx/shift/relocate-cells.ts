import { bufferOf, encodeText, fromUtf8, Splices } from '../../../opc/index.ts'
import type { Sheet } from '../book/sheet.ts'
import { type CellAddress, cellKey, cellName } from '../cell/address.ts'
import { CellScan, readTag, type TagScan } from '../cell/cell-scan.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import { decodeTag } from '../cell/formula-tags.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { type CellStep, cellInStep, isLost } from '../places/place-step.ts'

export interface Relocation {
  readonly step: CellStep
  /** The formula of a cell in its new place. */
  formula(text: string, from: CellAddress, to: CellAddress): string
  /** Rows whose height and style go along; undefined: rows keep their own. */
  readonly rowOf?: (row: number) => number | undefined
}

/** Where a cell goes; undefined: it stays; null: it is deleted, or something else takes its place. */
export function cellAfter(
  { step }: Relocation,
  row: number,
  column: number,
): CellAddress | null | undefined {
  const to = cellInStep(step, { sheet: step.sheet, row, column })
  if (isLost(to)) return null
  return to.row === row && to.column === column ? undefined : to
}

/** The sheet with some of its cells in other places, as they are: value, format, rich text, formula. */
export function relocateCells(sheet: Sheet, xml: SheetXml, relocation: Relocation): Uint8Array {
  const shared = unshare(sheet, xml)
  const rows = new Map<number, { column: number; text: string }[]>()
  const touched = new Set<number>()
  const cell = new CellScan()
  const place = (at: CellAddress, text: string) => {
    const list = rows.get(at.row)
    if (list) list.push({ column: at.column, text })
    else rows.set(at.row, [{ column: at.column, text }])
  }
  for (let index = 0; index < xml.rows.count; index++)
    xml.scanRow(index, cell, own => {
      const from = { row: own.row, column: own.column }
      const to = cellAfter(relocation, from.row, from.column)
      if (to !== undefined) touched.add(from.row)
      if (to) touched.add(to.row)
      if (to) place(to, moved(sheet, xml, own, to, relocation, shared))
      else if (to === undefined) place(from, moved(sheet, xml, own, from, undefined, shared))
      if (shared.has(cellKey(from.row, from.column))) touched.add(from.row)
    })
  return write(sheet, xml, rows, touched, relocation.rowOf)
}

/** The cells of shared formulas with the text each reads as: one that moves no longer shares. */
function unshare(sheet: Sheet, xml: SheetXml): Map<number, string> {
  const found = new Map<number, string>()
  scanFormulas(xml, own => {
    if (decodeTag(own)?.t !== 'shared') return
    const formula = sheet.formulaOf(xml, own)
    if (formula) found.set(cellKey(own.row, own.column), formula.text)
  })
  return found
}

function moved(
  sheet: Sheet,
  xml: SheetXml,
  own: CellScan,
  to: CellAddress,
  relocation: Relocation | undefined,
  shared: ReadonlyMap<number, string>,
): string {
  const splices = new Splices()
  const from = { row: own.row, column: own.column }
  const tag = bufferOf(own.bytes).toString('latin1', own.start, own.tagEnd)
  const match = /\sr\s*=\s*["']([^"']*)["']/.exec(tag)
  const name = cellName(to.row, to.column)
  if (!match) splices.insert(1 + xml.prefix.length + 1, ` r="${name}"`)
  else {
    const at = match.index + match[0].length - 1 - match[1]!.length
    splices.replace(at, at + match[1]!.length, name)
  }
  const text = shared.get(cellKey(from.row, from.column))
  const known = own.formulaStart >= 0 ? decodeTag(own) : undefined
  // one that fills several cells moves as a whole, and its range is set already
  const isWhole =
    known?.t === 'dataTable' ||
    (known?.t === 'array' && known.ref !== cellName(from.row, from.column))
  if (own.formulaStart >= 0 && !isWhole) {
    const before = text ?? sheet.formulaOf(xml, own)?.text ?? ''
    const after = relocation ? relocation.formula(before, from, to) : before
    const kind = known?.t === 'array' ? ` t="array" ref="${name}"` : ''
    splices.replace(
      own.formulaStart - own.start,
      own.formulaEnd - own.start,
      `<${xml.prefix}f${kind}>${encodeText(after)}</${xml.prefix}f>`,
    )
  }
  return bufferOf(splices.apply(own.bytes.slice(own.start, own.end))).toString('utf8')
}

function write(
  sheet: Sheet,
  xml: SheetXml,
  rows: ReadonlyMap<number, { column: number; text: string }[]>,
  touched: ReadonlySet<number>,
  rowOf: Relocation['rowOf'],
): Uint8Array {
  const splices = new Splices()
  const { prefix, bytes } = xml
  const known = new Set<number>()
  const tags = rowTags(xml, rowOf)
  for (let index = 0; index < xml.rows.count; index++) {
    const row = xml.rows.numbers[index]!
    known.add(row)
    if (!touched.has(row) && !tags.has(row)) continue
    const cells = (rows.get(row) ?? []).sort((a, b) => a.column - b.column)
    const attributes = tags.get(row) ?? ownAttributes(xml, index)
    splices.replace(
      xml.rows.starts[index]!,
      rowEnd(xml, index),
      `<${prefix}row r="${row}"${attributes}>${cells.map(({ text }) => text).join('')}</${prefix}row>`,
    )
  }
  for (const row of [...new Set([...rows.keys(), ...tags.keys()])].sort((a, b) => a - b)) {
    if (known.has(row)) continue
    const cells = (rows.get(row) ?? []).sort((a, b) => a.column - b.column)
    const index = xml.findRow(row)
    const at = index < xml.rows.count ? xml.rows.starts[index]! : xml.data.end
    splices.insert(
      at,
      `<${prefix}row r="${row}"${tags.get(row) ?? ''}>${cells.map(({ text }) => text).join('')}</${prefix}row>`,
    )
  }
  return fromUtf8(splices.apply(bytes), sheet.encoding)
}

/** The row's element ends before whatever stands between it and the next. */
function rowEnd(xml: SheetXml, index: number): number {
  const { bytes, rows, prefix } = xml
  const tag: TagScan = { end: 0, isEmpty: false, row: 0 }
  readTag(bytes, rows.starts[index]!, tag)
  if (tag.isEmpty) return tag.end
  const close = bufferOf(bytes).lastIndexOf(`</${prefix}row`, rows.ends[index]! - 1)
  return bytes.indexOf(62, close) + 1
}

function ownAttributes(xml: SheetXml, index: number): string {
  const tag: TagScan = { end: 0, isEmpty: false, row: 0 }
  const start = xml.rows.starts[index]!
  readTag(xml.bytes, start, tag)
  return bufferOf(xml.bytes)
    .toString('utf8', start + 4 + xml.prefix.length, tag.end)
    .replace(/\s*\/?>$/, '')
    .replace(/\s(?:r|spans)\s*=\s*["'][^"']*["']/g, '')
}

/** Heights and styles of rows that change places. */
function rowTags(xml: SheetXml, rowOf: Relocation['rowOf']): Map<number, string> {
  const tags = new Map<number, string>()
  if (!rowOf) return tags
  for (let index = 0; index < xml.rows.count; index++) {
    const to = rowOf(xml.rows.numbers[index]!)
    if (to !== undefined) tags.set(to, ownAttributes(xml, index))
  }
  return tags
}
