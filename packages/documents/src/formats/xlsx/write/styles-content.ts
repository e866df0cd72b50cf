import {
  child,
  encodeAttribute,
  fromUtf8,
  prefixOf,
  Splices,
  type XmlElement,
} from '../../../opc/index.ts'
import { setAttribute } from '../book/splice-rows.ts'
import type { Styles } from '../cell/styles.ts'

/** The styles with what edits added at the end of each list; nothing that is there changes. */
export function stylesContent(styles: Styles): Uint8Array | undefined {
  const { document } = styles
  if (!document || !styles.isGrown || !styles.isReadable) return undefined
  const { root } = document
  const prefix = prefixOf(root)
  const splices = new Splices()
  const formats = styles.addedFormats.map(
    ([id, pattern]) =>
      `<${prefix}numFmt numFmtId="${id}" formatCode="${encodeAttribute(pattern)}"/>`,
  )
  growList(splices, root, 'numFmts', formats)
  for (const { local, added } of styles.lists) growList(splices, root, local, added)
  return fromUtf8(splices.apply(document.bytes), document.encoding)
}

/** The order that the schema asks for. */
const ORDER = [
  ...['numFmts', 'fonts', 'fills', 'borders', 'cellStyleXfs', 'cellXfs', 'cellStyles', 'dxfs'],
  ...['tableStyles', 'colors', 'extLst'],
]

function growList(
  splices: Splices,
  root: XmlElement,
  local: string,
  texts: readonly string[],
): void {
  if (texts.length === 0) return
  const list = child(root, local)
  const prefix = prefixOf(list ?? root)
  if (list && !list.isEmptyTag) {
    splices.insert(list.closeStart, texts.join(''))
    const entries = list.children.filter(({ local: own }) => own === list.children[0]?.local)
    setAttribute(splices, list, 0, 'count', String(entries.length + texts.length))
    return
  }
  const whole = `<${prefix}${local} count="${texts.length}">${texts.join('')}</${prefix}${local}>`
  if (list) splices.replace(list.start, list.end, whole)
  else splices.insert(placeOf(root, local), whole)
}

/** After the last element that comes before it. */
function placeOf(root: XmlElement, local: string): number {
  const before = new Set(ORDER.slice(0, ORDER.indexOf(local)))
  return root.children.findLast(own => before.has(own.local))?.end ?? root.openEnd
}
