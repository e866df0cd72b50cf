import type { Box } from '@filewright/protocol'
import { attribute, children, parseXml, type Splices, type XmlElement } from '../../../opc/index.ts'
import type { LineEdit, Sheet } from '../book/sheet.ts'
import { lineAttributes } from '../book/splice-rows.ts'
import { columnOfKey, covers, parseBox, refName, rowOfKey } from '../cell/address.ts'
import type { SheetElement, SheetXml } from '../cell/sheet-xml.ts'
import { AroundSplicer } from './splice-around.ts'

/** The sheet's elements next to the cells: dimension, columns, merged cells, whether its tab is selected. */
export function spliceLayout(splices: Splices, sheet: Sheet, xml: SheetXml): void {
  spliceDimension(splices, sheet, xml)
  // in the order of the schema, because several may go to one place
  const around = new AroundSplicer(splices, sheet, xml)
  around.before('cols')
  if (sheet.columns.size > 0) spliceColumns(splices, sheet.columns, xml)
  around.before('mergeCells')
  if (sheet.merges) spliceMerges(splices, sheet.merges, xml)
  around.rest()
  if (sheet.isNewlyHidden && !sheet.around.has('sheetViews')) spliceSelection(splices, xml)
}

function spliceSelection(splices: Splices, xml: SheetXml): void {
  const own = xml.head.find(({ local }) => local === 'sheetViews')
  const root = own && rootOf(xml, own)
  for (const view of children(root, 'sheetView')) {
    const selected = view.attributes.find(({ name }) => name === 'tabSelected')
    if (own && selected && /^(?:1|true)$/.test(selected.value))
      splices.replace(own.start + selected.valueStart, own.start + selected.valueEnd, '0')
  }
}

/** Grows to include written cells; it never shrinks, since it is a hint. */
function spliceDimension(splices: Splices, sheet: Sheet, xml: SheetXml): void {
  const own = xml.head.find(({ local }) => local === 'dimension')
  const root = own && rootOf(xml, own)
  const ref = root?.attributes.find(({ name }) => name === 'ref')
  const before = parseBox(ref?.value ?? '')
  if (!own || !ref || !before) return
  let { top, left, bottom, right } = before
  for (const [key, { content, formula }] of sheet.cells) {
    if (!content && !formula) continue
    top = Math.min(top, rowOfKey(key))
    bottom = Math.max(bottom, rowOfKey(key))
    left = Math.min(left, columnOfKey(key))
    right = Math.max(right, columnOfKey(key))
  }
  const after = { top, left, bottom, right }
  if (!covers(before, after))
    splices.replace(own.start + ref.valueStart, own.start + ref.valueEnd, refName(after))
}

/** `<cols>` is rewritten around the columns that change; the others keep their attributes. */
function spliceColumns(
  splices: Splices,
  edits: ReadonlyMap<number, LineEdit>,
  xml: SheetXml,
): void {
  const { prefix } = xml
  const own = xml.head.find(({ local }) => local === 'cols')
  const root = own && rootOf(xml, own)
  const known = children(root, 'col').map(element => ({
    left: Number(attribute(element, 'min')),
    right: Number(attribute(element, 'max')),
    attributes: element.attributes
      .filter(({ name }) => name !== 'min' && name !== 'max')
      .map(({ name, value }) => [name, value] as const),
  }))
  const pieces: ColumnPiece[] = []
  const edited = [...edits.keys()].sort((a, b) => a - b)
  for (const { left, right, attributes } of known) {
    let from = left
    for (const column of edited.filter(candidate => candidate >= left && candidate <= right)) {
      if (column > from) pieces.push({ left: from, right: column - 1, attributes })
      pieces.push({
        left: column,
        right: column,
        attributes: withEdit(attributes, edits.get(column)!),
      })
      from = column + 1
    }
    if (from <= right) pieces.push({ left: from, right, attributes })
  }
  for (const column of edited)
    if (!known.some(({ left, right }) => column >= left && column <= right))
      pieces.push({ left: column, right: column, attributes: withEdit([], edits.get(column)!) })
  const text = joined(pieces.sort((a, b) => a.left - b.left))
    .map(({ left, right, attributes }) => {
      const rest = attributes
        .map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`)
        .join('')
      return `<${prefix}col min="${left}" max="${right}"${rest}/>`
    })
    .join('')
  const xmlText = `<${prefix}cols>${text}</${prefix}cols>`
  if (own) splices.replace(own.start, own.end, xmlText)
  else splices.insert(xml.data.tagStart, xmlText)
}

interface ColumnPiece {
  readonly left: number
  readonly right: number
  readonly attributes: readonly (readonly [string, string])[]
}

/** Neighbours that are alike are one. */
function joined(pieces: readonly ColumnPiece[]): ColumnPiece[] {
  const found: ColumnPiece[] = []
  for (const piece of pieces) {
    const last = found.at(-1)
    const isSame =
      last?.right === piece.left - 1 && String(last.attributes) === String(piece.attributes)
    if (last && isSame) found[found.length - 1] = { ...last, right: piece.right }
    else found.push(piece)
  }
  return found
}

const DEFAULT_WIDTH = '9.140625' // Excel's column width with its standard font

function withEdit(
  attributes: readonly (readonly [string, string])[],
  edit: LineEdit,
): (readonly [string, string])[] {
  const map = new Map(attributes)
  for (const [name, value] of lineAttributes(edit, 'column'))
    if (value === undefined) map.delete(name)
    else map.set(name, value)
  if (!map.has('width')) map.set('width', DEFAULT_WIDTH)
  return [...map]
}

/** Elements that the schema requires before the merged cells. */
const BEFORE_MERGES = [
  'sheetCalcPr',
  'sheetProtection',
  'protectedRanges',
  'scenarios',
  'autoFilter',
  'sortState',
  'dataConsolidate',
  'customSheetViews',
]

function spliceMerges(splices: Splices, merges: readonly Box[], xml: SheetXml): void {
  const { prefix } = xml
  const own = xml.tail.find(({ local }) => local === 'mergeCells')
  const list = merges.map(box => `<${prefix}mergeCell ref="${refName(box)}"/>`).join('')
  const text =
    merges.length === 0
      ? ''
      : `<${prefix}mergeCells count="${merges.length}">${list}</${prefix}mergeCells>`
  if (own) {
    spliceKnownMerges(splices, merges, xml, own, text)
    return
  }
  const before = xml.tail.filter(({ local }) => BEFORE_MERGES.includes(local)).at(-1)
  splices.insert(before?.end ?? xml.data.tagEnd, text)
}

/** Remaining merges keep their bytes; removed ones are cut, new ones added at the end. */
function spliceKnownMerges(
  splices: Splices,
  merges: readonly Box[],
  xml: SheetXml,
  own: SheetElement,
  text: string,
): void {
  const root = rootOf(xml, own)
  if (!root || merges.length === 0 || root.isEmptyTag) {
    splices.replace(own.start, own.end, text)
    return
  }
  const wanted = new Map(merges.map(box => [refName(box), box]))
  for (const element of root.children) {
    const box = parseBox(attribute(element, 'ref') ?? '')
    if (box && !wanted.delete(refName(box)))
      splices.remove(own.start + element.start, own.start + element.end)
  }
  const count = root.attributes.find(({ name }) => name === 'count')
  if (count && count.value !== String(merges.length))
    splices.replace(own.start + count.valueStart, own.start + count.valueEnd, String(merges.length))
  const added = [...wanted.keys()].map(ref => `<${xml.prefix}mergeCell ref="${ref}"/>`).join('')
  if (added) splices.insert(own.start + root.closeStart, added)
}

function rootOf(xml: SheetXml, own: SheetElement): XmlElement | undefined {
  const document = parseXml(xml.bytes.subarray(own.start, own.end))
  return typeof document === 'string' ? undefined : document.root
}
