import type { Box, Operation } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import { boxName, columnName, parseBox, splitRanges, splitSheet } from '../cell/address.ts'
import { type ListedObject, objectsOfBook, objectsOnSheet } from '../objects/list-objects.ts'
import type { Carrier, Task } from './carry.ts'
import { refuseAll } from './carry-cells.ts'
import { type FramedSheet, rowIn, staysIn } from './frame.ts'
import { describeLostRow, doubtOfBox, mapBox } from './prove.ts'

const KINDS: readonly (readonly [RegExp, ListedObject['kind'] | 'name'])[] = [
  [/table$/, 'table'],
  [/name$/, 'name'],
  [/validation$/, 'validation'],
  [/comment$/, 'comment'],
  [/hyperlink$/, 'link'],
  [/(?:chart|image)$/, 'drawing'],
  [/pivot$/, 'pivot'],
  [/protect$/, 'protection'],
  [/properties$/, 'property'],
]

function kindOf(op: string): ListedObject['kind'] | 'name' | undefined {
  return KINDS.find(([pattern]) => pattern.test(op))?.[1]
}

/** As it is, or with its cells where they are now: where the other side left objects of its kind alone. */
export const carryObject: Carrier = task => {
  const { operation } = task.logged
  const { places } = task.origin
  const kind = kindOf(operation.op)!
  if (operation.sheet !== undefined && !task.on)
    return refuseAll(task, `the sheet ${JSON.stringify(operation.sheet)} is gone or renamed`)
  if (signatureOf(places.old, kind) !== signatureOf(places.now, kind))
    return refuseAll(task, `${PLURALS[kind]} of the workbook were changed`)
  const framed = task.on?.sheet
  const moved = framed ? movedFields(framed, operation) : {}
  if (typeof moved === 'string') return refuseAll(task, moved)
  const doubt = (framed && doubtOfHeader(task, framed)) ?? doubtOfOthers(task)
  if (doubt) return refuseAll(task, doubt)
  const name = framed?.target.name
  const isRenamed = name !== undefined && name !== task.on?.name
  if (Object.keys(moved).length === 0 && !isRenamed)
    return {
      operations: [operation],
      expected: new Map(task.changes.map(change => [change.id, change])),
      conflicts: [],
    }
  return {
    operations: [{ ...operation, ...(isRenamed && { sheet: name }), ...moved }],
    conflicts: [],
  }
}

const PLURALS: Readonly<Record<ListedObject['kind'] | 'name', string>> = {
  table: 'tables',
  name: 'names',
  validation: 'validations',
  comment: 'comments',
  link: 'links',
  drawing: 'charts or pictures',
  pivot: 'pivot tables',
  protection: 'protections',
  property: 'properties',
}

/** Objects of one kind in words; equal words mean that nobody touched them. */
function signatureOf(book: Book, kind: ListedObject['kind'] | 'name'): string {
  if (kind === 'name')
    return JSON.stringify(
      book.definedNames.map(({ name, text, localSheet }) => [name, text, localSheet]),
    )
  const all = [...book.sheets.flatMap(sheet => objectsOnSheet(book, sheet)), ...objectsOfBook(book)]
  return JSON.stringify(
    all.filter(own => own.kind === kind).map(({ place, text }) => [place, text]),
  )
}

/** `range` and `cell` where they are now; a text says what is not proven. */
function movedFields(framed: FramedSheet, operation: Operation): Partial<Operation> | string {
  const moved: Record<string, string> = {}
  for (const name of ['range', 'cell'] as const) {
    const text = operation[name]
    if (typeof text !== 'string') continue
    const parts = splitRanges(text).map(part => {
      const box = parseBox(splitSheet(part).address)
      return box ? placeNow(framed, box) : `${JSON.stringify(part)} is no range`
    })
    const doubt = parts.find(part => typeof part === 'string')
    if (typeof doubt === 'string') return doubt
    const after = (parts as Box[]).map(boxName).join(',')
    const before = splitRanges(text)
      .map(part => boxName(parseBox(splitSheet(part).address)!))
      .join(',')
    if (after !== before) moved[name] = after
  }
  return moved
}

/** One row is where it is, whatever happened to the order of the others. */
function placeNow(framed: FramedSheet, box: Box): Box | string {
  if (box.top !== box.bottom || !framed.pair) return mapBox(framed, box)
  const row = rowIn(framed, box.top)
  if (row === undefined) return describeLostRow(framed.pair, box.top)
  const lost = [box.left, box.right].find(column => !staysIn(framed, column))
  if (lost !== undefined) return `column ${columnName(lost)} may have moved`
  return { ...box, top: row, bottom: row }
}

/** The headers of a new table are as they were. */
function doubtOfHeader({ logged, origin }: Task, framed: FramedSheet): string | undefined {
  const { op, range } = logged.operation
  const box =
    op === 'add_table' && typeof range === 'string'
      ? parseBox(splitSheet(range).address)
      : undefined
  return box && doubtOfBox(origin, framed, { ...box, bottom: box.top })
}

const REFERRING = [
  'source',
  'series',
  'categories',
  'refers_to',
  'formula',
  'location',
  'list',
  'value',
  'min',
  'max',
]

/** What it names by place besides is still there: no row or column of the workbook moved. */
function doubtOfOthers({ logged, origin, frame }: Task): string | undefined {
  if (
    !REFERRING.some(
      name =>
        typeof logged.operation[name] === 'object' || typeof logged.operation[name] === 'string',
    )
  )
    return undefined
  for (const pair of origin.places.pairs.values()) {
    const framed = frame.find(pair.oldSheet)
    if (!framed) return `the sheet ${JSON.stringify(pair.oldSheet.name)} is gone or renamed`
    for (const row of pair.old.rows.keys())
      if (rowIn({ ...framed, pair }, row) !== row)
        return `rows of ${JSON.stringify(pair.oldSheet.name)} were inserted, moved or deleted`
    if (pair.oldSheet.name !== pair.nowSheet.name)
      return `the sheet ${JSON.stringify(pair.oldSheet.name)} was renamed`
    if (!staysIn({ ...framed, pair }, 1))
      return `columns of ${JSON.stringify(pair.oldSheet.name)} may have moved`
  }
  return undefined
}
