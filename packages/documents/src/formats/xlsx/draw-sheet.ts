import { type Box, ok, type Result, toBytes } from '@filewright/protocol'
import type { DrawnPart, DrawRequest } from '../../format.ts'
import { fromUtf8, Splices } from '../../opc/index.ts'
import { Book } from './book/book.ts'
import type { Sheet } from './book/sheet.ts'
import { usedBox } from './book/used.ts'
import { openWorkbook } from './book/workbook-part.ts'
import { boxName } from './cell/address.ts'
import type { WorkbookRegion } from './declared/selectors.ts'
import { findStale } from './formula/dependants.ts'
import { resolveRegion } from './view/region.ts'
import { fixValues } from './write/fix-values.ts'
import { printSheet } from './write/print-sheet.ts'
import { printWorkbook } from './write/print-workbook.ts'

const MOST_ROWS = 1_000 // a few dozen pages
const MOST_COLUMNS = 100 // on one page, each is still a few pixels wide

/** The workbook with one sheet to be seen, as it is looked at rather than as it prints. */
export function drawSheet(input: object, files: readonly Uint8Array[]): Result<DrawnPart> {
  const [bytes] = files
  const region: WorkbookRegion | undefined = (input as DrawRequest).region
  const opened = openWorkbook(bytes!)
  if (!opened.ok) return opened
  const part = opened.value
  const book = new Book(part, { findStale })
  if (!region) return ok({ bytes: printAll(book, bytes!), part: 'the workbook', warnings: [] })
  const place = findPlace(book, region)
  if (!place.ok) return place
  const { sheet, box, used } = place.value
  const drawn = box ?? used
  const shown = drawn && clamp(drawn)
  const isCut = shown !== undefined && boxName(shown) !== boxName(drawn!)
  const cut = `Only ${shown && boxName(shown)} is drawn, of ${drawn && boxName(drawn)}: at most ${MOST_ROWS} rows and ${MOST_COLUMNS} columns at once. Name other cells with range.`
  const area = box || isCut ? shown : undefined
  const edits = new Map([[part.name, printWorkbook(part, book.sheets.indexOf(sheet), area)]])
  const xml = sheet.source.from === 'part' && sheet.kind === 'worksheet' ? sheet.xml() : undefined
  if (xml && !xml.ok) return xml
  if (xml && sheet.source.from === 'part')
    edits.set(sheet.source.part, fromUtf8(printSheet(xml.value, shown), sheet.encoding))
  return ok({
    bytes: toBytes(part.package.content(edits), bytes!),
    part: describe(sheet, box),
    warnings: isCut ? [cut] : [],
  })
}

/** As it prints, with the results that a read shows. */
function printAll({ part, sheets }: Book, bytes: Uint8Array): Uint8Array {
  const edits = new Map<string, Uint8Array>()
  for (const { source, encoding, xml } of sheets.map(partsOf)) {
    if (source.from !== 'part' || !xml) continue
    const splices = new Splices()
    fixValues(splices, xml)
    if (splices.size > 0) edits.set(source.part, fromUtf8(splices.apply(xml.bytes), encoding))
  }
  return toBytes(part.package.content(edits), bytes)
}

/** A sheet that cannot be read is left as it is. */
function partsOf(sheet: Sheet) {
  const xml = sheet.kind === 'worksheet' ? sheet.xml() : undefined
  return { source: sheet.source, encoding: sheet.encoding, xml: xml?.ok ? xml.value : undefined }
}

interface DrawnPlace {
  readonly sheet: Sheet
  /** The cells asked for; undefined: the whole sheet, with what stands beside its cells. */
  readonly box?: Box
  readonly used?: Box
}

function findPlace(book: Book, region: WorkbookRegion): Result<DrawnPlace> {
  // A chart that is a sheet has no cells, and can be looked at all the same.
  const named =
    region.range === undefined && region.sheet !== undefined
      ? book.findSheet(region.sheet, 'draw')
      : undefined
  if (named && !named.ok) return named
  if (named?.value && named.value.kind !== 'worksheet') return ok({ sheet: named.value })
  const place = resolveRegion(book, region)
  if (!place.ok) return place
  if ('empty' in place.value) return ok({ sheet: place.value.empty })
  const { sheet, box, isWholeSheet } = place.value
  if (!isWholeSheet) return ok({ sheet, box })
  const used = usedBox(sheet)
  return used.ok ? ok({ sheet, ...(used.value && { used: used.value }) }) : used
}

function clamp({ top, left, bottom, right }: Box): Box {
  return {
    top,
    left,
    bottom: Math.min(bottom, top + MOST_ROWS - 1),
    right: Math.min(right, left + MOST_COLUMNS - 1),
  }
}

function describe({ name }: Sheet, box: Box | undefined): string {
  return `sheet ${JSON.stringify(name)}${box ? ` ${boxName(box)}` : ''}`
}
