import type { Box } from '@filewright/protocol'
import {
  child,
  children,
  encodeText,
  fromUtf8,
  prefixOf,
  Splices,
  type XmlElement,
} from '../../../opc/index.ts'
import { setAttribute } from '../book/splice-rows.ts'
import type { WorkbookPart } from '../book/workbook-part.ts'
import { boxName, quoteSheet } from '../cell/address.ts'

const PRINT_AREA = '_xlnm.Print_Area'

/** `xl/workbook.xml` with one visible sheet, of which those cells are printed, or all. */
export function printWorkbook(part: WorkbookPart, index: number, box: Box | undefined): Uint8Array {
  const { document, definedNames } = part
  const { root } = document
  const splices = new Splices()
  for (const [position, element] of children(child(root, 'sheets'), 'sheet').entries())
    setAttribute(splices, element, 0, 'state', position === index ? undefined : 'hidden')
  for (const view of children(child(root, 'bookViews'), 'workbookView')) {
    setAttribute(splices, view, 0, 'activeTab', String(index))
    setAttribute(splices, view, 0, 'firstSheet', String(index))
  }
  const list = child(root, 'definedNames')
  const elements = children(list, 'definedName')
  for (const own of definedNames)
    if (own.name === PRINT_AREA && own.localSheet === index)
      splices.remove(elements[own.index]!.start, elements[own.index]!.end)
  if (box) addArea(splices, root, `${quoteSheet(part.sheets[index]!.name)}!${absolute(box)}`, index)
  return fromUtf8(splices.apply(document.bytes), document.encoding)
}

/** Elements that the schema requires before the names. */
const BEFORE_NAMES = ['externalReferences', 'functionGroups', 'sheets']

function addArea(splices: Splices, root: XmlElement, text: string, index: number): void {
  const prefix = prefixOf(root)
  const name = `<${prefix}definedName name="${PRINT_AREA}" localSheetId="${index}">${encodeText(text)}</${prefix}definedName>`
  const list = child(root, 'definedNames')
  const names = `<${prefix}definedNames>${name}</${prefix}definedNames>`
  if (list && !list.isEmptyTag) return splices.insert(list.closeStart, name)
  if (list) return splices.replace(list.start, list.end, names)
  const before = BEFORE_NAMES.map(local => child(root, local)).find(own => own !== undefined)
  if (before) splices.insert(before.end, names)
}

function absolute(box: Box): string {
  return boxName(box).replace(/([A-Z]+)(\d+)/g, '$$$1$$$2')
}
