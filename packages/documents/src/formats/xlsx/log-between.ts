import type { Change, LoggedOperation, Operation } from '@filewright/protocol'
import { toBytes } from '@filewright/protocol'
import { ALLOWED } from '../../draft-log.ts'
import type { DocumentName } from '../../format.ts'
import { Book } from './book/book.ts'
import type { Sheet } from './book/sheet.ts'
import { openWorkbook } from './book/workbook-part.ts'
import { parseBox, splitSheet } from './cell/address.ts'
import { type CellData, dateOfSerial } from './cell/cells.ts'
import { diffWorkbooks } from './diff.ts'
import { XlsxDocument } from './document.ts'
import { findStale } from './formula/dependants.ts'
import { lineOf } from './rebase/line-properties.ts'

/**
 * Operations that turn one workbook into another, or undefined where none do: a definition of a
 * name, or what is around the cells. They were applied and gave exactly that content.
 */
export function logBetween(
  before: Uint8Array,
  after: Uint8Array,
  name: DocumentName,
  made: MadeBy = NOBODY,
): readonly LoggedOperation[] | undefined {
  const now = openBook(after)
  const diff = diffWorkbooks(before, after, name)
  if (!now || !diff.ok || diff.value.isTruncated) return undefined
  const steps: Step[] = []
  for (const change of diff.value.changes) {
    const operation = toOperation(change, now)
    if (!operation) return undefined
    steps.push({ operation, place: change.place })
  }
  const log = steps.sort(sheetsLast).map((step, index) => toLogged(step, index, made))
  return gives(before, log, after, name) ? log : undefined
}

/** The changes that made the difference, and their log: what they did keeps their ids. */
export interface MadeBy {
  readonly log: readonly LoggedOperation[]
  readonly changes: readonly Change[]
}

const NOBODY: MadeBy = { log: [], changes: [] }

interface Step {
  readonly operation: Operation
  readonly place: string
}

const CIRCUMSTANCES = { time: '1970-01-01T00:00:00.000Z', author: '', seed: 0 } // no operation reads them

function toLogged(
  { operation, place }: Step,
  position: number,
  { log, changes }: MadeBy,
): LoggedOperation {
  const maker = changes.findLast(change => change.place === place)?.operation
  const { toolCallId, index } = maker ?? { toolCallId: 'difference', index: position }
  const own = log.find(each => each.toolCallId === toolCallId && each.index === index)
  return { toolCallId, index, operation, circumstances: own?.circumstances ?? CIRCUMSTANCES }
}

/** Cells first: a sheet that is renamed or deleted is written under its old name. */
function sheetsLast(a: Step, b: Step): number {
  return Number(LAST.has(a.operation.op)) - Number(LAST.has(b.operation.op))
}

const LAST = new Set(['rename_sheet', 'delete_sheet'])

function toOperation(change: Change, now: Book): Operation | undefined {
  if (change.kind === 'cell') return toSetCells(change, now)
  if (change.kind === 'sheet') return toSheetOperation(change, now)
  if (change.kind === 'format') return toStyle(change)
  return change.place.endsWith(' merged') ? toMerge(change) : undefined
}

/** Its look in the words that set_style takes. */
function toStyle({ place, after }: Change): Operation {
  const { sheet, address } = splitSheet(place)
  const style = after?.format ?? ''
  if (style === '') return { op: 'clear_style', sheet, range: address }
  return { op: 'set_style', sheet, range: address, style, replace: true }
}

function toSetCells({ place }: Change, now: Book): Operation | undefined {
  const { sheet = '', address } = splitSheet(place)
  const box = parseBox(address)
  const own = now.sheet(sheet)
  const cells = box && own && now.cellsIn(own, box)
  const [cell] = cells?.ok ? cells.value.values() : []
  const value = cells?.ok ? sentValue(cell, now) : undefined
  return value === undefined
    ? undefined
    : { op: 'set_cells', sheet, cells: [{ cell: address, value }] }
}

function sentValue(cell: CellData | undefined, { part }: Book): unknown {
  if (!cell) return null
  const { content, formula, style } = cell
  if (formula) return formula.kind === 'array' ? undefined : { formula: formula.text }
  if (content.type === 'text') return { text: content.value }
  if (content.type === 'error') return { error: content.value }
  const isDate = content.type === 'number' && part.styles().isDate(style)
  const date = isDate ? dateOfSerial(content.value, part.is1904) : undefined
  return date === undefined ? content.value : { date }
}

function toSheetOperation({ before, after }: Change, now: Book): Operation | undefined {
  const [from, to] = [before?.text, after?.text]
  if (from === undefined) return { op: 'ensure_sheet', sheet: to }
  if (to === undefined) return { op: 'delete_sheet', sheet: from }
  return now.sheet(to) && !now.sheet(from)
    ? { op: 'rename_sheet', sheet: from, new_name: to }
    : undefined
}

function toMerge({ place, after }: Change): Operation {
  const { sheet, address } = splitSheet(place)
  const op = after ? 'merge_cells' : 'unmerge_cells'
  return { op, sheet, range: address.replace(/ merged$/, '') }
}

function gives(
  before: Uint8Array,
  log: readonly LoggedOperation[],
  after: Uint8Array,
  name: DocumentName,
): boolean {
  const document = XlsxDocument.open(before, name)
  if (!document.ok || !document.value.apply(log, ALLOWED).ok) return false
  const content = document.value.content()
  if (!content.ok) return false
  const made = toBytes(content.value, before)
  const left = diffWorkbooks(made, after, name)
  return left.ok && left.value.changes.length === 0 && hasSameLayout(made, after)
}

/** What no comparison of cells shows: widths, heights, hidden lines, validations, drawings, the order of sheets. */
function hasSameLayout(a: Uint8Array, b: Uint8Array): boolean {
  const [one, other] = [openBook(a), openBook(b)]
  if (!one || !other || one.sheets.length !== other.sheets.length) return false
  return one.sheets.every((sheet, index) => {
    const twin = other.sheets[index]!
    return sheet.name === twin.name && layoutOf(sheet) === layoutOf(twin)
  })
}

function layoutOf(sheet: Sheet): string {
  if (!sheet.isInFile) return ''
  const xml = sheet.xml()
  if (!xml.ok) return xml.failure.message
  const { head, tail, bytes, rows } = xml.value
  const around = [...head, ...tail]
    .filter(({ local }) => local !== 'dimension' && local !== 'mergeCells')
    .map(({ start, end }) => Buffer.from(bytes.subarray(start, end)).toString('utf8'))
  const lines = Array.from(rows.numbers.slice(0, rows.count), row => [
    row,
    lineOf(sheet, 'rows', row),
  ])
  return JSON.stringify([around, lines.filter(([, line]) => line !== 'shown')])
}

function openBook(bytes: Uint8Array): Book | undefined {
  const part = openWorkbook(bytes)
  return part.ok ? new Book(part.value, { findStale }) : undefined
}
