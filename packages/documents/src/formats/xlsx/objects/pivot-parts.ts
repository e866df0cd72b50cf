import type { Box } from '@filewright/protocol'
import { type LiveNode, type LiveTree, removeWithOwn } from '../../../opc/index.ts'
import { Refusal } from '../../../refusal.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { parseBox, placeOf, refName } from '../cell/address.ts'
import type { LiveBook } from './live-book.ts'
import { bodyXml, cacheFieldsXml, cacheXml, type PivotPlan, pivotXml } from './pivot-xml.ts'
import { dropIfEmpty, ensureInWorkbook } from './workbook-elements.ts'

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A pivot table that is there. */
export interface FoundPivot {
  readonly name: string
  readonly sheet: Sheet
  readonly part: string
  readonly tree: LiveTree
  readonly cachePart: string
  readonly cache: LiveTree
  /** Without its filters. */
  readonly location: Box
  /** The cells of its filters and of itself. */
  readonly area: Box
}

export function pivotsIn(live: LiveBook, book: Book): FoundPivot[] {
  return book.sheets.flatMap(sheet => {
    if (sheet.source.from !== 'part' || sheet.source.part === '') return []
    return live.package.links(sheet.source.part).flatMap(({ kind, target }) => {
      const tree = kind === 'pivotTable' ? live.package.findTree(target) : undefined
      const link = live.package.links(target).find(own => own.kind === 'pivotCacheDefinition')
      const cache = live.package.findTree(link?.target)
      const at = tree?.root.child('x:location')
      const location = parseBox(tree?.attribute(at, 'ref') ?? '')
      if (!tree || !cache || !link || !location) return []
      const pages = Number(tree.attribute(at, 'rowPageCount') ?? 0)
      const area =
        pages > 0 ? { ...location, top: Math.max(1, location.top - pages - 1) } : location
      const name = tree.attribute(tree.root, 'name') ?? ''
      return [{ name, sheet, part: target, tree, cachePart: link.target, cache, location, area }]
    })
  })
}

/** Where the values come from, in words that `source` takes. */
export function sourceOf({ cache }: Pick<FoundPivot, 'cache'>): string | undefined {
  const source = cache.root.child('x:cacheSource')?.child('x:worksheetSource')
  if (!source) return undefined
  const name = cache.attribute(source, 'name')
  const ref = cache.attribute(source, 'ref')
  return name ?? (ref ? placeOf(cache.attribute(source, 'sheet') ?? '', ref) : undefined)
}

/** Why it cannot be drawn anew without a loss; undefined: it can. */
export function whyKept({ tree, cache }: FoundPivot): string | undefined {
  const groups = [...cache.root.all('x:fieldGroup')].length > 0
  const computed = [...cache.root.all('x:cacheField')].some(
    own => cache.attribute(own, 'databaseField') === '0' || cache.attribute(own, 'formula'),
  )
  if (!cache.root.child('x:cacheSource')?.child('x:worksheetSource'))
    return 'its source is outside the workbook'
  if (groups || computed || cache.root.child('x:calculatedItems'))
    return 'it has groups or fields of its own'
  if (tree.root.child('x:filters') || tree.root.child('x:pivotHierarchies'))
    return 'it has filters of its own'
  return undefined
}

export function addPivotParts(live: LiveBook, sheet: Sheet, plan: PivotPlan): void {
  const { isStrict, mainName } = live.package
  const cache = live.package.freeName(`${live.folder}pivotCache/pivotCacheDefinition`, '.xml')
  live.package.addPart(cache, `${SPREADSHEET}.pivotCacheDefinition+xml`, cacheXml(plan, isStrict))
  const id = live.package.addLink(mainName, 'pivotCacheDefinition', cache)
  const { workbook } = live
  const list = ensureInWorkbook(live, 'pivotCaches')
  const used = list.children.map(own => Number(workbook.attribute(own, 'cacheId')) || 0)
  const cacheId = Math.max(0, ...used) + 1
  workbook.append(list, workbook.fragment(`<x:pivotCache cacheId="${cacheId}" r:id="${id}"/>`))
  const part = live.package.freeName(`${live.folder}pivotTables/pivotTable`, '.xml')
  live.package.addPart(part, `${SPREADSHEET}.pivotTable+xml`, pivotXml(plan, cacheId, isStrict))
  live.package.addLink(part, 'pivotCacheDefinition', cache)
  live.package.addLink(live.sheet(sheet).part, 'pivotTable', part)
}

const BODY = new Set(
  'location pivotFields rowFields rowItems colFields colItems pageFields dataFields formats conditionalFormats chartFormats'
    .split(' ')
    .map(local => `x:${local}`),
)

/** Another plan for a pivot table; its style stays, and its records are read again. */
export function redrawPivot(live: LiveBook, found: FoundPivot, plan: PivotPlan): void {
  const { tree, cache, cachePart } = found
  const { root } = tree
  const kept = root.children.filter(({ name }) => !BODY.has(name))
  tree.setChildren(root, [...tree.fragment(bodyXml(plan, 'x:')), ...kept])
  tree.setAttribute(root, 'name', plan.name)
  for (const name of ['compact', 'compactData']) tree.setAttribute(root, name, '0')
  for (const name of ['dataOnRows', 'dataPosition', 'rowHeaderCaption', 'colHeaderCaption'])
    tree.setAttribute(root, name, undefined)
  const source = cache.root.child('x:cacheSource')!.child('x:worksheetSource')!
  const from = plan.source
  cache.setAttribute(source, 'name', 'name' in from ? from.name : undefined)
  cache.setAttribute(source, 'ref', 'name' in from ? undefined : refName(from.box))
  cache.setAttribute(source, 'sheet', 'name' in from ? undefined : from.sheet)
  const fields = cache.root.child('x:cacheFields')
  const [made] = cache.fragment(cacheFieldsXml(plan, 'x:'))
  if (fields) replaceNode(cache, fields, made!)
  for (const [name, value] of [
    ['refreshOnLoad', '1'],
    ['saveData', '0'],
    ['recordCount', undefined],
    ['r:id', undefined],
  ] as const)
    cache.setAttribute(cache.root, name, value)
  const records = live.package.links(cachePart).find(({ kind }) => kind === 'pivotCacheRecords')
  if (!records) return
  live.package.removeLink(cachePart, records.id)
  live.package.removePart(records.target)
}

function replaceNode(tree: LiveTree, known: LiveNode, made: LiveNode): void {
  tree.after(known, [made])
  tree.remove(known)
}

/** Whether another pivot table shows the same cache. */
export function isShared(live: LiveBook, book: Book, { part, cachePart }: FoundPivot): boolean {
  return pivotsIn(live, book).some(own => own.part !== part && own.cachePart === cachePart)
}

export function removePivotParts(live: LiveBook, book: Book, found: FoundPivot): void {
  const { part, cachePart, sheet } = found
  const isKept = isShared(live, book, found)
  const own = live.sheet(sheet).part
  const link = live.package.links(own).find(({ target }) => target === part)
  if (!link) throw new Refusal('UNREADABLE_FORMAT', `the sheet does not name ${found.name}`)
  live.package.removeLink(own, link.id)
  live.package.removePart(part)
  if (isKept) return
  const { workbook } = live
  const toCache = live.package
    .links(live.package.mainName)
    .find(({ target }) => target === cachePart)
  const list = workbook.root.child('x:pivotCaches')
  const entry = list?.children.find(node => workbook.attribute(node, 'r:id') === toCache?.id)
  if (entry) workbook.remove(entry)
  dropIfEmpty(live, list)
  if (toCache) live.package.removeLink(live.package.mainName, toCache.id)
  removeWithOwn(live.package, cachePart)
}
