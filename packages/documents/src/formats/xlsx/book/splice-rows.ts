import { bufferOf, parseXml, type Splices, type XmlElement } from '../../../opc/index.ts'
import { readTag, type TagScan } from '../cell/cell-scan.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import type { Sheet } from './sheet.ts'

/**
 * Edits a row's tag where needed: its span of columns, its height, whether it is hidden. Returns where the tag ends.
 */
export function spliceRowTag(
  splices: Splices,
  sheet: Sheet,
  xml: SheetXml,
  index: number,
  edits: readonly { readonly column: number }[],
): TagScan {
  const start = xml.rows.starts[index]!
  const tag: TagScan = { end: 0, isEmpty: false, row: 0 }
  readTag(xml.bytes, start, tag)
  const line = sheet.rows.get(xml.rows.numbers[index]!)
  if (edits.length > 0) widenSpans(splices, xml, start, tag, edits[0]!.column, edits.at(-1)!.column)
  const root = line && parseTag(xml, start, tag)
  if (!root) return tag
  if (line?.hidden !== undefined)
    setAttribute(splices, root, start, 'hidden', line.hidden ? '1' : undefined)
  if (line?.size !== undefined) {
    setAttribute(splices, root, start, 'ht', String(line.size))
    setAttribute(splices, root, start, 'customHeight', '1')
  }
  return tag
}

function parseTag(xml: SheetXml, start: number, tag: TagScan): XmlElement | undefined {
  const bytes = xml.bytes.subarray(start, tag.end)
  const closed = tag.isEmpty ? bytes : Buffer.concat([bytes.subarray(0, -1), Buffer.from('/>')])
  const document = parseXml(closed)
  return typeof document === 'string' ? undefined : document.root
}

/**
 * `spans` is a hint for readers; a cell outside it must not make it false. Every edited row passes here, so its tag is
 * not parsed.
 */
function widenSpans(
  splices: Splices,
  xml: SheetXml,
  start: number,
  tag: TagScan,
  left: number,
  right: number,
): void {
  const text = bufferOf(xml.bytes).toString('latin1', start, tag.end)
  const match = /(\sspans\s*=\s*["'])(\d+):(\d+)["']/.exec(text)
  if (!match) return
  const [, head, first, last] = match
  const from = Math.min(Number(first), left)
  const to = Math.max(Number(last), right)
  if (from === Number(first) && to === Number(last)) return
  const at = start + match.index + head!.length
  splices.replace(at, at + `${first}:${last}`.length, `${from}:${to}`)
}

/** Sets, adds after the tag's name, or removes an attribute; the others keep their order and quoting. */
export function setAttribute(
  splices: Splices,
  element: XmlElement,
  offset: number,
  name: string,
  value: string | undefined,
): void {
  const own = element.attributes.find(candidate => candidate.name === name)
  if (own && value === undefined) splices.remove(offset + own.start - 1, offset + own.valueEnd + 1)
  else if (own && own.value !== value)
    splices.replace(offset + own.valueStart, offset + own.valueEnd, value!)
  else if (!own && value !== undefined)
    splices.insert(
      offset + element.start + 1 + Buffer.byteLength(element.name),
      ` ${name}="${value}"`,
    )
}
