import type { Box } from '@filewright/protocol'
import {
  attribute,
  child,
  children,
  descendants,
  type OpcPackage,
  type Relationship,
  textOf,
  type XmlDocument,
  type XmlElement,
} from '../../../opc/index.ts'
import { elementsOf, treeOf } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import type { WorkbookPart } from '../book/workbook-part.ts'
import { isTrue } from '../book/workbook-part.ts'
import { cellName, parseBox, placeOf } from '../cell/address.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { readRichText } from '../cell/strings.ts'
import { rewriteName } from './rewrite-part.ts'

/**
 * The objects attached to a sheet besides its cells. Missing or broken parts are treated as absent: they are kept, not
 * read.
 */
export interface SheetTable {
  readonly name: string
  readonly ref: string
  readonly columns: readonly string[]
  readonly hasTotals: boolean
  readonly headerRows: number
  readonly part: string
}

export interface SheetComment {
  readonly cell: string
  readonly author: string
  readonly text: string
}

export interface SheetChart {
  /** What edit_chart takes. */
  readonly name: string
  readonly title: string
  readonly kind: string
  readonly anchor: string | undefined
  /** The ranges it plots. */
  readonly sources: readonly string[]
}

export interface SheetPicture {
  readonly name: string
  readonly alt: string
  readonly anchor: string | undefined
}

export interface SheetPivot {
  readonly name: string
  readonly ref: string
  readonly source: string
  /** `rows Region; values Sum of Net` */
  readonly shows: string
}

export function relationshipsOf(book: WorkbookPart, sheet: Sheet): readonly Relationship[] {
  return sheet.source.from === 'part' && sheet.source.part
    ? book.package.relationships(sheet.source.part)
    : []
}

const knownTables = new WeakMap<Sheet, readonly SheetTable[]>()

/** As stored in the file; read once, because every edit needs them. */
export function tablesOf(book: WorkbookPart, sheet: Sheet): readonly SheetTable[] {
  const known = knownTables.get(sheet)
  if (known) return known
  const tables = readTables(book, sheet)
  knownTables.set(sheet, tables)
  return tables
}

function readTables(book: WorkbookPart, sheet: Sheet): SheetTable[] {
  const tables: SheetTable[] = []
  for (const { kind, target } of relationshipsOf(book, sheet)) {
    if (kind !== 'table') continue
    const root = rootOf(book.package, target)
    if (!root) continue
    tables.push({
      name: attribute(root, 'displayName') ?? attribute(root, 'name') ?? '',
      ref: attribute(root, 'ref') ?? '',
      columns: children(child(root, 'tableColumns'), 'tableColumn').map(
        own => attribute(own, 'name') ?? '',
      ),
      hasTotals: Number(attribute(root, 'totalsRowCount') ?? 0) > 0,
      headerRows: Number(attribute(root, 'headerRowCount') ?? 1),
      part: target,
    })
  }
  return tables
}

/** Threads first: the legacy comment of a thread only says that there is one. */
export function commentsOf(book: WorkbookPart, sheet: Sheet): SheetComment[] {
  const own = relationshipsOf(book, sheet)
  const threads = own.filter(({ kind }) => kind === 'threadedComment')
  const comments: SheetComment[] = []
  const people = threads.length > 0 ? peopleOf(book) : new Map<string, string>()
  for (const { target } of threads) {
    const document = documentOf(book.package, target)
    for (const element of children(document?.root, 'threadedComment'))
      comments.push({
        cell: attribute(element, 'ref') ?? '',
        author: people.get(attribute(element, 'personId') ?? '') ?? '',
        text: document ? textOf(document, child(element, 'text')) : '',
      })
  }
  const threaded = new Set(comments.map(comment => comment.cell))
  for (const { kind, target } of own) {
    if (kind !== 'comments') continue
    const document = documentOf(book.package, target)
    if (!document) continue
    const authors = children(child(document.root, 'authors'), 'author').map(author =>
      textOf(document, author),
    )
    for (const element of children(child(document.root, 'commentList'), 'comment')) {
      const cell = attribute(element, 'ref') ?? ''
      if (threaded.has(cell)) continue
      const text = child(element, 'text')
      comments.push({
        cell,
        author: authors[Number(attribute(element, 'authorId') ?? -1)] ?? '',
        text: text ? readRichText(document.bytes, text.openEnd, text.closeStart) : '',
      })
    }
  }
  return comments
}

function peopleOf(book: WorkbookPart): Map<string, string> {
  const people = new Map<string, string>()
  for (const { kind, target } of book.relationships)
    if (kind === 'person')
      for (const element of children(documentOf(book.package, target)?.root, 'person'))
        people.set(attribute(element, 'id') ?? '', attribute(element, 'displayName') ?? '')
  return people
}

export function drawingsOf(
  book: WorkbookPart,
  sheet: Sheet,
): { charts: SheetChart[]; images: SheetPicture[]; shapes: number } {
  const charts: SheetChart[] = []
  const images: SheetPicture[] = []
  let shapes = 0
  for (const { kind, target } of relationshipsOf(book, sheet)) {
    if (kind !== 'drawing') continue
    const drawing = documentOf(book.package, target)
    if (!drawing) continue
    const byId = new Map(book.package.relationships(target).map(own => [own.id, own]))
    for (const anchor of drawing.root.children) {
      const at = anchorOf(drawing, anchor)
      for (const picture of descendants(anchor, 'pic')) {
        const [own] = descendants(picture, 'cNvPr')
        images.push({
          name: attribute(own, 'name') ?? '',
          alt: attribute(own, 'descr') ?? '',
          anchor: at,
        })
      }
      shapes += [...descendants(anchor, 'sp')].length
      for (const element of descendants(anchor, 'chart')) {
        const id = element.attributes.find(({ local }) => local === 'id')?.value
        const part = id === undefined ? undefined : byId.get(id)?.target
        const [own] = descendants(anchor, 'cNvPr')
        charts.push({
          name: attribute(own, 'name') ?? '',
          ...describeChart(part ? documentOf(book.package, part) : undefined),
          anchor: at,
        })
      }
    }
  }
  return { charts, images, shapes }
}

function describeChart(document: XmlDocument | undefined): Omit<SheetChart, 'anchor' | 'name'> {
  if (!document) return { title: '', kind: 'chart', sources: [] }
  const chart = child(document.root, 'chart')
  const plot = child(chart, 'plotArea')
  const kinds =
    plot?.children
      .filter(({ local }) => local.endsWith('Chart'))
      .map(own => {
        const kind = own.local.slice(0, -5)
        const isUpright = attribute(child(own, 'barDir'), 'val') !== 'bar'
        return isUpright ? kind.replace(/^bar/, 'column') : kind
      }) ?? []
  const title = child(chart, 'title')
  const words = title ? [...descendants(title, 't')].map(own => textOf(document, own)).join('') : ''
  const sources = new Set<string>()
  if (plot) for (const own of descendants(plot, 'f')) sources.add(textOf(document, own))
  return {
    title: words,
    kind: [...new Set(kinds)].join('+') || 'chart',
    sources: [...sources].slice(0, 8),
  }
}

/** The cell under its upper left corner. */
function anchorOf(document: XmlDocument, anchor: XmlElement): string | undefined {
  const from = child(anchor, 'from')
  if (!from) return undefined
  const row = Number(textOf(document, child(from, 'row')))
  const column = Number(textOf(document, child(from, 'col')))
  return cellName(row + 1, column + 1)
}

export function pivotsOf(
  book: WorkbookPart,
  sheet: Sheet,
  rewrite: (formula: string) => string,
): SheetPivot[] {
  const pivots: SheetPivot[] = []
  for (const { kind, target } of relationshipsOf(book, sheet)) {
    if (kind !== 'pivotTable') continue
    const root = rootOf(book.package, target)
    const cache = book.package
      .relationships(target)
      .find(own => own.kind === 'pivotCacheDefinition')
    const cacheRoot = cache && rootOf(book.package, cache.target)
    const source = child(child(cacheRoot, 'cacheSource'), 'worksheetSource')
    const ref = attribute(source, 'ref') ?? ''
    const from =
      attribute(source, 'name') ??
      placeOf(rewriteName(attribute(source, 'sheet') ?? '', rewrite), ref)
    pivots.push({
      name: attribute(root, 'name') ?? '',
      ref: attribute(child(root, 'location'), 'ref') ?? '',
      source: source ? from : 'external',
      shows: shownFields(root, cacheRoot),
    })
  }
  return pivots
}

function shownFields(root: XmlElement | undefined, cache: XmlElement | undefined): string {
  const fields = children(child(cache, 'cacheFields'), 'cacheField').map(
    own => attribute(own, 'name') ?? '',
  )
  const named = (list: string, entry: string, name: string) =>
    children(child(root, list), entry).flatMap(own => fields[Number(attribute(own, name))] ?? [])
  const values = children(child(root, 'dataFields'), 'dataField').flatMap(
    own => attribute(own, 'name') ?? [],
  )
  return [
    ['rows', named('rowFields', 'field', 'x')] as const,
    ['columns', named('colFields', 'field', 'x')] as const,
    ['values', values] as const,
    ['filters', named('pageFields', 'pageField', 'fld')] as const,
  ]
    .flatMap(([word, list]) => (list.length > 0 ? [`${word} ${list.join(', ')}`] : []))
    .join('; ')
}

/** The source cells of a pivot table of the workbook, as the file names them. */
export interface PivotSource {
  readonly sheet: string
  readonly ref: string
  /** Replaces both: a table or a name. */
  readonly table: string | undefined
  /** The headers that its fields were made of. */
  readonly fields: readonly string[]
}

const pivotSources = new WeakMap<WorkbookPart, readonly PivotSource[]>()

export function pivotSourcesOf(book: WorkbookPart): readonly PivotSource[] {
  const known = pivotSources.get(book)
  if (known) return known
  const found = book.relationships.flatMap(({ kind, target }) => {
    const root = kind === 'pivotCacheDefinition' ? rootOf(book.package, target) : undefined
    const source = child(child(root, 'cacheSource'), 'worksheetSource')
    if (!source) return []
    const [sheet = '', ref = ''] = [attribute(source, 'sheet'), attribute(source, 'ref')]
    const fields = children(child(root, 'cacheFields'), 'cacheField').map(
      own => attribute(own, 'name') ?? '',
    )
    return [{ sheet, ref, table: attribute(source, 'name'), fields }]
  })
  pivotSources.set(book, found)
  return found
}

export interface SheetSettings {
  readonly isProtected: boolean
  readonly validations: readonly {
    readonly ref: string
    readonly kind: string
    readonly formula: string
  }[]
  readonly hyperlinks: number
  readonly hiddenColumns: readonly Box[]
  readonly dimension: Box | undefined
}

export function settingsOf(xml: SheetXml, rewrite: (formula: string) => string): SheetSettings {
  return {
    isProtected: isTrue(attribute(treeOf(xml, 'sheetProtection'), 'sheet')),
    validations: elementsOf(xml, 'dataValidations', 'dataValidation').map(own => ({
      ref: attribute(own, 'sqref') ?? '',
      kind: attribute(own, 'type') ?? 'any',
      formula: rewrite(formulaText(xml, 'dataValidations', child(own, 'formula1'))),
    })),
    hyperlinks: elementsOf(xml, 'hyperlinks').length,
    hiddenColumns: elementsOf(xml, 'cols', 'col')
      .filter(own => isTrue(attribute(own, 'hidden')))
      .map(own => ({
        top: 1,
        bottom: 1,
        left: Number(attribute(own, 'min')),
        right: Number(attribute(own, 'max')),
      })),
    dimension: dimensionOf(xml),
  }
}

/** The range the sheet claims to use; a hint, never trusted. */
export function dimensionOf(xml: SheetXml): Box | undefined {
  return parseBox(attribute(treeOf(xml, 'dimension'), 'ref') ?? '')
}

function formulaText(xml: SheetXml, local: string, element: XmlElement | undefined): string {
  const own = xml.element(local)
  if (!element || !own) return ''
  return textOf({ bytes: xml.bytes.subarray(own.start, own.end), root: element }, element)
}

function documentOf(own: OpcPackage, name: string): XmlDocument | undefined {
  if (!own.has(name)) return undefined
  const document = own.xml(name)
  return document.ok ? document.value : undefined
}

function rootOf(own: OpcPackage, name: string): XmlElement | undefined {
  return documentOf(own, name)?.root
}
