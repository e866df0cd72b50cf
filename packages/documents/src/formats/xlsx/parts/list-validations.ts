import type { Box } from '@filewright/protocol'
import {
  attribute,
  child,
  descendants,
  parseXml,
  textOf,
  type XmlDocument,
} from '../../../opc/index.ts'
import { parseBox } from '../cell/address.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'

/** Cells that offer a list to choose from. */
export interface ListValidation {
  /** As the file writes it. */
  readonly ref: string
  readonly boxes: readonly Box[]
  /** The list itself in quotes, or where it is. */
  readonly formula: string
}

const known = new WeakMap<SheetXml, readonly ListValidation[]>()

/** In both forms: a list on another sheet is an extension where Excel 2010 wrote it. */
export function listValidationsOf(xml: SheetXml): readonly ListValidation[] {
  let found = known.get(xml)
  if (!found) {
    found = [...plainLists(xml), ...extendedLists(xml)]
    known.set(xml, found)
  }
  return found
}

function plainLists(xml: SheetXml): ListValidation[] {
  const document = documentOf(xml, 'dataValidations')
  if (!document) return []
  return [...descendants(document.root, 'dataValidation')]
    .filter(own => attribute(own, 'type') === 'list')
    .map(own => toList(attribute(own, 'sqref') ?? '', textOf(document, child(own, 'formula1'))))
}

function extendedLists(xml: SheetXml): ListValidation[] {
  const document = documentOf(xml, 'extLst')
  if (!document) return []
  return [...descendants(document.root, 'dataValidation')]
    .filter(own => attribute(own, 'type') === 'list')
    .map(own => {
      const formula = textOf(document, child(child(own, 'formula1'), 'f'))
      return toList(textOf(document, child(own, 'sqref')), formula)
    })
}

function toList(ref: string, formula: string): ListValidation {
  const boxes = ref.split(/\s+/).flatMap(part => parseBox(part) ?? [])
  return { ref: ref.trim(), boxes, formula }
}

function documentOf(xml: SheetXml, local: string): XmlDocument | undefined {
  const own = xml.element(local)
  const document = own && parseXml(xml.bytes.subarray(own.start, own.end))
  return typeof document === 'string' ? undefined : document
}
