import { bufferOf, parseXml, type Splices, type XmlElement } from '../../../opc/index.ts'
import { readTag, type TagScan } from '../cell/cell-scan.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import type { LineEdit, Sheet } from './sheet.ts'

/**
 * Edits a row's tag where needed: its span of columns, its height, whether it is hidden. Returns where the tag ends.
 */
export function spliceRowTag(
  splices: Splices,
  sheet: Sheet,
  xml: SheetXml,
  index: number,
  edits: readonly { readonly column: number }[],
  grown?: ReadonlySet<number>,
): TagScan {
  const start = xml.rows.starts[index]!
  const tag: TagScan = { end: 0, isEmpty: false, row: 0 }
  readTag(xml.bytes, start, tag)
  const row = xml.rows.numbers[index]!
  const edit = sheet.rows.get(row)
  const line = grown?.has(row) ? { size: 'auto' as const, ...edit } : edit
  if (edits.length > 0) widenSpans(splices, xml, start, tag, edits[0]!.column, edits.at(-1)!.column)
  const root = line && parseTag(xml, start, tag)
  if (!root) return tag
  for (const [name, value] of lineAttributes(line!, 'row'))
    setAttribute(splices, root, start, name, value)
  return tag
}

/** The attributes that an edit of a row or column sets; undefined: the attribute goes. */
export function lineAttributes(
  { hidden, size, level, folded, style }: LineEdit,
  kind: 'row' | 'column',
): (readonly [string, string | undefined])[] {
  const [sizeName, isOwn] = kind === 'row' ? ['ht', 'customHeight'] : ['width', 'customWidth']
  const found: (readonly [string, string | undefined])[] = []
  if (hidden !== undefined) found.push(['hidden', hidden ? '1' : undefined])
  if (size === 'auto') found.push([sizeName!, undefined], [isOwn!, undefined])
  else if (size !== undefined) found.push([sizeName!, String(size)], [isOwn!, '1'])
  if (level !== undefined) found.push(['outlineLevel', level > 0 ? String(level) : undefined])
  if (folded !== undefined) found.push(['collapsed', folded ? '1' : undefined])
  if (style === undefined) return found
  const own = style > 0 ? String(style) : undefined
  if (kind === 'column') found.push(['style', own])
  else found.push(['s', own], ['customFormat', own && '1'])
  return found
}

/** ` hidden="1" ht="20"`: the attributes of a row that the file lacks. */
export function rowAttributes(line: LineEdit): string {
  return lineAttributes(line, 'row')
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${value}"`))
    .join('')
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
