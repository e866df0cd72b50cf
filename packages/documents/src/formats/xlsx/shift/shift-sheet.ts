import {
  attribute,
  children,
  encodeAttribute,
  fromUtf8,
  parseXml,
  Splices,
  textOf,
  toUtf8,
  type XmlElement,
} from '../../../opc/index.ts'
import type { Sheet } from '../book/sheet.ts'
import { setAttribute } from '../book/splice-rows.ts'
import { MAX_COLUMN, parseBox } from '../cell/address.ts'
import { SheetXml } from '../cell/sheet-xml.ts'
import { FORMULA_ATTRIBUTES } from '../parts/rewrite-part.ts'
import {
  type LineShift,
  lineLeft,
  mapLine,
  mapLines,
  type ShiftedRun,
} from '../places/line-shift.ts'
import { shiftAnchor } from './shift-anchors.ts'
import { type CellMap, shiftFormulas } from './shift-formulas.ts'
import { shiftLines } from './shift-lines.ts'
import { mapRanges, type ShiftedTree, setText, shiftTree } from './shift-refs.ts'
import { shiftRegion } from './shift-regions.ts'
import type { ShiftRun } from './shift-run.ts'

export interface SheetShift {
  readonly run: ShiftRun
  readonly sheet: Sheet
  /** Whole rows or columns; undefined: cells moved by other means, and only what points at them follows. */
  readonly lines: LineShift | undefined
  readonly like: number | undefined
}

/** The part of the sheet whose cells move. */
export function shiftSheet(xml: SheetXml, { run, sheet, lines, like }: SheetShift): Uint8Array {
  const splices = new Splices()
  const whole = lines && !lines.band ? lines : undefined
  const cellAt: CellMap = whole
    ? (row, column) => {
        const line = mapLine(whole, whole.axis === 'row' ? row : column)
        if (line === undefined) return undefined
        return whole.axis === 'row' ? { row: line, column } : { row, column: line }
      }
    : (row, column) => ({ row, column })
  if (whole) shiftLines(splices, xml, whole, like)
  shiftFormulas(splices, run, sheet, xml, cellAt)
  for (const own of [...xml.head, ...xml.tail]) {
    if (own.local === 'sheetViews') continue // what a person last looked at
    const bytes = xml.bytes.subarray(own.start, own.end)
    const document = parseXml(bytes)
    if (typeof document === 'string') continue
    const tree: ShiftedTree = { splices, bytes, offset: own.start }
    if (own.local === 'cols') {
      if (whole?.axis === 'column') shiftColumnList(tree, document.root, whole, like)
      continue
    }
    run.owner = OWNERS[own.local] ?? own.local
    shiftTree(tree, document.root, run.places, (element, held) =>
      shiftElement(held, element, run, lines),
    )
  }
  return recounted(fromUtf8(splices.apply(xml.bytes), sheet.encoding))
}

const OWNERS: Readonly<Record<string, string>> = {
  autoFilter: 'the filter',
  conditionalFormatting: 'the conditional format',
  dataValidations: 'the validation',
  extLst: 'the sparkline, validation or conditional format',
  protectedRanges: 'the protected range',
  dimension: 'the used range',
  ignoredErrors: 'the ignored errors',
  sortState: 'the sort order',
}

const REGIONS = new Set(['conditionalFormatting', 'dataValidation'])

function shiftElement(
  tree: ShiftedTree,
  element: XmlElement,
  run: ShiftRun,
  lines: LineShift | undefined,
): 'gone' | 'done' | undefined {
  const { splices, bytes, offset } = tree
  const { local } = element
  if (REGIONS.has(local)) return shiftRegion(tree, element, run, lines)
  const document = { bytes, root: element }
  if (local === 'rowBreaks' || local === 'colBreaks') {
    if (lines && !lines.band && (local === 'rowBreaks') === (lines.axis === 'row'))
      shiftBreaks(tree, element, lines)
    return 'done'
  }
  if (local === 'sqref') {
    const before = textOf(document, element).trim()
    const after = mapRanges(run.places, before)
    if (after !== undefined && after !== before) setText(tree, element, after)
    return 'done'
  }
  if (local === 'f' && element.children.length === 0) {
    const before = textOf(document, element)
    const after = run.map(before, run.places.sheet).text
    if (after !== before) setText(tree, element, after)
    return 'done'
  }
  if (isHeld(document, element, run)) return 'gone'
  if (local === 'anchor' && lines && !lines.band)
    shiftAnchor(splices, document, element, lines, { offset, editAs: anchorMode(element) })
  if (local === 'filterColumn' && lines?.axis === 'column')
    return shiftFilterColumn(tree, element, lines)
  shiftAttributes(tree, element, run)
  return undefined
}

/** Its cells, named by an element inside it, are gone: a sparkline, an ignored error of an extension. */
function isHeld(
  document: { readonly bytes: Uint8Array; readonly root: XmlElement },
  element: XmlElement,
  run: ShiftRun,
): boolean {
  const held = element.children.find(({ local }) => local === 'sqref')
  return held !== undefined && mapRanges(run.places, textOf(document, held)) === undefined
}

function anchorMode(element: XmlElement): string | undefined {
  const isOn = (name: string) => /^(1|true)$/.test(attribute(element, name) ?? '')
  if (isOn('sizeWithCells')) return undefined
  return isOn('moveWithCells') ? 'oneCell' : 'absolute'
}

function shiftAttributes({ splices, offset }: ShiftedTree, element: XmlElement, run: ShiftRun) {
  for (const { name, value } of element.attributes) {
    const isPlace = FORMULA_ATTRIBUTES.has(name) || (element.local === 'dataRef' && name === 'ref')
    if (!isPlace) continue
    const sheet = element.local === 'dataRef' ? (attribute(element, 'sheet') ?? '') : ''
    if (sheet !== '' && sheet.toLowerCase() !== run.places.sheet.name.toLowerCase()) continue
    const after = run.map(value, run.places.sheet).text
    if (after !== value && !after.includes('#REF!'))
      setAttribute(splices, element, offset, name, encodeAttribute(after).replaceAll("'", '&apos;'))
  }
}

/** A break after a line stays after it. */
function shiftBreaks({ splices, offset }: ShiftedTree, element: XmlElement, shift: LineShift) {
  const breaks = children(element, 'brk')
  const seen = new Set<number>()
  let manual = 0
  for (const own of breaks) {
    const line = Number(attribute(own, 'id') ?? 0)
    const to = line === 0 ? 0 : mapLine(shift, line)
    if (to === undefined || seen.has(to)) {
      splices.remove(offset + own.start, offset + own.end)
      continue
    }
    seen.add(to)
    if (/^(1|true)$/.test(attribute(own, 'man') ?? '')) manual++
    setAttribute(splices, own, offset, 'id', String(to))
  }
  if (seen.size === breaks.length) return
  setAttribute(splices, element, offset, 'count', String(seen.size))
  setAttribute(splices, element, offset, 'manualBreakCount', String(manual))
}

/** A filter's columns are counted from its first. */
export function shiftFilterColumn(
  { splices, offset }: ShiftedTree,
  element: XmlElement,
  lines: LineShift,
): 'gone' | undefined {
  const box = parseBox(attribute(element.parent, 'ref') ?? '')
  if (!box) return undefined
  if (lines.band && (lines.band[0] > box.top || lines.band[1] < box.bottom)) return undefined
  const to = mapLine(lines, box.left + Number(attribute(element, 'colId') ?? 0))
  if (to === undefined) return 'gone'
  const left = lineLeft(lines, box.left)
  setAttribute(splices, element, offset, 'colId', String(to - left))
  return undefined
}

/** Widths and styles of columns; inserted ones look like `like`. */
function shiftColumnList(
  { splices, bytes, offset }: ShiftedTree,
  root: XmlElement,
  shift: LineShift,
  like: number | undefined,
): void {
  const texts: { min: number; text: string }[] = []
  const textAt = (element: XmlElement, min: number, max: number, isNew = false) => {
    const own = new Splices()
    setAttribute(own, element, -element.start, 'min', String(min))
    setAttribute(own, element, -element.start, 'max', String(max))
    if (isNew) setAttribute(own, element, -element.start, 'hidden', undefined)
    const made = own.apply(bytes.slice(element.start, element.end))
    texts.push({ min, text: Buffer.from(made).toString('utf8') })
  }
  const [{ at, count }] = shift.runs as [ShiftedRun]
  const isInsert = shift.kind === 'insert'
  for (const element of children(root, 'col')) {
    const min = Number(attribute(element, 'min'))
    const max = Math.min(Number(attribute(element, 'max')), MAX_COLUMN)
    if (min === 1 && max === MAX_COLUMN) {
      textAt(element, min, max)
      continue
    }
    if (isInsert && like !== undefined && like >= min && like <= max)
      textAt(element, at, at + count - 1, true)
    // What an insertion parts stays in two pieces around it.
    const pieces: readonly (readonly [number, number])[] =
      isInsert && min < at && max >= at
        ? [
            [min, at - 1],
            [at, max],
          ]
        : [[min, max]]
    for (const [first, last] of pieces) {
      const lines = mapLines(shift, first, last)
      if (lines) textAt(element, ...lines)
    }
  }
  texts.sort((a, b) => a.min - b.min)
  if (texts.length === 0) splices.remove(offset + root.start, offset + root.end)
  else
    splices.replace(
      offset + root.openEnd,
      offset + root.closeStart,
      texts.map(({ text }) => text).join(''),
    )
}

/** A split validation makes their number larger. */
function recounted(bytes: Uint8Array): Uint8Array {
  const decoded = toUtf8(bytes)
  const xml = decoded && SheetXml.open(decoded.utf8, true)
  const own = xml instanceof SheetXml ? xml.element('dataValidations') : undefined
  if (!decoded || !own || !(xml instanceof SheetXml)) return bytes
  const document = parseXml(xml.bytes.subarray(own.start, own.end))
  if (typeof document === 'string') return bytes
  const { root } = document
  const splices = new Splices()
  const held = children(root, 'dataValidation').length
  if (held === 0) splices.remove(own.start, own.end)
  else if (attribute(root, 'count') !== undefined)
    setAttribute(splices, root, own.start, 'count', String(held))
  return splices.size > 0 ? fromUtf8(splices.apply(xml.bytes), decoded.encoding) : bytes
}
