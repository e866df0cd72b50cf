import { bufferOf, type Splices } from '../../../opc/index.ts'
import { columnName } from '../cell/address.ts'
import { CellScan, readTag, type TagScan } from '../cell/cell-scan.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { firstLine, type LineShift, mapLine, type ShiftedRun } from '../places/line-shift.ts'

/** Gives the rows and cells their new addresses, removes deleted ones, and adds inserted ones that look like `like`. */
export function shiftLines(
  splices: Splices,
  xml: SheetXml,
  shift: LineShift,
  like: number | undefined,
): void {
  if (shift.axis === 'row') shiftRows(splices, xml, shift, like)
  else shiftColumns(splices, xml, shift, like)
}

function shiftRows(
  splices: Splices,
  xml: SheetXml,
  shift: LineShift,
  like: number | undefined,
): void {
  const { rows, bytes, prefix } = xml
  const cell = new CellScan()
  for (let index = xml.findRow(firstLine(shift)); index < rows.count; index++) {
    const start = rows.starts[index]!
    const to = mapLine(shift, rows.numbers[index]!)
    if (to === undefined) {
      splices.remove(start, rows.ends[index]!)
      continue
    }
    const tag = tagAt(bytes, start)
    setReference(splices, bytes, start, tag.end, `${prefix}row`, String(to))
    xml.scanRow(index, cell, own => {
      if (own.hasReference)
        setReference(
          splices,
          bytes,
          own.start,
          own.tagEnd,
          `${prefix}c`,
          `${columnName(own.column)}${to}`,
        )
    })
  }
  if (shift.kind === 'insert' && like !== undefined) insertRows(splices, xml, shift, like)
}

function tagAt(bytes: Uint8Array, start: number): TagScan {
  const tag: TagScan = { end: 0, isEmpty: false, row: 0 }
  readTag(bytes, start, tag)
  return tag
}

/** The attribute `r` of a row or cell, added where it is missing. */
function setReference(
  splices: Splices,
  bytes: Uint8Array,
  start: number,
  end: number,
  name: string,
  value: string,
): void {
  const text = bufferOf(bytes).toString('latin1', start, end)
  const match = /\sr\s*=\s*["']([^"']*)["']/.exec(text)
  if (!match) splices.insert(start + 1 + name.length, ` r="${value}"`)
  else if (match[1] !== value) {
    const at = start + match.index + match[0].length - 1 - match[1]!.length
    splices.replace(at, at + match[1]!.length, value)
  }
}

/** Inserted rows have the formats and the height of the row they look like. */
function insertRows(splices: Splices, xml: SheetXml, shift: LineShift, like: number): void {
  const { rows, bytes, prefix, data } = xml
  const source = xml.findRow(like)
  if (source >= rows.count || rows.numbers[source] !== like) return
  const start = rows.starts[source]!
  const tag = bufferOf(bytes).toString('latin1', start, tagAt(bytes, start).end)
  const attributes = keptRowAttributes(tag)
  const styles: { column: number; style: number }[] = []
  xml.scanRow(source, new CellScan(), ({ column, style }) => {
    if (style > 0) styles.push({ column, style })
  })
  if (styles.length === 0 && attributes === '') return
  const [{ at: first, count }] = shift.runs as [ShiftedRun]
  const index = xml.findRow(first)
  const at = index < rows.count ? rows.starts[index]! : data.end
  const texts: string[] = []
  for (let row = first; row < first + count; row++) {
    const cells = styles
      .map(({ column, style }) => `<${prefix}c r="${columnName(column)}${row}" s="${style}"/>`)
      .join('')
    texts.push(`<${prefix}row r="${row}"${attributes}>${cells}</${prefix}row>`)
  }
  splices.insert(at, texts.join(''))
}

/** A height that a person set, the row's own style, its outline level; never that it is hidden. */
function keptRowAttributes(tag: string): string {
  const attributeOf = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1]
  const kept = ['s', 'customFormat', 'outlineLevel', 'spans']
  if (/^(1|true)$/.test(attributeOf('customHeight') ?? '')) kept.push('ht', 'customHeight')
  return kept
    .map(name => [name, attributeOf(name)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')
}

function shiftColumns(
  splices: Splices,
  xml: SheetXml,
  shift: LineShift,
  like: number | undefined,
): void {
  const { rows, bytes, prefix } = xml
  const cell = new CellScan()
  const [{ at, count }] = shift.runs as [ShiftedRun]
  for (let index = 0; index < rows.count; index++) {
    const start = rows.starts[index]!
    const row = rows.numbers[index]!
    const tag = tagAt(bytes, start)
    dropSpans(splices, bytes, start, tag.end)
    let insertAt = -1
    let lastEnd = tag.end
    let style = 0
    xml.scanRow(index, cell, own => {
      if (own.column === like) style = own.style
      if (own.column >= at && insertAt < 0) insertAt = own.start
      lastEnd = own.end
      const to = mapLine(shift, own.column)
      if (to === undefined) splices.remove(own.start, own.end)
      else if (to !== own.column || !own.hasReference)
        setReference(splices, bytes, own.start, own.tagEnd, `${prefix}c`, `${columnName(to)}${row}`)
    })
    if (shift.kind === 'insert' && style > 0 && !tag.isEmpty) {
      const cells = Array.from(
        { length: count },
        (_, own) => `<${prefix}c r="${columnName(at + own)}${row}" s="${style}"/>`,
      )
      splices.insert(insertAt < 0 ? lastEnd : insertAt, cells.join(''))
    }
  }
}

/** `spans` is a hint for readers that would now be wrong. */
function dropSpans(splices: Splices, bytes: Uint8Array, start: number, end: number): void {
  const text = bufferOf(bytes).toString('latin1', start, end)
  const match = /\sspans\s*=\s*["'][^"']*["']/.exec(text)
  if (match) splices.remove(start + match.index, start + match.index + match[0].length)
}
