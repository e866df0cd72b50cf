import type { Box } from '@filewright/protocol'
import { fromUtf8, parseXml, Splices, toUtf8 } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { Book } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { openPackage } from '../../book/workbook-part.ts'
import { cellKey, columnOfKey, intersects, rowOfKey } from '../../cell/address.ts'
import { scanFormulas } from '../../cell/formula-cells.ts'
import { stirredReaders } from '../../formula/stirred-readers.ts'
import { calcChainContent } from '../../parts/calc-chain.ts'
import { relationshipsOf } from '../../parts/sheet-parts.ts'
import { Mapping } from '../../places/mapping.ts'
import type { CellStep } from '../../places/place-step.ts'
import { cellAfter, type Relocation, relocateCells } from '../../shift/relocate-cells.ts'
import { shiftTree } from '../../shift/shift-refs.ts'
import type { Editor } from '../editor.ts'

/** Of cells whose references follow their cells already. */
export function followed(step: CellStep): Relocation {
  return { step, formula: text => text }
}

/** Puts cells of a settled sheet in other places, with their comments and links. Returns the sheet afterwards. */
export function relocate(
  editor: Editor,
  sheet: Sheet,
  relocation: Relocation,
  options: {
    /** The cells whose readers have other values now. */
    readonly touched: readonly Box[]
    /** References, comments and links follow already; only the shapes of notes are left. */
    readonly isFollowed?: boolean
  },
): Sheet {
  const { book } = editor
  const xml = sheet.xml()
  if (!xml.ok || sheet.source.from !== 'part')
    throw new Refusal('UNREADABLE_FORMAT', xml.ok ? 'the sheet has no part' : xml.failure.message)
  const edits = new Map<string, Uint8Array | null>()
  const cells = relocateCells(sheet, xml.value, relocation)
  const { touched, isFollowed = false } = options
  edits.set(sheet.source.part, isFollowed ? cells : withLinks(cells, sheet, relocation))
  moveComments(editor, sheet, relocation, edits, isFollowed)
  moveChain(editor, sheet, relocation, edits, isFollowed)
  const own = book.part.package.edited(edits)
  const part = own.ok ? openPackage(own.value) : own
  if (!part.ok) throw new Refusal('UNREADABLE_FORMAT', part.failure.message)
  const mapping = Mapping.of(relocation.step)
  const held = mapping.keys(sheet.id, book.unsettled.get(sheet.id) ?? [])
  const unsettled = new Map<number, ReadonlySet<number>>(book.unsettled)
  unsettled.set(sheet.id, new Set([...held, ...touched.flatMap(keysIn)]))
  for (const [id, keys] of isFollowed ? [] : stirredBy(book, sheet, touched)) {
    unsettled.set(id, new Set([...(unsettled.get(id) ?? []), ...mapping.keys(id, keys)]))
  }
  editor.settle(part.value, unsettled, mapping)
  return book.sheets.find(({ id }) => id === sheet.id)!
}

/** Formulas that name the cells: their references stay. */
function stirredBy(book: Book, { id }: Sheet, touched: readonly Box[]) {
  const movesIn = (box: Box) => touched.some(own => intersects(own, box))
  return stirredReaders(book, { sheet: id, box: own => own, movesIn, keepsOrder: false })
}

function keysIn(box: Box): number[] {
  const keys: number[] = []
  for (let row = box.top; row <= box.bottom; row++)
    for (let column = box.left; column <= box.right; column++) keys.push(cellKey(row, column))
  return keys
}

function placeMap(sheet: Sheet, relocation: Relocation) {
  return {
    sheet,
    box: (box: Box): Box | undefined => {
      if (box.top !== box.bottom || box.left !== box.right) return box
      const at = cellAfter(relocation, box.top, box.left)
      if (at === null) return undefined
      return at ? { top: at.row, bottom: at.row, left: at.column, right: at.column } : box
    },
  }
}

/** Links of single cells go with them. */
function withLinks(bytes: Uint8Array, sheet: Sheet, relocation: Relocation): Uint8Array {
  const decoded = toUtf8(bytes)!
  const text = Buffer.from(decoded.utf8).toString('utf8')
  const match = /<((?:\w+:)?hyperlinks)\b[^>]*>[\s\S]*?<\/\1\s*>/.exec(text)
  const document = match && parseXml(Buffer.from(match[0]))
  if (!match || !document || typeof document === 'string') return bytes
  const splices = new Splices()
  const tree = { splices, bytes: document.bytes, offset: 0 }
  const isGone = shiftTree(tree, document.root, placeMap(sheet, relocation), () => undefined)
  const after = isGone ? '' : Buffer.from(splices.apply(document.bytes)).toString('utf8')
  const now = text.slice(0, match.index) + after + text.slice(match.index + match[0].length)
  return fromUtf8(Buffer.from(now), decoded.encoding)
}

function moveComments(
  { book }: Editor,
  sheet: Sheet,
  relocation: Relocation,
  edits: Map<string, Uint8Array | null>,
  isFollowed: boolean,
): void {
  const own = book.part.package
  for (const { kind, target } of relationshipsOf(book.part, sheet)) {
    const name = own.spellingOf(target)
    const part = own.has(name) ? own.part(name) : undefined
    const decoded = part?.ok ? toUtf8(part.value) : undefined
    if (!decoded) continue
    if (!isFollowed && (kind === 'comments' || kind === 'threadedComment')) {
      const document = parseXml(decoded.utf8)
      if (typeof document === 'string') continue
      const splices = new Splices()
      const tree = { splices, bytes: decoded.utf8, offset: 0 }
      shiftTree(tree, document.root, placeMap(sheet, relocation), () => undefined)
      if (splices.size > 0) edits.set(name, fromUtf8(splices.apply(decoded.utf8), decoded.encoding))
    } else if (kind === 'vmlDrawing') {
      const before = Buffer.from(decoded.utf8).toString('latin1')
      const after = moveNotes(before, relocation)
      if (after !== before)
        edits.set(name, fromUtf8(Buffer.from(after, 'latin1'), decoded.encoding))
    }
  }
}

/** The order of calculation lists each cell with a formula where it is afterwards, and no other. */
function moveChain(
  { book }: Editor,
  sheet: Sheet,
  relocation: Relocation,
  edits: Map<string, Uint8Array | null>,
  isFollowed: boolean,
): void {
  const own = book.part.package
  const target = book.part.relationships.find(({ kind }) => kind === 'calcChain')?.target
  const xml = sheet.xml()
  const part =
    target !== undefined && own.has(target) ? own.part(own.spellingOf(target)) : undefined
  if (!part?.ok || !xml.ok) return
  const keyAfter = (row: number, column: number) => {
    const to = cellAfter(relocation, row, column)
    return to ? cellKey(to.row, to.column) : to === null ? undefined : cellKey(row, column)
  }
  const left = new Set<number>()
  scanFormulas(xml.value, ({ row, column }) => {
    const key = keyAfter(row, column)
    if (key !== undefined) left.add(key)
  })
  const { sheetId } = book.part.sheets[sheet.id]!
  const chain = calcChainContent(part.value, (id, key) => {
    if (id !== sheetId) return key
    const now = isFollowed ? key : keyAfter(rowOfKey(key), columnOfKey(key))
    // what moved onto another formula is listed once
    return now !== undefined && left.delete(now) ? now : undefined
  })
  if (chain === 'unchanged') return
  edits.set(own.spellingOf(target!), chain === 'empty' ? Buffer.from('<calcChain/>') : chain)
}

const SHAPE = /<((?:[\w.-]+:)?shape)\b[^>]*>[\s\S]*?<\/\1\s*>/g

function moveNotes(text: string, relocation: Relocation): string {
  return text.replace(SHAPE, shape => {
    if (!/ObjectType\s*=\s*["']Note["']/.test(shape)) return shape
    const row = /(<(?:[\w.-]+:)?Row>\s*)(\d+)/.exec(shape)
    const column = /(<(?:[\w.-]+:)?Column>\s*)(\d+)/.exec(shape)
    if (!row || !column) return shape
    const at = cellAfter(relocation, Number(row[2]) + 1, Number(column[2]) + 1)
    // As its comment does, the note of a cell that is overwritten stays.
    if (at === null && relocation.step.kind !== 'block') return ''
    if (!at) return shape
    const by = [at.column - 1 - Number(column[2]), at.row - 1 - Number(row[2])] as const
    return shape
      .replace(row[0], `${row[1]}${at.row - 1}`)
      .replace(column[0], `${column[1]}${at.column - 1}`)
      .replace(/(<(?:[\w.-]+:)?Anchor>)([^<]*)/, (whole, tag: string, anchor: string) => {
        const numbers = anchor.split(',').map(Number)
        if (numbers.length !== 8 || numbers.some(Number.isNaN)) return whole
        for (const index of [0, 4]) numbers[index] = Math.max(0, numbers[index]! + by[0])
        for (const index of [2, 6]) numbers[index] = Math.max(0, numbers[index]! + by[1])
        return `${tag}${numbers.join(', ')}`
      })
  })
}
