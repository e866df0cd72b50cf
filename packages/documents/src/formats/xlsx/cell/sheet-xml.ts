import {
  BytePattern,
  bufferOf,
  hasDeclarations,
  XML_BAD,
  XML_CLOSE,
  XML_EMPTY,
  XML_END,
  XML_OPEN,
  XmlReader,
} from '../../../opc/index.ts'
import { type CellScan, readTag, type TagScan } from './cell-scan.ts'
import { mayMixPrefixes, withOnePrefix } from './one-prefix.ts'

/** An element next to the cells: `cols`, `mergeCells`, `drawing`. */
export interface SheetElement {
  readonly local: string
  readonly start: number
  readonly end: number
}

/**
 * A sheet's XML by offsets. Rows are found by hopping from tag to tag, and cells are visited only in the requested
 * rows, so that the cost depends on the request and not on the size of the sheet.
 */
export class SheetXml {
  readonly bytes: Uint8Array
  readonly isWhole: boolean
  /** `x:` or nothing. */
  readonly prefix: string
  readonly head: readonly SheetElement[]
  /** The tag `<sheetData>` itself; equal offsets when the sheet has none. */
  readonly data: {
    readonly tagStart: number
    readonly start: number
    readonly end: number
    readonly tagEnd: number
  }
  /** The root's opening tag. */
  readonly root: { readonly start: number; readonly end: number; readonly closeStart: number }
  #rows: RowIndex | undefined
  #tail: readonly SheetElement[] | undefined

  private constructor(fields: SheetFields) {
    this.bytes = fields.bytes
    this.isWhole = fields.isWhole
    this.prefix = fields.prefix
    this.head = fields.head
    this.data = fields.data
    this.root = fields.root
  }

  /** A string describes the problem; `more` means that the cells start beyond the given bytes. */
  static open(bytes: Uint8Array, isWhole: boolean): SheetXml | 'more' | { problem: string } {
    const reader = new XmlReader(bytes)
    const head: SheetElement[] = []
    let root: { start: number; end: number } | undefined
    for (;;) {
      const kind = reader.next()
      if (kind === XML_BAD && !isWhole) return 'more'
      if (kind === XML_BAD) return { problem: reader.problem }
      if (kind === XML_END) break
      const isOpening = kind === XML_OPEN || kind === XML_EMPTY
      if (isOpening && reader.depth === 1) root = { start: reader.start, end: reader.end }
      if (isOpening && reader.depth === 2) {
        const name = bufferOf(bytes).toString('latin1', reader.nameStart, reader.nameEnd)
        const local = name.slice(name.indexOf(':') + 1)
        if (local === 'sheetData') {
          const prefix = name.slice(0, name.length - local.length)
          if (mayMixPrefixes(bytes, root!, prefix)) {
            if (!isWhole) return 'more'
            const plain = withOnePrefix(bytes, prefix)
            if (plain) return SheetXml.open(plain, isWhole)
          }
          return new SheetXml({
            bytes,
            isWhole,
            prefix,
            head,
            root: { ...root!, closeStart: findRootClose(bytes) },
            data: findDataEnd(bytes, name, reader.start, reader.end, kind === XML_EMPTY, isWhole),
          })
        }
        head.push({ local, start: reader.start, end: reader.end })
      }
      if (kind === XML_CLOSE && reader.depth === 2) {
        const last = head.pop()!
        head.push({ ...last, end: reader.end })
      }
      if (kind === XML_CLOSE && reader.depth === 1) break
    }
    if (!root) return { problem: 'it has no element' }
    const opened = isWhole ? withSheetData(bytes, root, head) : undefined
    if (opened) return SheetXml.open(opened, isWhole)
    // A sheet without cells at all, such as a chart sheet or a dialog.
    const at = findRootClose(bytes)
    const data = { tagStart: at, start: at, end: at, tagEnd: at }
    return new SheetXml({
      bytes,
      isWhole,
      prefix: '',
      head,
      root: { ...root, closeStart: at },
      data,
    })
  }

  get rows(): RowIndex {
    this.#rows ??= indexRows(this)
    return this.#rows
  }

  /** The elements after the cells. Only for a whole sheet. */
  get tail(): readonly SheetElement[] {
    this.#tail ??= readTail(this)
    return this.#tail
  }

  element(local: string): SheetElement | undefined {
    return this.head.find(own => own.local === local) ?? this.tail.find(own => own.local === local)
  }

  /** Calls back for each cell of a row, in file order; reuses one object. */
  scanRow(index: number, cell: CellScan, visit: (cell: CellScan) => void): void {
    const { rows, bytes } = this
    const tag = ROW_TAG
    readTag(bytes, rows.starts[index]!, tag)
    if (tag.isEmpty) return
    cell.scan(bytes, tag.end, rows.ends[index]!, rows.numbers[index]!, this.prefix.length, visit)
  }

  /** The position of the first row at or after that number. */
  findRow(row: number): number {
    const { numbers, count } = this.rows
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (numbers[middle]! < row) low = middle + 1
      else high = middle
    }
    return low
  }
}

interface SheetFields {
  readonly bytes: Uint8Array
  readonly isWhole: boolean
  readonly prefix: string
  readonly head: readonly SheetElement[]
  readonly data: SheetXml['data']
  readonly root: SheetXml['root']
}

export interface RowIndex {
  readonly count: number
  /** The rows are in ascending order, with no comment or CDATA between them. */
  readonly isPlain: boolean
  readonly numbers: Int32Array
  readonly starts: Int32Array
  /** The end of a row's element, or of anything that may still belong to it. */
  readonly ends: Int32Array
}

const ROW_TAG: TagScan = { end: 0, isEmpty: false, row: 0 }

/** Elements that the schema requires before the cells. */
const BEFORE_DATA = ['sheetPr', 'dimension', 'sheetViews', 'sheetFormatPr', 'cols']

/**
 * Some writers omit the cells' element from a worksheet without cells, or close its root at once: then there is no
 * place for edits.
 */
function withSheetData(
  bytes: Uint8Array,
  root: { readonly start: number; readonly end: number },
  head: readonly SheetElement[],
): Uint8Array | undefined {
  const tag = bufferOf(bytes).toString('latin1', root.start, root.end)
  const [, prefix, local] = /^<([\w.-]+:)?([\w.-]+)/.exec(tag) ?? []
  if (local !== 'worksheet') return undefined
  const name = `${prefix ?? ''}worksheet`
  const data = `<${prefix ?? ''}sheetData/>`
  const isEmpty = tag.endsWith('/>')
  const last = head.findLast(own => BEFORE_DATA.includes(own.local))
  const at = isEmpty ? root.end - 2 : (last?.end ?? root.end)
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from(isEmpty ? `>${data}</${name}>` : data),
    bytes.subarray(isEmpty ? root.end : at),
  ])
}

function findRootClose(bytes: Uint8Array): number {
  const at = bufferOf(bytes).lastIndexOf('</')
  return at < 0 ? bytes.length : at
}

function findDataEnd(
  bytes: Uint8Array,
  name: string,
  tagStart: number,
  start: number,
  isEmpty: boolean,
  isWhole: boolean,
): SheetXml['data'] {
  if (isEmpty) return { tagStart, start, end: start, tagEnd: start }
  if (!isWhole) return { tagStart, start, end: bytes.length, tagEnd: bytes.length }
  const close = `</${name}`
  const end = hasDeclarations(bytes, start)
    ? findCloseCarefully(bytes, start)
    : bufferOf(bytes).lastIndexOf(close)
  if (end < start) return { tagStart, start, end: bytes.length, tagEnd: bytes.length }
  return { tagStart, start, end, tagEnd: bytes.indexOf(62, end) + 1 }
}

function findCloseCarefully(bytes: Uint8Array, start: number): number {
  const reader = new XmlReader(bytes, start, bytes.length, 'fragment')
  for (;;) {
    const kind = reader.next()
    if (kind === XML_BAD || kind === XML_END) return reader.stoppedAt
  }
}

function indexRows(sheet: SheetXml): RowIndex {
  const { bytes, data } = sheet
  const starts: number[] = []
  const numbers: number[] = []
  const careful = hasDeclarations(bytes, data.start, data.end)
  const next = careful ? carefulRows(sheet) : hoppingRows(sheet)
  const tag: TagScan = { end: 0, isEmpty: false, row: 0 }
  let previous = 0
  let sorted = true
  for (let at = next(); at >= 0; at = next()) {
    readTag(bytes, at, tag)
    const row = tag.row > 0 ? tag.row : previous + 1
    if (row < previous) sorted = false
    previous = row
    starts.push(at)
    numbers.push(row)
  }
  // In a partly unpacked sheet the last row may be cut off.
  if (!sheet.isWhole && data.end === bytes.length) {
    const cut = starts.pop()
    numbers.pop()
    const ends = [...starts.slice(1), ...(cut === undefined ? [] : [cut])]
    return toIndex(starts, numbers, ends.slice(0, starts.length), sorted, !careful)
  }
  const ends = [...starts.slice(1), data.end]
  return toIndex(starts, numbers, ends.slice(0, starts.length), sorted, !careful)
}

function toIndex(
  starts: number[],
  numbers: number[],
  ends: number[],
  sorted: boolean,
  isPlain: boolean,
): RowIndex {
  if (sorted)
    return {
      count: starts.length,
      isPlain,
      starts: Int32Array.from(starts),
      numbers: Int32Array.from(numbers),
      ends: Int32Array.from(ends),
    }
  const order = starts.map((_, index) => index).sort((a, b) => numbers[a]! - numbers[b]! || a - b)
  return {
    count: starts.length,
    isPlain: false,
    starts: Int32Array.from(order, index => starts[index]!),
    numbers: Int32Array.from(order, index => numbers[index]!),
    ends: Int32Array.from(order, index => ends[index]!),
  }
}

function hoppingRows({ bytes, data, prefix }: SheetXml): () => number {
  const pattern = new BytePattern(`<${prefix}row`, 'w')
  let from = data.start
  return () => {
    for (;;) {
      const at = pattern.find(bytes, from, data.end)
      if (at < 0) return -1
      from = at + pattern.length
      const after = bytes[from]!
      if (after === 32 || after === 62 || after === 47 || after < 32) return at
    }
  }
}

function carefulRows({ bytes, data }: SheetXml): () => number {
  const reader = new XmlReader(bytes, data.start, data.end, 'fragment')
  return () => {
    for (;;) {
      const kind = reader.next()
      if (kind === XML_BAD || kind === XML_END) return -1
      if (kind !== XML_OPEN && kind !== XML_EMPTY) continue
      if (reader.depth !== 1) continue
      const name = bufferOf(bytes).toString('latin1', reader.nameStart, reader.nameEnd)
      if (name.slice(name.indexOf(':') + 1) === 'row') return reader.start
    }
  }
}

function readTail({ bytes, data, isWhole }: SheetXml): SheetElement[] {
  const tail: SheetElement[] = []
  if (!isWhole) return tail
  const reader = new XmlReader(bytes, data.tagEnd, bytes.length, 'fragment')
  for (;;) {
    const kind = reader.next()
    if (kind === XML_BAD || kind === XML_END) return tail
    if ((kind === XML_OPEN || kind === XML_EMPTY) && reader.depth === 1) {
      const name = bufferOf(bytes).toString('latin1', reader.nameStart, reader.nameEnd)
      tail.push({ local: name.slice(name.indexOf(':') + 1), start: reader.start, end: reader.end })
    } else if (kind === XML_CLOSE && reader.depth === 1) {
      const last = tail.pop()!
      tail.push({ ...last, end: reader.end })
    }
  }
}
