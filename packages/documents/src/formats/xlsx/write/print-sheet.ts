import type { Box } from '@filewright/protocol'
import { attribute, child, children, parseXml, Splices } from '../../../opc/index.ts'
import { setAttribute } from '../book/splice-rows.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { fixValues } from './fix-values.ts'

/** What the sheet has of its own about printing. */
const PRINTING = [
  'printOptions',
  'pageMargins',
  'pageSetup',
  'headerFooter',
  'rowBreaks',
  'colBreaks',
]

/** Elements that the schema requires after all of those. */
const AFTER_PRINTING = [
  'customProperties',
  'cellWatches',
  'ignoredErrors',
  'smartTags',
  'drawing',
  'legacyDrawing',
  'legacyDrawingHF',
  'drawingHF',
  'picture',
  'oleObjects',
  'controls',
  'AlternateContent',
  'webPublishItems',
  'tableParts',
  'extLst',
]

const PORTRAIT_COLUMNS = 7 // of the usual width fit on an upright page

/**
 * The sheet set up to be looked at: all columns on one page, with the letters of columns and the numbers of rows around
 * them, lines between cells where a screen shows them, and the results that a read shows.
 */
export function printSheet(xml: SheetXml, box: Box | undefined): Uint8Array {
  const { prefix } = xml
  const splices = new Splices()
  fixValues(splices, xml)
  fitToPage(splices, xml)
  for (const own of xml.tail) if (PRINTING.includes(own.local)) splices.remove(own.start, own.end)
  const isWide = box !== undefined && box.right - box.left >= PORTRAIT_COLUMNS
  const lines = hidesLines(xml) ? '' : ' gridLines="1"'
  const at =
    xml.tail.find(({ local }) => AFTER_PRINTING.includes(local))?.start ?? xml.root.closeStart
  splices.insert(
    at,
    [
      `<${prefix}printOptions headings="1"${lines}/>`,
      `<${prefix}pageMargins left="0.3" right="0.3" top="0.3" bottom="0.3" header="0.2" footer="0.2"/>`,
      `<${prefix}pageSetup paperSize="9" orientation="${isWide ? 'landscape' : 'portrait'}" fitToWidth="1" fitToHeight="0"/>`,
    ].join(''),
  )
  return splices.apply(xml.bytes)
}

function fitToPage(splices: Splices, xml: SheetXml): void {
  const fit = `<${xml.prefix}pageSetUpPr fitToPage="1"/>`
  const own = xml.head.find(({ local }) => local === 'sheetPr')
  const parsed = own && parseXml(xml.bytes.subarray(own.start, own.end))
  if (!own || !parsed || typeof parsed === 'string') {
    splices.insert(xml.root.end, `<${xml.prefix}sheetPr>${fit}</${xml.prefix}sheetPr>`)
    return
  }
  const { root } = parsed
  const setUp = child(root, 'pageSetUpPr')
  if (setUp) setAttribute(splices, setUp, own.start, 'fitToPage', '1')
  else if (!root.isEmptyTag) splices.insert(own.start + root.closeStart, fit)
  else {
    // `<sheetPr a="b"/>` gets a child
    const tag = Buffer.from(xml.bytes.subarray(own.start, own.end)).toString('utf8')
    splices.replace(own.start, own.end, `${tag.replace(/\/>$/, '>')}${fit}</${root.name}>`)
  }
}

function hidesLines(xml: SheetXml): boolean {
  const own = xml.head.find(({ local }) => local === 'sheetViews')
  const parsed = own && parseXml(xml.bytes.subarray(own.start, own.end))
  if (!parsed || typeof parsed === 'string') return false
  const [view] = children(parsed.root, 'sheetView')
  return ['0', 'false'].includes(attribute(view, 'showGridLines') ?? '')
}
