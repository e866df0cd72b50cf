import {
  attribute,
  child,
  children,
  encodeAttribute,
  encodeText,
  fromUtf8,
  prefixedAttribute,
  prefixOf,
  Splices,
  type XmlElement,
} from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import { relationshipNamespace } from '../book/new-sheet.ts'
import type { Sheet } from '../book/sheet.ts'
import { setAttribute } from '../book/splice-rows.ts'
import type { DefinedName } from '../book/workbook-part.ts'

/** A sheet that the file lacks: its entry in the workbook. */
export interface NewSheet {
  readonly sheet: Sheet
  readonly part: string
  readonly sheetId: number
  readonly relationshipId: string
}

/** `xl/workbook.xml` with the current sheets, names and calculation settings; undefined when nothing changed. */
export function workbookContent(
  book: Book,
  added: readonly NewSheet[],
  wantsCalculation: boolean,
): Uint8Array | undefined {
  const { document } = book.part
  const splices = new Splices()
  spliceSheets(splices, book, added)
  spliceNames(splices, book)
  spliceView(splices, book)
  if (wantsCalculation) spliceCalculation(splices, document.root)
  if (splices.size === 0) return undefined
  return fromUtf8(splices.apply(document.bytes), document.encoding)
}

function spliceSheets(splices: Splices, book: Book, added: readonly NewSheet[]): void {
  const { document, sheets: entries } = book.part
  const list = child(document.root, 'sheets')
  const elements = children(list, 'sheet')
  if (!list) return
  const isSameOrder =
    added.length === 0 &&
    book.sheets.length === entries.length &&
    book.sheets.every((sheet, index) => sheet.id === index)
  if (isSameOrder) {
    for (const [index, sheet] of book.sheets.entries())
      spliceSheet(splices, elements[index]!, sheet, entries[index]!.visibility, 0)
    return
  }
  const prefix = prefixOf(list)
  const idName = idAttribute(elements)
  const namespace = relationshipNamespace(book.part.isStrict)
  const texts = book.sheets.map(sheet => {
    const own = elements[sheet.id]
    if (!own) {
      const fresh = added.find(candidate => candidate.sheet === sheet)!
      const state = sheet.visibility === 'visible' ? '' : ` state="${sheet.visibility}"`
      const id = `${idName}="${fresh.relationshipId}"${declarationOf(document.root, idName, namespace)}`
      return `<${prefix}sheet name="${encodeAttribute(sheet.name)}" sheetId="${fresh.sheetId}"${state} ${id}/>`
    }
    const local = new Splices()
    spliceSheet(local, own, sheet, entries[sheet.id]!.visibility, -own.start)
    return Buffer.from(local.apply(document.bytes.slice(own.start, own.end))).toString('utf8')
  })
  splices.replace(list.openEnd, list.closeStart, texts.join(''))
}

function spliceSheet(
  splices: Splices,
  element: XmlElement,
  sheet: Sheet,
  before: string,
  offset: number,
): void {
  const name = element.attributes.find(own => own.name === 'name')
  if (name && name.value !== sheet.name)
    splices.replace(
      offset + name.valueStart,
      offset + name.valueEnd,
      encodeAttribute(sheet.name).replaceAll("'", '&apos;'),
    )
  if (sheet.visibility !== before)
    setAttribute(
      splices,
      element,
      offset,
      'state',
      sheet.visibility === 'visible' ? undefined : sheet.visibility,
    )
}

/** `r:id` in the file's own spelling. */
function idAttribute(elements: readonly XmlElement[]): string {
  for (const element of elements) {
    const own = element.attributes.find(({ local, name }) => local === 'id' && name !== 'id')
    if (own && prefixedAttribute(element, 'id') !== undefined) return own.name
  }
  return 'r:id'
}

/** Some files declare the prefix only on each sheet. */
function declarationOf(root: XmlElement, idName: string, namespace: string): string {
  const declaration = `xmlns:${idName.slice(0, idName.indexOf(':'))}`
  return root.attributes.some(({ name }) => name === declaration)
    ? ''
    : ` ${declaration}="${namespace}"`
}

function spliceNames(splices: Splices, book: Book): void {
  const { document, definedNames: before } = book.part
  if (book.definedNames === before) return
  const list = child(document.root, 'definedNames')
  const elements = children(list, 'definedName')
  const now = new Map(book.definedNames.map(own => [own.index, own]))
  if (list && now.size === 0) {
    splices.remove(list.start, list.end)
    return
  }
  for (const own of before) {
    const element = elements[own.index]!
    const after = now.get(own.index)
    if (!after) splices.remove(element.start, element.end)
    else {
      if (after.text !== own.text)
        splices.replace(element.openEnd, element.closeStart, encodeText(after.text))
      if (after.localSheet !== own.localSheet)
        setAttribute(splices, element, 0, 'localSheetId', String(after.localSheet))
    }
  }
  const added = book.definedNames.filter(own => own.index >= before.length)
  if (added.length === 0) return
  const texts = added.map(nameXml(list ?? document.root)).join('')
  if (list && !list.isEmptyTag) {
    splices.insert(list.closeStart, texts)
    return
  }
  const tag = `${prefixOf(document.root)}definedNames`
  const whole = `<${tag}>${texts}</${tag}>`
  if (list) splices.replace(list.start, list.end, whole)
  else splices.insert(placeForNames(document.root), whole)
}

/** After the elements that the schema puts before the names. */
function placeForNames(root: XmlElement): number {
  const before = ['externalReferences', 'functionGroups', 'sheets']
  return root.children.findLast(({ local }) => before.includes(local))?.end ?? root.openEnd
}

function nameXml(list: XmlElement): (own: DefinedName) => string {
  const tag = `${prefixOf(list)}definedName`
  return ({ name, localSheet, isHidden, text }) => {
    const scope = localSheet === undefined ? '' : ` localSheetId="${localSheet}"`
    const hidden = isHidden ? ' hidden="1"' : ''
    return `<${tag} name="${encodeAttribute(name)}"${scope}${hidden}>${encodeText(text)}</${tag}>`
  }
}

/** The active sheet stays active; if it was deleted or hidden, the first visible one is. */
function spliceView(splices: Splices, book: Book): void {
  const { sheets: before, document } = book.part
  const isAsBefore =
    book.sheets.length === before.length &&
    book.sheets.every(
      (sheet, index) => sheet.id === index && sheet.visibility === before[index]!.visibility,
    )
  if (isAsBefore) return
  const visible = Math.max(
    book.sheets.findIndex(sheet => sheet.visibility === 'visible'),
    0,
  )
  for (const view of children(child(document.root, 'bookViews'), 'workbookView')) {
    const active = Number(attribute(view, 'activeTab') ?? 0)
    const moved = book.sheets.findIndex(
      sheet => sheet.id === active && sheet.visibility === 'visible',
    )
    const index = moved >= 0 ? moved : visible
    if (index !== active) setAttribute(splices, view, 0, 'activeTab', String(index))
    if (Number(attribute(view, 'firstSheet') ?? 0) >= book.sheets.length)
      setAttribute(splices, view, 0, 'firstSheet', '0')
  }
}

/** Elements that the schema requires before `calcPr`. */
const BEFORE_CALCULATION = ['definedNames', 'externalReferences', 'functionGroups', 'sheets']

function spliceCalculation(splices: Splices, root: XmlElement): void {
  const own = child(root, 'calcPr')
  if (own) {
    setAttribute(splices, own, 0, 'fullCalcOnLoad', '1')
    return
  }
  const before = BEFORE_CALCULATION.map(local => child(root, local)).find(
    element => element !== undefined,
  )
  if (before) splices.insert(before.end, `<${prefixOf(root)}calcPr fullCalcOnLoad="1"/>`)
}
