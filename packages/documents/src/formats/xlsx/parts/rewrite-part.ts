import { lookUp } from '@filewright/protocol'
import {
  bufferOf,
  decodeText,
  encodeAttribute,
  encodeText,
  Splices,
  XML_BAD,
  XML_CLOSE,
  XML_EMPTY,
  XML_END,
  XML_OPEN,
  XmlReader,
} from '../../../opc/index.ts'

/** Elements whose text is a formula, in sheets, charts, tables, names and extensions. */
const FORMULA_ELEMENTS = new Set([
  'f',
  'formula',
  'formula1',
  'formula2',
  'calculatedColumnFormula',
  'totalsRowFormula',
  'sqref', // in charts, for series and rows that a filter hides
  // In controls of legacy drawings.
  'FmlaLink',
  'FmlaRange',
  'FmlaGroup',
  'FmlaTxbx',
  'FmlaPict',
])
/** Elements whose attribute `sheet` is a name: sources of pivots and consolidations. */
const SHEET_ELEMENTS = new Set(['worksheetSource', 'rangeSet', 'dataRef'])
/** Attributes that contain a reference. */
export const FORMULA_ATTRIBUTES = new Set([
  'location',
  'textlink',
  'linkedCell',
  'listFillRange',
  'fmlaLink',
  'fmlaRange',
  'fmlaGroup',
  'fmlaTxbx',
])
/** Elements with one attribute that contains a reference: limits of conditional formats, parameters of queries. */
const FORMULA_ATTRIBUTE_OF: Readonly<Record<string, string>> = { cfvo: 'val', parameter: 'cell' }

/**
 * References outside the cells: charts, conditional formats, validations, links, pivot sources. Undefined when nothing
 * changes or the part cannot be read; such a part stays unchanged.
 */
export function rewritePart(
  bytes: Uint8Array,
  rewrite: (formula: string) => string,
  options: { readonly cellPrefix?: string; readonly part?: readonly [number, number] } = {},
): Uint8Array | undefined {
  const splices = new Splices()
  const reader = options.part
    ? new XmlReader(bytes, ...options.part, 'fragment')
    : new XmlReader(bytes)
  let textStart = -1
  for (;;) {
    const kind = reader.next()
    if (kind === XML_BAD) return undefined
    if (kind === XML_END) break
    if (kind === XML_CLOSE) {
      if (textStart >= 0) {
        const before = decodeText(bytes, textStart, reader.start)
        const after = rewrite(before)
        if (after !== before) splices.replace(textStart, reader.start, encodeText(after))
      }
      textStart = -1
      continue
    }
    if (kind !== XML_OPEN && kind !== XML_EMPTY) continue
    const name = bufferOf(bytes).toString('latin1', reader.nameStart, reader.nameEnd)
    const local = name.slice(name.indexOf(':') + 1)
    // A cell's own formula is rewritten with its cell.
    const isCellFormula = options.cellPrefix !== undefined && name === `${options.cellPrefix}f`
    if (kind === XML_OPEN)
      textStart = FORMULA_ELEMENTS.has(local) && !isCellFormula ? reader.end : -1
    rewriteAttributes(splices, reader, local, rewrite)
  }
  return splices.size > 0 ? splices.apply(bytes) : undefined
}

function rewriteAttributes(
  splices: Splices,
  reader: XmlReader,
  local: string,
  rewrite: (formula: string) => string,
): void {
  const { attributes, bytes } = reader
  for (let at = 0; at < reader.attributeEnd; at += 4) {
    const name = bufferOf(bytes).toString('latin1', attributes[at]!, attributes[at + 1]!)
    const isSheetName = SHEET_ELEMENTS.has(local) && name === 'sheet'
    const isOwn = lookUp(FORMULA_ATTRIBUTE_OF, local) === name
    if (!isSheetName && !isOwn && !FORMULA_ATTRIBUTES.has(name)) continue
    const before = decodeText(bytes, attributes[at + 2]!, attributes[at + 3]!)
    const after = isSheetName ? rewriteName(before, rewrite) : rewrite(before)
    if (after !== before)
      splices.replace(
        attributes[at + 2]!,
        attributes[at + 3]!,
        encodeAttribute(after).replaceAll("'", '&apos;'),
      )
  }
}

const CONTROL_FORMULA = /(<(?:\w+:)?(Fmla\w+)>)([^<]*)(?=<\/(?:\w+:)?\2>)/g

/**
 * Legacy drawings are not XML where a text box has lines: `<br>` is unclosed. Their references can be found all the
 * same.
 */
export function rewriteOldDrawing(
  bytes: Uint8Array,
  rewrite: (formula: string) => string,
): Uint8Array | undefined {
  const before = bufferOf(bytes).toString('latin1')
  const after = before.replace(
    CONTROL_FORMULA,
    (whole, tag: string, local: string, text: string) => {
      const own = Buffer.from(text, 'latin1')
      const formula = decodeText(own, 0, own.length)
      const now = FORMULA_ELEMENTS.has(local) ? rewrite(formula) : formula
      return now === formula ? whole : tag + Buffer.from(encodeText(now)).toString('latin1')
    },
  )
  return after === before ? undefined : Buffer.from(after, 'latin1')
}

/** A bare sheet name, rewritten as in a formula. */
export function rewriteName(name: string, rewrite: (formula: string) => string): string {
  const after = rewrite(`'${name.replaceAll("'", "''")}'!A1`)
  const match = /^(?:'((?:[^']|'')+)'|([^'!]+))!A1$/.exec(after)
  return match?.[1]?.replaceAll("''", "'") ?? match?.[2] ?? name
}
