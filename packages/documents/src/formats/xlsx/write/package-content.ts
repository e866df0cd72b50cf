import { type Content, ok, type Result } from '@filewright/protocol'
import {
  attribute,
  bufferOf,
  CONTENT_TYPES_NAME,
  children,
  encodeAttribute,
  fromUtf8,
  prefixOf,
  relationshipsName,
  Splices,
  toUtf8,
} from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import { type FormulaResults, NO_RESULTS } from '../book/cell-values.ts'
import { relationshipNamespace } from '../book/new-sheet.ts'
import type { Sheet } from '../book/sheet.ts'
import { cellKey } from '../cell/address.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import { calcChainContent } from '../parts/calc-chain.ts'
import { dynamicContent } from '../parts/dynamic-arrays.ts'
import { rewriteLinks } from '../parts/internal-links.ts'
import { rewriteOldDrawing, rewritePart } from '../parts/rewrite-part.ts'
import { tableContent } from '../table/table-columns.ts'
import { grownRows } from './grown-rows.ts'
import { refreshPivots } from './pivot-refresh.ts'
import type { SpliceOptions } from './splice-cell.ts'
import { rewriteTail, spliceSheet } from './splice-sheet.ts'
import { stylesContent } from './styles-content.ts'
import { type NewSheet, workbookContent } from './workbook-content.ts'

/** The workbook's new bytes: slices of the old ones, and the changed parts. */
export function packageContent(book: Book): Result<Content> {
  const edits = packageEdits(book, book.values.results)
  return edits.ok ? ok(book.part.package.content(edits.value)) : edits
}

/** The parts that differ from those of the package; null: gone. Results that are not given are left out. */
export function packageEdits(
  book: Book,
  computed: FormulaResults = NO_RESULTS,
): Result<Map<string, Uint8Array | null>> {
  const edits = new Map<string, Uint8Array | null>()
  const { stale } = book.values
  let wantsCalculation = false
  const isRewritten = book.rewrites.length > 0
  for (const sheet of book.sheets) {
    const keys = stale.keysOf(sheet.id)
    const results = resultsOn(computed, sheet)
    if (lacksResults(sheet, keys, results)) wantsCalculation = true
    if (sheet.source.from !== 'part' || sheet.source.part === '') continue
    if (!sheet.isTouched && keys.size === 0 && (!isRewritten || !hasRows(sheet))) continue
    const rewriteAt: SpliceOptions['rewrite'] = (formula, { row, column }) =>
      book.rewriteFormula(formula, undefined, { sheet: sheet.id, row, column })
    const bytes = spliceSheet(sheet, {
      stale: keys,
      grown: grownRows(book, sheet),
      results,
      ...(isRewritten && { rewrite: rewriteAt }),
    })
    if (!bytes.ok) {
      if (sheet.isTouched) return bytes
      continue // an unreadable sheet has no formula that we could have promised to update
    }
    edits.set(sheet.source.part, bytes.value)
  }
  const added = addSheets(book, edits, computed)
  if (!added.ok) return added
  if (isRewritten) rewriteOthers(book, edits)
  for (const sheet of book.sheets) tableContent(book, sheet, edits)
  refreshPivots(book, edits)
  const fresh = [...added.value.map(toPart), ...addStyles(book, edits, added.value)]
  dynamicContent(book, edits, folder => {
    const part = freePart(book, `${folder}metadata`)
    fresh.push({ part, relationshipId: freeId(usedIds(book, fresh)), kind: 'sheetMetadata' })
    return part
  })
  const dropped = dropSheets(book, edits)
  const chain = dropFromChain(book, edits)
  const workbook = workbookContent(book, added.value, wantsCalculation)
  if (workbook) edits.set(book.part.name, workbook)
  spliceRelationships(book, edits, fresh, [...dropped.relationshipIds, ...chain.relationshipIds])
  spliceContentTypes(book, edits, fresh)
  forgetUnchanged(book, edits)
  return ok(edits)
}

function addSheets(
  book: Book,
  edits: Map<string, Uint8Array | null>,
  computed: FormulaResults,
): Result<NewSheet[]> {
  const added: NewSheet[] = []
  const folder = `${book.part.name.slice(0, book.part.name.lastIndexOf('/') + 1)}worksheets/`
  let sheetId = Math.max(0, ...book.part.sheets.map(entry => entry.sheetId))
  let number = 1
  const usedIds = new Set(book.part.relationships.map(({ id }) => id))
  for (const sheet of book.sheets) {
    if (sheet.source.from !== 'bytes') continue
    while (
      book.part.package.has(`${folder}sheet${number}.xml`) ||
      edits.has(`${folder}sheet${number}.xml`)
    )
      number++
    const part = `${folder}sheet${number}.xml`
    const rewrite = (formula: string) => book.rewriteFormula(formula, sheet)
    const results = resultsOn(computed, sheet)
    const bytes = spliceSheet(sheet, {
      stale: formulaKeys(sheet),
      grown: grownRows(book, sheet),
      results,
      rewrite,
    })
    if (!bytes.ok) return bytes
    edits.set(part, rewriteTail(bytes.value, rewrite))
    const relationshipId = freeId(usedIds)
    usedIds.add(relationshipId)
    added.push({ sheet, part, sheetId: ++sheetId, relationshipId })
  }
  return ok(added)
}

function freeId(used: ReadonlySet<string>): string {
  let next = used.size + 1
  while (used.has(`rId${next}`)) next++
  return `rId${next}`
}

/** A part that the package lacks. */
interface NewPart {
  readonly part: string
  readonly relationshipId: string
  /** The end of its relationship's type, and of its content type. */
  readonly kind: 'worksheet' | 'styles' | 'sheetMetadata'
}

function toPart({ part, relationshipId }: NewSheet): NewPart {
  return { part, relationshipId, kind: 'worksheet' }
}

/** The styles added by edits, in the workbook's own part or in a new one. */
function addStyles(
  book: Book,
  edits: Map<string, Uint8Array | null>,
  sheets: readonly NewSheet[],
): NewPart[] {
  const bytes = stylesContent(book.part.styles())
  if (!bytes) return []
  const own = book.part.package
  const target = book.part.relationships.find(({ kind }) => kind === 'styles')?.target
  if (target) {
    edits.set(own.spellingOf(target), bytes)
    return []
  }
  const folder = book.part.name.slice(0, book.part.name.lastIndexOf('/') + 1)
  const part = freePart(book, `${folder}styles`)
  edits.set(part, bytes)
  return [{ part, relationshipId: freeId(usedIds(book, sheets)), kind: 'styles' }]
}

function freePart(book: Book, start: string): string {
  let part = `${start}.xml`
  for (let number = 1; book.part.package.has(part); number++) part = `${start}${number}.xml`
  return part
}

function usedIds(book: Book, added: readonly { relationshipId: string }[]): Set<string> {
  const ids = book.part.relationships.map(({ id }) => id)
  return new Set([...ids, ...added.map(({ relationshipId }) => relationshipId)])
}

/** A sheet without rows has no formula to rewrite. */
function hasRows(sheet: Sheet): boolean {
  const xml = sheet.xml()
  return xml.ok && xml.value.rows.count > 0
}

type SheetResults = NonNullable<SpliceOptions['results']>

function resultsOn(computed: FormulaResults, { id }: Sheet): SheetResults {
  return {
    valueAt: key => computed.valueAt(id, key),
    isSameAt: key => computed.isSameAt(id, key),
  }
}

/** Whether a formula is left that has to be computed when the file is opened. */
function lacksResults(
  sheet: Sheet,
  stale: ReadonlySet<number>,
  { valueAt }: SheetResults,
): boolean {
  const lacks = (key: number) => valueAt(key) === undefined
  for (const key of stale) if (lacks(key)) return true
  for (const [key, { formula }] of sheet.cells) if (formula && lacks(key)) return true
  if (sheet.source.from !== 'bytes') return false
  for (const key of formulaKeys(sheet)) if (lacks(key)) return true
  return false
}

/** The formulas of a sheet that an operation made: none has a result yet. */
function formulaKeys(sheet: Sheet): ReadonlySet<number> {
  const keys = new Set<number>()
  const xml = sheet.xml()
  if (xml.ok)
    scanFormulas(xml.value, ({ row, column }) => {
      const key = cellKey(row, column)
      if (!sheet.cells.has(key)) keys.add(key)
    })
  return keys
}

/** References outside the cells, in any part of the workbook that mentions the old name. */
function rewriteOthers(book: Book, edits: Map<string, Uint8Array | null>): void {
  const own = book.part.package
  const sheets = new Map(
    book.sheets.map(sheet => [sheet.source.from === 'part' ? sheet.source.part : '', sheet]),
  )
  const reached = reach(book, [book.part.name], new Set())
  for (const name of own.names) {
    const rewrite = (formula: string) => book.rewriteFormula(formula, undefined, { part: name })
    const links = /\.rels$/i.test(name) ? rewriteLinks(own, name, rewrite) : undefined
    if (links) edits.set(name, fromUtf8(links.bytes, links.encoding))
    if (
      !/\.(xml|vml)$/i.test(name) ||
      name === book.part.name ||
      /sharedStrings|styles|theme|calcChain/i.test(name)
    )
      continue
    // Some writers keep pivots and charts outside the folder; anything else there is data of other programs.
    const isOffice = reached.has(name) && own.contentTypes.typeOf(name) !== 'application/xml'
    if (!name.startsWith('xl/') && !isOffice) continue
    const bytes = edits.get(name) ?? partOf(book, name)
    if (!bytes || !mentions(book, bytes)) continue
    const decoded = toUtf8(bytes)
    const sheet = sheets.get(name)
    const xml = sheet?.xml()
    const after =
      decoded &&
      (rewritePart(decoded.utf8, rewrite, xml?.ok ? { cellPrefix: xml.value.prefix } : {}) ??
        (/\.vml$/i.test(name) ? rewriteOldDrawing(decoded.utf8, rewrite) : undefined))
    if (decoded && after) edits.set(name, fromUtf8(after, decoded.encoding))
  }
}

function partOf(book: Book, name: string): Uint8Array | undefined {
  const part = book.part.package.part(name)
  return part.ok ? part.value : undefined
}

function mentions(book: Book, bytes: Uint8Array): boolean {
  const text = bufferOf(bytes).toString('utf8').toLowerCase()
  return book.rewrites.some(
    own => text.includes(own.mentions) || text.includes(encodeAttribute(own.mentions)),
  )
}

/** Parts used only by a deleted sheet are removed with it. */
function dropSheets(
  book: Book,
  edits: Map<string, Uint8Array | null>,
): { relationshipIds: string[] } {
  const kept = new Set(book.sheets.map(sheet => sheet.id))
  const gone = book.part.sheets.filter((_, id) => !kept.has(id))
  if (gone.length === 0) return { relationshipIds: [] }
  const own = book.part.package
  const roots = ['', book.part.name]
  const goneParts = new Set(gone.map(entry => entry.part).filter(part => part !== ''))
  const reachable = reach(book, roots, goneParts)
  for (const part of reach(book, [...goneParts], new Set())) {
    if (reachable.has(part)) continue
    edits.set(part, null)
    const rels = own.spellingOf(relationshipsName(part))
    if (own.has(rels)) edits.set(rels, null)
  }
  return { relationshipIds: gone.map(entry => entry.relationshipId) }
}

function reach(book: Book, from: readonly string[], without: ReadonlySet<string>): Set<string> {
  const own = book.part.package
  const found = new Set<string>(from.filter(name => name !== ''))
  const queue = [...from]
  for (let index = 0; index < queue.length; index++)
    for (const { target, isExternal } of own.relationships(queue[index]!)) {
      if (isExternal || !own.has(target)) continue
      const name = own.spellingOf(target)
      if (found.has(name) || without.has(name)) continue
      found.add(name)
      queue.push(name)
    }
  return found
}

function dropFromChain(
  book: Book,
  edits: Map<string, Uint8Array | null>,
): { relationshipIds: string[] } {
  const relationship = book.part.relationships.find(({ kind }) => kind === 'calcChain')
  const name = relationship && book.part.package.spellingOf(relationship.target)
  const bytes = name && book.part.package.has(name) ? partOf(book, name) : undefined
  if (!relationship || !name || !bytes) return { relationshipIds: [] }
  const byId = new Map(
    book.part.sheets.map((entry, id) => [
      entry.sheetId,
      book.sheets.find(sheet => sheet.id === id),
    ]),
  )
  const chain = calcChainContent(bytes, (sheetId, key) => {
    if (!byId.has(sheetId)) return key
    const sheet = byId.get(sheetId)
    const edit = sheet?.cells.get(key)
    return !sheet || (edit && !edit.formula) ? undefined : key
  })
  const isUntouched = edits.size === 0 && !book.part.package.isEdited
  if (chain === 'unchanged' || isUntouched) return { relationshipIds: [] }
  edits.set(name, chain === 'empty' ? null : chain)
  return { relationshipIds: chain === 'empty' ? [relationship.id] : [] }
}

function spliceRelationships(
  book: Book,
  edits: Map<string, Uint8Array | null>,
  added: readonly NewPart[],
  goneIds: readonly string[],
): void {
  if (added.length === 0 && goneIds.length === 0) return
  const own = book.part.package
  const name = own.spellingOf(relationshipsName(book.part.name))
  const document = own.xml(name)
  if (!document.ok) return
  const { root } = document.value
  const splices = new Splices()
  for (const element of children(root, 'Relationship'))
    if (goneIds.includes(attribute(element, 'Id') ?? '')) splices.remove(element.start, element.end)
  const folder = book.part.name.slice(0, book.part.name.lastIndexOf('/') + 1)
  const types = relationshipNamespace(book.part.isStrict)
  const texts = added.map(
    ({ relationshipId, part, kind }) =>
      `<${prefixOf(root)}Relationship Id="${relationshipId}" Type="${types}/${kind}" Target="${part.slice(folder.length)}"/>`,
  )
  splices.insert(root.closeStart, texts.join(''))
  edits.set(name, fromUtf8(splices.apply(document.value.bytes), document.value.encoding))
}

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function spliceContentTypes(
  book: Book,
  edits: Map<string, Uint8Array | null>,
  added: readonly NewPart[],
): void {
  const gone = new Set(
    [...edits].filter(([, bytes]) => bytes === null).map(([name]) => `/${name}`.toLowerCase()),
  )
  if (added.length === 0 && gone.size === 0) return
  const { document, encoding } = book.part.package.contentTypes
  const { root } = document
  const splices = new Splices()
  for (const element of children(root, 'Override'))
    if (gone.has((attribute(element, 'PartName') ?? '').toLowerCase()))
      splices.remove(element.start, element.end)
  for (const { part, kind } of added)
    splices.insert(
      root.closeStart,
      `<${prefixOf(root)}Override PartName="/${part}" ContentType="${SPREADSHEET}.${kind}+xml"/>`,
    )
  if (splices.size > 0)
    edits.set(
      book.part.package.spellingOf(CONTENT_TYPES_NAME),
      fromUtf8(splices.apply(document.bytes), encoding),
    )
}

/** A part that an edit leaves unchanged keeps its packed bytes. */
function forgetUnchanged(book: Book, edits: Map<string, Uint8Array | null>): void {
  for (const [name, bytes] of edits) {
    if (!bytes || !book.part.package.has(name) || book.part.package.sizeOf(name) !== bytes.length)
      continue
    const before = partOf(book, name)
    if (before && Buffer.compare(before, bytes) === 0) edits.delete(name)
  }
}
