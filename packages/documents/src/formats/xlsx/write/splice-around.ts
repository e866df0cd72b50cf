import type { Splices } from '../../../opc/index.ts'
import type { Sheet } from '../book/sheet.ts'
import type { SheetElement, SheetXml } from '../cell/sheet-xml.ts'

/** The children of a worksheet in the order of its schema (ECMA-376 18.3.1.99). */
const ORDER = [
  ...['sheetPr', 'dimension', 'sheetViews', 'sheetFormatPr', 'cols', 'sheetData', 'sheetCalcPr'],
  ...['sheetProtection', 'protectedRanges', 'scenarios', 'autoFilter', 'sortState'],
  ...['dataConsolidate', 'customSheetViews', 'mergeCells', 'phoneticPr', 'conditionalFormatting'],
  ...['dataValidations', 'hyperlinks', 'printOptions', 'pageMargins', 'pageSetup', 'headerFooter'],
  ...['rowBreaks', 'colBreaks', 'customProperties', 'cellWatches', 'ignoredErrors', 'smartTags'],
  ...['drawing', 'legacyDrawing', 'legacyDrawingHF', 'drawingHF', 'picture', 'oleObjects'],
  ...['controls', 'webPublishItems', 'tableParts', 'extLst'],
]

/** Elements next to the cells that edits replaced, added or removed; those that stay keep their bytes. */
export class AroundSplicer {
  readonly #splices: Splices
  readonly #sheet: Sheet
  readonly #xml: SheetXml
  readonly #left: string[]

  constructor(splices: Splices, sheet: Sheet, xml: SheetXml) {
    this.#splices = splices
    this.#sheet = sheet
    this.#xml = xml
    this.#left = [...sheet.around.keys()].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
  }

  /** Those that the schema puts before that element. */
  before(local: string): void {
    while (this.#left.length > 0 && ORDER.indexOf(this.#left[0]!) < ORDER.indexOf(local))
      this.#splice(this.#left.shift()!)
  }

  rest(): void {
    for (const local of this.#left.splice(0)) this.#splice(local)
  }

  /** A hidden sheet is not selected: what a person types into the visible one would go there too. */
  #textsOf(local: string): string[] {
    const texts = [...(this.#sheet.around.get(local) ?? [])]
    if (local !== 'sheetViews' || !this.#sheet.isNewlyHidden) return texts
    return texts.map(text => text.replace(/(\stabSelected\s*=\s*["'])(?:1|true)/g, '$10'))
  }

  #splice(local: string): void {
    const xml = this.#xml
    const own = [...xml.head, ...xml.tail].filter(element => element.local === local)
    const left = this.#textsOf(local)
    const gone: SheetElement[] = []
    for (const element of own) {
      const at = left.indexOf(textOf(xml, element))
      if (at < 0) gone.push(element)
      else left.splice(at, 1)
    }
    // an element that changed keeps its place
    for (const { start, end } of gone) this.#splices.replace(start, end, left.shift() ?? '')
    if (left.length > 0)
      this.#splices.insert(own.at(-1)?.end ?? placeFor(xml, local), left.join(''))
  }
}

function textOf({ bytes }: SheetXml, { start, end }: SheetElement): string {
  return Buffer.from(bytes.subarray(start, end)).toString('utf8')
}

/** After the last element that the schema puts before it. */
function placeFor({ head, tail, data, root }: SheetXml, local: string): number {
  const before = new Set(ORDER.slice(0, ORDER.indexOf(local)))
  const list = before.has('sheetData') ? tail : head
  const last = list.findLast(own => before.has(own.local))
  return last?.end ?? (before.has('sheetData') ? data.tagEnd : root.end)
}
