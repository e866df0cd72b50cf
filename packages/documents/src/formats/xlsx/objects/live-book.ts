import { ok, type Result } from '@filewright/protocol'
import { bufferOf, fromUtf8, type LiveNode, LivePackage, LiveTree } from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { openPackage, type WorkbookPart } from '../book/workbook-part.ts'

/** The order of the elements of a worksheet, as its schema has it. */
const ORDER =
  'sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF drawingHF picture oleObjects controls webPublishItems tableParts extLst'
    .split(' ')
    .map(local => `x:${local}`)

/**
 * The parts of a workbook whose objects are edited: tables, drawings, comments, names. The book has no edits that its
 * package lacks. Of a sheet only what stands next to its cells becomes a tree: a sheet may have a million cells.
 */
export class LiveBook {
  readonly package: LivePackage
  readonly #book: Book
  readonly #frames = new Map<string, SheetFrame>()

  constructor(book: Book) {
    this.#book = book
    this.package = new LivePackage(book.part.package, book.part.name)
    this.workbook // the package knows by it whether the file is strict
  }

  /** `xl/workbook.xml` */
  get workbook(): LiveTree {
    return this.tree(this.#book.part.name)
  }

  tree(name: string): LiveTree {
    const tree = this.package.tree(name)
    if (!tree.ok) throw new Refusal('UNREADABLE_FORMAT', tree.failure.message)
    return tree.value
  }

  /** The elements of a sheet before and after its cells. */
  sheet(sheet: Sheet): SheetFrame {
    const part = partOf(sheet)
    const known = this.#frames.get(part)
    if (known) return known
    const frame = new SheetFrame(sheet, part)
    this.#frames.set(part, frame)
    return frame
  }

  /** The folder of the workbook's parts: `xl/`. */
  get folder(): string {
    const { name } = this.#book.part
    return name.slice(0, name.lastIndexOf('/') + 1)
  }

  finish(): Result<WorkbookPart> {
    const edits = this.package.edits()
    if (!edits.ok) return edits
    for (const [part, frame] of this.#frames)
      if (frame.isChanged) edits.value.set(part, frame.bytes())
    if (edits.value.size === 0) return ok(this.#book.part)
    const own = this.#book.part.package.edited(edits.value)
    return own.ok ? openPackage(own.value) : own
  }
}

export function partOf(sheet: Sheet): string {
  if (sheet.source.from === 'part' && sheet.source.part !== '') return sheet.source.part
  throw new Refusal(
    'UNREADABLE_FORMAT',
    `the sheet ${JSON.stringify(sheet.name)} has no part in the file`,
  )
}

/** A sheet without its cells, as a tree. */
export class SheetFrame {
  readonly part: string
  readonly tree: LiveTree
  readonly #sheet: Sheet
  readonly #bytes: Uint8Array
  readonly #start: number
  readonly #cells: readonly [number, number]
  readonly #mark: string

  constructor(sheet: Sheet, part: string) {
    const xml = sheet.xml()
    if (!xml.ok) throw new Refusal('UNREADABLE_FORMAT', xml.failure.message)
    const { bytes, data, root, prefix } = xml.value
    this.part = part
    this.#sheet = sheet
    this.#bytes = bytes
    this.#start = root.start
    this.#cells = [data.tagStart, data.tagEnd]
    this.#mark = `<${prefix}sheetData/>`
    const tree = LiveTree.parse(
      Buffer.concat([
        bytes.subarray(root.start, data.tagStart),
        Buffer.from(this.#mark),
        bytes.subarray(data.tagEnd),
      ]),
    )
    if (typeof tree === 'string')
      throw new Refusal(
        'UNREADABLE_FORMAT',
        `the sheet ${JSON.stringify(sheet.name)} is not well-formed (${tree})`,
      )
    this.tree = tree
  }

  get isChanged(): boolean {
    return this.tree.isChanged
  }

  find(local: string): LiveNode | undefined {
    return this.tree.root.child(`x:${local}`)
  }

  /** The element of that name, made where the schema wants it if it is not there. */
  ensure(local: string): LiveNode {
    const known = this.find(local)
    if (known) return known
    const [made] = this.tree.fragment(`<x:${local}/>`)
    this.put(made!)
    return made!
  }

  /** The element of that name that names a link; made where it is not there. */
  ensureLinked(local: string, id: string): void {
    const known = this.find(local)
    if (known) this.tree.remove(known)
    const [made] = this.tree.fragment(`<x:${local} r:id="${id}"/>`)
    this.put(made!)
  }

  /** Puts a new element where the schema wants it. */
  put(node: LiveNode): void {
    const own = ORDER.indexOf(node.name)
    const { children } = this.tree.root
    const before = children.findLastIndex(
      ({ name }) => ORDER.includes(name) && ORDER.indexOf(name) <= own,
    )
    this.tree.insert(this.tree.root, before + 1, [node])
  }

  remove(local: string): void {
    const node = this.find(local)
    if (node) this.tree.remove(node)
  }

  bytes(): Uint8Array {
    const tree = bufferOf(this.tree.bytes())
    const [from, to] = this.#cells
    // Nobody writes the mark in front of the cells but in a comment.
    const earlier = countOf(bufferOf(this.#bytes).subarray(this.#start, from), this.#mark)
    let at = tree.indexOf(this.#mark)
    for (let skipped = 0; skipped < earlier; skipped++) at = tree.indexOf(this.#mark, at + 1)
    return fromUtf8(
      Buffer.concat([
        this.#bytes.subarray(0, this.#start),
        tree.subarray(0, at),
        this.#bytes.subarray(from, to),
        tree.subarray(at + this.#mark.length),
      ]),
      this.#sheet.encoding,
    )
  }
}

function countOf(text: Buffer, mark: string): number {
  let count = 0
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count++
  return count
}
