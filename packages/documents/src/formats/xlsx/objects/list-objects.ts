import { readChart } from '../../../charts/read-chart.ts'
import { attribute } from '../../../opc/index.ts'
import { type Book, treeOf } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { isTrue } from '../book/workbook-part.ts'
import { boxName, placeOf } from '../cell/address.ts'
import { commentsOf, tablesOf } from '../parts/sheet-parts.ts'
import { boxesText } from './box-lists.ts'
import { findDrawing } from './drawing.ts'
import { describeLink, linksOf } from './links.ts'
import { LiveBook } from './live-book.ts'
import { pivotsIn, sourceOf } from './pivot-parts.ts'
import { PROPERTIES, readProperty } from './properties.ts'
import { describeValidation, validationsOf } from './validations.ts'

/** An object of a workbook in words: two states of a workbook are compared by them. */
export interface ListedObject {
  readonly kind:
    | 'table'
    | 'validation'
    | 'comment'
    | 'link'
    | 'drawing'
    | 'pivot'
    | 'protection'
    | 'property'
  readonly place: string
  readonly text: string
}

/** Everything on a sheet besides its cells and their looks. The book has no edits that its package lacks. */
export function objectsOnSheet(book: Book, sheet: Sheet): readonly ListedObject[] {
  if (sheet.kind !== 'worksheet' || sheet.source.from !== 'part' || sheet.source.part === '')
    return []
  const xml = sheet.xml()
  if (!xml.ok || sheet.findProblem() !== undefined) return []
  const live = new LiveBook(book)
  const frame = live.sheet(sheet)
  const at = (address: string) => placeOf(sheet.name, address)
  const isProtected = isTrue(attribute(treeOf(xml.value, 'sheetProtection'), 'sheet'))
  return [
    ...tablesOf(book.part, sheet).map(own => ({
      kind: 'table' as const,
      place: `table ${own.name}`,
      text: `${own.name} at ${at(own.ref)} (${own.columns.join(', ')})${own.hasTotals ? ', with totals' : ''}`,
    })),
    ...validationsOf(frame).map(own => ({
      kind: 'validation' as const,
      place: `${at(boxesText(own.boxes))} validation`,
      text: describeValidation(own),
    })),
    ...commentsOf(book.part, sheet).map(own => ({
      kind: 'comment' as const,
      place: `${at(own.cell)} comment`,
      text: own.text,
    })),
    ...linksOf(live, frame).map(own => ({
      kind: 'link' as const,
      place: `${at(boxName(own.box))} link`,
      text: describeLink(own),
    })),
    ...drawnOn(live, sheet),
    ...(isProtected
      ? [
          {
            kind: 'protection' as const,
            place: `sheet ${sheet.name} protection`,
            text: 'protected',
          },
        ]
      : []),
  ]
}

function drawnOn(live: LiveBook, sheet: Sheet): readonly ListedObject[] {
  const drawing = findDrawing(live, live.sheet(sheet))
  return (drawing?.objects ?? []).flatMap(own => {
    if (own.kind === 'shape') return []
    const tree = own.kind === 'chart' ? live.package.findTree(own.part) : undefined
    const chart = tree && readChart(tree)
    const shown = chart
      ? [
          chart.type,
          chart.title,
          ...chart.series.map(each => Object.values(each.formulas).join(' ')),
        ]
      : [own.part ?? '', own.alt]
    const text = `${own.name}${own.cell ? ` at ${own.cell}` : ''}: ${shown.filter(word => word !== '').join('; ')}`
    return [{ kind: 'drawing', place: `${placeOf(sheet.name, own.name)} ${own.kind}`, text }]
  })
}

/** What belongs to the workbook and to no cells of a sheet. */
export function objectsOfBook(book: Book): readonly ListedObject[] {
  const live = new LiveBook(book)
  return [
    ...pivotsIn(live, book).map(own => ({
      kind: 'pivot' as const,
      place: `pivot table ${own.name}`,
      text: `${own.name} at ${placeOf(own.sheet.name, boxName(own.location))} of ${sourceOf(own) ?? 'another source'}: ${fieldsOf(own.tree)}`,
    })),
    ...(book.part.isStructureProtected
      ? [{ kind: 'protection' as const, place: 'workbook structure', text: 'protected' }]
      : []),
    ...Object.keys(PROPERTIES).flatMap(name => {
      const text = readProperty(live, name)
      return text === undefined
        ? []
        : [{ kind: 'property' as const, place: `property ${name}`, text }]
    }),
  ]
}

function fieldsOf(tree: ReturnType<typeof pivotsIn>[number]['tree']): string {
  const values = (tree.root.child('x:dataFields')?.children ?? []).flatMap(
    own => tree.attribute(own, 'name') ?? [],
  )
  const list = (local: string, name: string) =>
    (tree.root.child(`x:${local}`)?.children ?? []).flatMap(own => tree.attribute(own, name) ?? [])
  return [
    values.join(', '),
    `rows ${list('rowFields', 'x').join(' ')}`,
    `columns ${list('colFields', 'x').join(' ')}`,
    `filters ${list('pageFields', 'fld').join(' ')}`,
  ].join('; ')
}
