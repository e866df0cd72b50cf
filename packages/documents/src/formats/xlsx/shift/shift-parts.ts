import {
  attribute,
  bufferOf,
  child,
  children,
  encodeText,
  fromUtf8,
  parseXml,
  Splices,
  textOf,
  toUtf8,
  type XmlEncoding,
} from '../../../opc/index.ts'
import { setAttribute } from '../book/splice-rows.ts'
import { cellName, parseBox, parseCell, refName } from '../cell/address.ts'
import { rewriteLinks } from '../parts/internal-links.ts'
import { rewriteOldDrawing, rewritePart } from '../parts/rewrite-part.ts'
import { relationshipsOf } from '../parts/sheet-parts.ts'
import type { LineShift } from '../places/line-shift.ts'
import { shiftAnchor, shiftOldDrawing } from './shift-anchors.ts'
import { shiftTree } from './shift-refs.ts'
import type { ShiftRun } from './shift-run.ts'
import { type NewHeader, shiftTable } from './shift-table.ts'

export type PartEdits = Map<string, Uint8Array | null>

interface Decoded {
  readonly utf8: Uint8Array
  readonly encoding: XmlEncoding
}

/** A part as it is with the edits so far, changed by the function. */
function editPart(
  run: ShiftRun,
  edits: PartEdits,
  name: string,
  change: (decoded: Decoded) => Uint8Array | undefined,
): void {
  const own = run.book.part.package
  const spelled = own.spellingOf(name)
  const part = edits.get(spelled) ?? (own.has(spelled) ? own.part(spelled) : undefined)
  const bytes = part instanceof Uint8Array ? part : part?.ok ? part.value : undefined
  const decoded = bytes && toUtf8(bytes)
  const after = decoded && change(decoded)
  if (decoded && after && after !== decoded.utf8)
    edits.set(spelled, fromUtf8(after, decoded.encoding))
}

/** The parts that belong to the sheet: tables, comments, drawings, pivot tables. */
export function shiftOwnParts(
  run: ShiftRun,
  edits: PartEdits,
  lines: LineShift | undefined,
): NewHeader[] {
  const headers: NewHeader[] = []
  const whole = lines && !lines.band ? lines : undefined
  for (const { kind, target } of relationshipsOf(run.book.part, run.places.sheet)) {
    if (kind === 'table')
      editPart(run, edits, target, ({ utf8 }) => {
        const table = shiftTable(utf8, run, lines)
        headers.push(...(table?.headers ?? []))
        return table?.bytes
      })
    else if (kind === 'comments' || kind === 'threadedComment' || kind === 'tableSingleCells')
      editPart(run, edits, target, ({ utf8 }) => shiftReferences(utf8, run))
    else if (kind === 'drawing' && whole)
      editPart(run, edits, target, ({ utf8 }) => shiftDrawing(utf8, whole))
    else if (kind === 'vmlDrawing')
      editPart(run, edits, target, ({ utf8 }) => {
        const before = bufferOf(utf8).toString('latin1')
        const after = whole ? shiftOldDrawing(before, whole) : before
        const text = Buffer.from(after, 'latin1')
        return (
          rewriteOldDrawing(text, formula => run.map(formula, run.places.sheet).text) ??
          (after === before ? undefined : text)
        )
      })
    else if (kind === 'pivotTable')
      editPart(run, edits, target, ({ utf8 }) => shiftLocation(utf8, run))
    else if (kind === 'ctrlProp')
      editPart(run, edits, target, ({ utf8 }) =>
        rewritePart(utf8, formula => run.map(formula, run.places.sheet).text),
      )
  }
  return headers
}

function shiftReferences(utf8: Uint8Array, run: ShiftRun): Uint8Array | undefined {
  const document = parseXml(utf8)
  if (typeof document === 'string') return undefined
  const splices = new Splices()
  const tree = { splices, bytes: utf8, offset: 0 }
  shiftTree(tree, document.root, run.places, () => undefined)
  return splices.size > 0 ? splices.apply(utf8) : undefined
}

function shiftDrawing(utf8: Uint8Array, lines: LineShift): Uint8Array | undefined {
  const document = parseXml(utf8)
  if (typeof document === 'string') return undefined
  const splices = new Splices()
  for (const anchor of document.root.children) {
    // A choice holds one anchor for each kind of reader.
    const anchors =
      anchor.local === 'AlternateContent' ? anchor.children.flatMap(own => own.children) : [anchor]
    for (const own of anchors)
      shiftAnchor(splices, document, own, lines, { editAs: attribute(own, 'editAs') })
  }
  return splices.size > 0 ? splices.apply(utf8) : undefined
}

function shiftLocation(utf8: Uint8Array, run: ShiftRun): Uint8Array | undefined {
  const document = parseXml(utf8)
  if (typeof document === 'string') return undefined
  const splices = new Splices()
  const location = child(document.root, 'location')
  const box = parseBox(attribute(location, 'ref') ?? '')
  const after = box && run.places.box(box)
  if (location && after) setAttribute(splices, location, 0, 'ref', refName(after))
  return splices.size > 0 ? splices.apply(utf8) : undefined
}

/** Everything else that may name cells of the sheet: charts, links, sources of pivots, names, the calculation chain. */
export function shiftOtherParts(run: ShiftRun, edits: PartEdits): void {
  const own = run.book.part.package
  const rewrite = (formula: string) => run.map(formula, undefined).text
  const done = new Set(run.book.part.sheets.map(({ part }) => part))
  for (const { kind, target } of relationshipsOf(run.book.part, run.places.sheet))
    if (['table', 'vmlDrawing', 'ctrlProp'].includes(kind)) done.add(own.spellingOf(target))
  for (const name of own.names) {
    if (/\.rels$/i.test(name)) {
      const links = edits.has(name) ? undefined : rewriteLinks(own, name, rewrite)
      if (links) edits.set(name, fromUtf8(links.bytes, links.encoding))
    }
    if (!/\.(xml|vml)$/i.test(name) || !name.startsWith('xl/') || done.has(name)) continue
    if (name === run.book.part.name || /sharedStrings|styles|theme|calcChain/i.test(name)) continue
    editPart(run, edits, name, ({ utf8 }) => {
      if (!run.mentions(decodedText(utf8))) return undefined
      run.owner = /charts?\//i.test(name) ? 'a chart' : name.slice(name.lastIndexOf('/') + 1)
      return (
        rewritePart(utf8, rewrite) ??
        (/\.vml$/i.test(name) ? rewriteOldDrawing(utf8, rewrite) : undefined)
      )
    })
  }
  for (const { kind, target } of run.book.part.relationships)
    if (kind === 'pivotCacheDefinition')
      editPart(run, edits, target, ({ utf8 }) => {
        run.owner = 'the source of a pivot table'
        return shiftSource(utf8, run)
      })
    else if (kind === 'calcChain') editPart(run, edits, target, ({ utf8 }) => shiftChain(utf8, run))
  editPart(run, edits, run.book.part.name, ({ utf8 }) => shiftNames(utf8, run))
}

/** Entities of XML hide an apostrophe or an ampersand of the name. */
function decodedText(utf8: Uint8Array): string {
  return bufferOf(utf8)
    .toString('utf8')
    .replaceAll('&apos;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function shiftSource(utf8: Uint8Array, run: ShiftRun): Uint8Array | undefined {
  const document = parseXml(utf8)
  if (typeof document === 'string') return undefined
  const source = child(child(document.root, 'cacheSource'), 'worksheetSource')
  const name = run.places.sheet.name.toLowerCase()
  if (!source || (attribute(source, 'sheet') ?? '').toLowerCase() !== name) return undefined
  const box = parseBox(attribute(source, 'ref') ?? '')
  const after = box && run.places.box(box)
  if (!after) return undefined
  const splices = new Splices()
  setAttribute(splices, source, 0, 'ref', refName(after))
  if (splices.size > 0) setAttribute(splices, document.root, 0, 'refreshOnLoad', '1')
  return splices.size > 0 ? splices.apply(utf8) : undefined
}

/** The order of calculation, which must list only cells with formulas. */
function shiftChain(utf8: Uint8Array, run: ShiftRun): Uint8Array | undefined {
  const document = parseXml(utf8)
  if (typeof document === 'string') return undefined
  const { sheet, box } = run.places
  const sheetId = String(run.book.part.sheets[sheet.id]?.sheetId)
  const splices = new Splices()
  let current = ''
  let owed: string | undefined
  for (const element of children(document.root, 'c')) {
    const named = attribute(element, 'i')
    current = named ?? current
    const at = parseCell(attribute(element, 'r') ?? '')
    const isOwn = current === sheetId && at !== undefined
    const to = isOwn
      ? box({ top: at.row, bottom: at.row, left: at.column, right: at.column })
      : undefined
    if (isOwn && !to) {
      splices.remove(element.start, element.end)
      owed = named ?? owed
      continue
    }
    if (to) setAttribute(splices, element, 0, 'r', cellName(to.top, to.left))
    if (owed !== undefined && named === undefined) setAttribute(splices, element, 0, 'i', owed)
    owed = undefined
  }
  return splices.size > 0 ? splices.apply(utf8) : undefined
}

function shiftNames(utf8: Uint8Array, run: ShiftRun): Uint8Array | undefined {
  const document = parseXml(utf8)
  if (typeof document === 'string') return undefined
  const splices = new Splices()
  for (const element of children(child(document.root, 'definedNames'), 'definedName')) {
    const before = textOf(document, element)
    const name = attribute(element, 'name') ?? ''
    run.owner = `the name ${name}`
    const mapped = run.map(before, undefined, { onlyFixed: true })
    if (mapped.isLost) run.lost.push(`the name ${name}`)
    if (mapped.hasSheetRange) run.sheetRanges.push(`the name ${name}`)
    if (mapped.text !== before)
      splices.replace(element.openEnd, element.closeStart, encodeText(mapped.text))
  }
  return splices.size > 0 ? splices.apply(utf8) : undefined
}
