import {
  attribute,
  bufferOf,
  child,
  children,
  descendants,
  fromUtf8,
  parseXml,
  prefixOf,
  Splices,
  toUtf8,
  type XmlElement,
} from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import { mainNamespace, XML_DECLARATION } from '../book/new-sheet.ts'
import { setAttribute } from '../book/splice-rows.ts'
import type { WorkbookPart } from '../book/workbook-part.ts'

/**
 * Excel recognises a formula that fills the cells next to it, or computes over ranges, by a mark on its cell: `cm`, the
 * number of an entry in a part of the workbook. One entry serves every such formula.
 */
const NAME = 'XLDAPR'
const NAMESPACE = 'http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray'
const TYPE = `name="${NAME}" minSupportedVersion="120000" copy="1" pasteAll="1" pasteValues="1" merge="1" splitFirst="1" rowColShift="1" clearFormats="1" clearComments="1" assign="1" coerce="1" cellMeta="1"`
const PROPERTIES = `<ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}"><xda:dynamicArrayProperties xmlns:xda="${NAMESPACE}" fDynamic="1" fCollapsed="0"/></ext>`

interface DynamicMark {
  /** The value of `cm`. */
  readonly index: number
  /** The part with the entry; undefined if it already has it. */
  readonly content: Uint8Array | undefined
  /** The part's name, if the package has one. */
  readonly part: string | undefined
}

const known = new WeakMap<WorkbookPart, { readonly mark: DynamicMark | undefined }>()

/** The `cm` of a new formula; undefined if the part that explains it cannot be read. */
export function dynamicIndex(part: WorkbookPart): number | undefined {
  return markOf(part)?.index
}

/** The part that explains the marks, if edits added the first one. `create` receives a part that the package lacks. */
export function dynamicContent(
  book: Book,
  edits: Map<string, Uint8Array | null>,
  create: (folder: string) => string,
): void {
  const mark = markOf(book.part)
  if (!mark?.content || !isMarked(book)) return
  const folder = book.part.name.slice(0, book.part.name.lastIndexOf('/') + 1)
  edits.set(mark.part ?? create(folder), mark.content)
}

function isMarked(book: Book): boolean {
  return book.sheets.some(sheet => {
    for (const { formula } of sheet.cells.values()) if (formula?.metadata !== undefined) return true
    return sheet.source.from === 'bytes' && bufferOf(sheet.source.bytes).includes(' cm="')
  })
}

function markOf(part: WorkbookPart): DynamicMark | undefined {
  const found = known.get(part)
  if (found) return found.mark
  const mark = readMark(part)
  known.set(part, { mark })
  return mark
}

function readMark(part: WorkbookPart): DynamicMark | undefined {
  const target = part.relationships.find(({ kind }) => kind === 'sheetMetadata')?.target
  if (target === undefined) {
    const text = `${XML_DECLARATION}<metadata xmlns="${mainNamespace(part.isStrict)}"><metadataTypes count="1"><metadataType ${TYPE}/></metadataTypes>${futureOf('')}<cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata></metadata>`
    return { index: 1, content: Buffer.from(text), part: undefined }
  }
  const name = part.package.spellingOf(target)
  const bytes = part.package.has(name) ? part.package.part(name) : undefined
  const decoded = bytes?.ok ? toUtf8(bytes.value) : undefined
  const document = decoded && parseXml(decoded.utf8)
  if (!decoded || !document || typeof document === 'string') return undefined
  const { root } = document
  const index = findMark(root)
  if (index !== undefined) return { index, content: undefined, part: name }
  const splices = new Splices()
  const added = addMark(splices, root)
  if (added === undefined) return undefined
  const content = fromUtf8(splices.apply(decoded.utf8), decoded.encoding)
  return { index: added, content, part: name }
}

function futureOf(prefix: string): string {
  return `<${prefix}futureMetadata name="${NAME}" count="1"><${prefix}bk><${prefix}extLst>${PROPERTIES.replace(/(<\/?)ext\b/g, `$1${prefix}ext`)}</${prefix}extLst></${prefix}bk></${prefix}futureMetadata>`
}

/** The entry that means exactly a dynamic array. */
function findMark(root: XmlElement): number | undefined {
  const type = typesOf(root).findIndex(own => attribute(own, 'name') === NAME) + 1
  const blocks = children(root, 'futureMetadata')
    .filter(own => attribute(own, 'name') === NAME)
    .flatMap(own => children(own, 'bk'))
  const value = blocks.findIndex(own => {
    const [properties] = descendants(own, 'dynamicArrayProperties')
    const isCollapsed = ['1', 'true'].includes(attribute(properties, 'fCollapsed') ?? '')
    return ['1', 'true'].includes(attribute(properties, 'fDynamic') ?? '') && !isCollapsed
  })
  if (type === 0 || value < 0) return undefined
  const index = children(child(root, 'cellMetadata'), 'bk').findIndex(({ children: records }) => {
    const [only] = records
    const means = Number(attribute(only, 't')) === type && Number(attribute(only, 'v')) === value
    return records.length === 1 && means
  })
  return index < 0 ? undefined : index + 1
}

function typesOf(root: XmlElement): XmlElement[] {
  return children(child(root, 'metadataTypes'), 'metadataType')
}

/** Existing entries keep their numbers, since cells refer to them. */
function addMark(splices: Splices, root: XmlElement): number | undefined {
  const types = child(root, 'metadataTypes')
  // A part that knows the name but has no entry for it was not written by Excel: it stays unchanged.
  if (!types || types.isEmptyTag) return undefined
  if (typesOf(root).some(own => attribute(own, 'name') === NAME)) return undefined
  const prefix = prefixOf(root)
  const type = typesOf(root).length + 1
  splices.insert(types.closeStart, `<${prefix}metadataType ${TYPE}/>`)
  setAttribute(splices, types, 0, 'count', String(type))
  const cells = child(root, 'cellMetadata')
  const entry = `<${prefix}bk><${prefix}rc t="${type}" v="0"/></${prefix}bk>`
  const before = ['futureMetadata', 'mdxMetadata', 'metadataStrings', 'metadataTypes']
    .map(local => children(root, local).at(-1))
    .find(own => own !== undefined)
  if (cells?.isEmptyTag) return undefined
  const count = children(cells, 'bk').length + 1
  const fresh = cells ? '' : `<${prefix}cellMetadata count="1">${entry}</${prefix}cellMetadata>`
  splices.insert(before!.end, futureOf(prefix) + fresh)
  if (cells) {
    splices.insert(cells.closeStart, entry)
    setAttribute(splices, cells, 0, 'count', String(count))
  }
  return count
}
