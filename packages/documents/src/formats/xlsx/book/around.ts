import { parseXml, type XmlDocument } from '../../../opc/index.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import type { Sheet } from './sheet.ts'

/** The elements of that name next to the cells, as the sheet has them now; a broken one is left out. */
export function aroundOf(sheet: Sheet, local: string): readonly XmlDocument[] {
  const edited = sheet.around.get(local)
  if (edited) return edited.map(text => Buffer.from(text)).flatMap(parsed)
  const xml = sheet.xml()
  return xml.ok ? textsOf(xml.value, local).flatMap(parsed) : []
}

/** Only the first counts, where the schema has one. */
export function oneAround(sheet: Sheet, local: string): XmlDocument | undefined {
  return aroundOf(sheet, local)[0]
}

/** As they are written. */
export function aroundTexts(sheet: Sheet, local: string): readonly string[] {
  const edited = sheet.around.get(local)
  if (edited) return edited
  const xml = sheet.xml()
  return xml.ok ? textsOf(xml.value, local).map(own => Buffer.from(own).toString('utf8')) : []
}

function textsOf({ head, tail, bytes }: SheetXml, local: string): Uint8Array[] {
  return [...head, ...tail]
    .filter(own => own.local === local)
    .map(({ start, end }) => bytes.subarray(start, end))
}

const known = new WeakMap<Uint8Array, XmlDocument>()

function parsed(bytes: Uint8Array): XmlDocument[] {
  const document = known.get(bytes) ?? parseXml(bytes)
  if (typeof document === 'string') return []
  known.set(bytes, document)
  return [document]
}
