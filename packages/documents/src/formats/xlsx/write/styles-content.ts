import {
  attribute,
  child,
  children,
  encodeAttribute,
  fromUtf8,
  prefixOf,
  Splices,
  type XmlDocument,
  type XmlElement,
} from '../../../opc/index.ts'
import { setAttribute } from '../book/splice-rows.ts'
import type { Styles } from '../cell/styles.ts'

/** The styles with those that edits derived: each copies another with its own number format. */
export function stylesContent(styles: Styles): Uint8Array | undefined {
  const { document } = styles
  if (!document) return undefined
  const list = child(document.root, 'cellXfs')
  if (styles.added.length === 0 || !list) return undefined
  const splices = new Splices()
  const ids = new Map<string, number>()
  const formats = [...styles.customFormats]
  for (const { pattern } of styles.added)
    if (!ids.has(pattern)) {
      const known = formats.find(([, own]) => own === pattern)?.[0]
      ids.set(pattern, known ?? nextFormatId(styles, ids))
    }
  addFormats(splices, document.root, styles, ids)
  const texts = styles.added.map(({ from, pattern }) =>
    copyOf(document, children(list, 'xf')[from], ids.get(pattern)!, prefixOf(list)),
  )
  if (list.isEmptyTag) return undefined
  splices.insert(list.closeStart, texts.join(''))
  setAttribute(splices, list, 0, 'count', String(styles.count + styles.added.length))
  return fromUtf8(splices.apply(document.bytes), document.encoding)
}

const FIRST_CUSTOM_FORMAT = 164

function nextFormatId(styles: Styles, ids: ReadonlyMap<string, number>): number {
  return Math.max(FIRST_CUSTOM_FORMAT - 1, ...styles.customFormats.keys(), ...ids.values()) + 1
}

function addFormats(
  splices: Splices,
  root: XmlElement,
  styles: Styles,
  ids: ReadonlyMap<string, number>,
): void {
  const fresh = [...ids].filter(([, id]) => !styles.customFormats.has(id))
  if (fresh.length === 0) return
  const prefix = prefixOf(root)
  const texts = fresh
    .map(
      ([pattern, id]) =>
        `<${prefix}numFmt numFmtId="${id}" formatCode="${encodeAttribute(pattern)}"/>`,
    )
    .join('')
  const list = child(root, 'numFmts')
  if (list && !list.isEmptyTag) {
    splices.insert(list.closeStart, texts)
    setAttribute(splices, list, 0, 'count', String(children(list, 'numFmt').length + fresh.length))
  } else {
    const whole = `<${prefix}numFmts count="${fresh.length}">${texts}</${prefix}numFmts>`
    if (list) splices.replace(list.start, list.end, whole)
    else splices.insert(root.openEnd, whole)
  }
}

function copyOf(
  document: XmlDocument,
  xf: XmlElement | undefined,
  formatId: number,
  prefix: string,
): string {
  if (!xf)
    return `<${prefix}xf numFmtId="${formatId}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`
  const local = new Splices()
  setAttribute(local, xf, -xf.start, 'numFmtId', String(formatId))
  if (attribute(xf, 'applyNumberFormat') !== '1')
    setAttribute(local, xf, -xf.start, 'applyNumberFormat', '1')
  return Buffer.from(local.apply(document.bytes.slice(xf.start, xf.end))).toString('utf8')
}
