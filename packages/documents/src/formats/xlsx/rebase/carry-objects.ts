import { isDeepStrictEqual } from 'node:util'
import type { Box, Operation } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import { boxName, parseBox, splitRanges, splitSheet } from '../cell/address.ts'
import { findDrawing } from '../objects/drawing.ts'
import { type ListedObject, objectsOfBook, objectsOnSheet } from '../objects/list-objects.ts'
import { LiveBook } from '../objects/live-book.ts'
import { pivotsIn } from '../objects/pivot-parts.ts'
import type { Carrier, Task } from './carry.ts'
import { refuseAll } from './carry-cells.ts'
import { carryReferences } from './carry-references.ts'
import { boxesOf } from './doubt-of-looks.ts'
import { type FramedSheet, rowIn } from './frame.ts'
import { type Doubt, describeLostRow, doubtOfBox, doubtOfColumn, mapBox } from './prove.ts'

type ObjectKind = ListedObject['kind'] | 'name'

/** As it is, or with its cells where they are now: where the other side left objects of its kind alone. */
export function onObject(kind: ObjectKind, doubtOf: ObjectDoubt = () => undefined): Carrier {
  return task => {
    const { operation } = task.logged
    const { places } = task.origin
    if (operation.sheet !== undefined && !task.on)
      return refuseAll(task, `the sheet ${JSON.stringify(operation.sheet)} is gone or renamed`)
    if (signatureOf(places.old, kind) !== signatureOf(places.now, kind))
      return refuseAll(task, `${PLURALS[kind]} of the workbook were changed`)
    const framed = task.on?.sheet
    const moved = framed ? movedFields(framed, operation) : {}
    if (typeof moved === 'string') return refuseAll(task, moved)
    const doubt = doubtOf(task)
    if (doubt) return refuseAll(task, doubt)
    const carried = carryReferences(task)
    if (typeof carried === 'string') return refuseAll(task, carried)
    const name = framed?.target.name
    const isRenamed = name !== undefined && name !== task.on?.name
    const there = { ...carried, ...(isRenamed && { sheet: name }), ...moved }
    if (!isDeepStrictEqual(there, operation)) return { operations: [there], conflicts: [] }
    const expected = new Map(task.changes.map(change => [change.id, change]))
    return { operations: [operation], expected, conflicts: [] }
  }
}

type ObjectDoubt = (task: Task) => Doubt

const PLURALS: Readonly<Record<ObjectKind, string>> = {
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
function signatureOf(book: Book, kind: ObjectKind): string {
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
  const doubt = doubtOfColumn(framed, box.left) ?? doubtOfColumn(framed, box.right)
  return doubt ?? { ...box, top: row, bottom: row }
}

/** The headers of a new table are as they were. */
export const doubtOfHeader: ObjectDoubt = ({ logged, origin, on }) => {
  const [box] = boxesOf(logged.operation)
  return box && on && doubtOfBox(origin, on.sheet, { ...box, bottom: box.top })
}

/** A text that a link shows is written into its cells. */
export const doubtOfShownText: ObjectDoubt = ({ logged, origin, on }) => {
  const { range, cell } = logged.operation
  for (const box of boxesOf({ op: '', range: range ?? cell })) {
    const doubt = on && doubtOfBox(origin, on.sheet, box)
    if (doubt) return doubt
  }
  return undefined
}

/** The cells of a pivot table, which go or are written anew, are as they were. */
export const doubtOfPivotCells: ObjectDoubt = ({ logged, origin }) => {
  const { old } = origin.places
  const name = String(logged.operation.pivot).toLowerCase()
  for (const own of pivotsIn(new LiveBook(old), old)) {
    if (own.name.toLowerCase() !== name) continue
    const framed = origin.find(own.sheet)
    if (!framed) return `the sheet ${JSON.stringify(own.sheet.name)} is gone or renamed`
    return doubtOfBox(origin, framed, own.location)
  }
  return undefined
}

/** A chart or picture that goes or is written anew is byte for byte what it was. */
export const doubtOfDrawn: ObjectDoubt = ({ origin: { places } }) =>
  drawnBytes(places.old) === drawnBytes(places.now)
    ? undefined
    : 'charts or pictures of the workbook were changed'

function drawnBytes(book: Book): string {
  const live = new LiveBook(book)
  const hashes = book.sheets.flatMap(sheet => {
    if (sheet.source.from !== 'part' || sheet.source.part === '') return []
    const drawing = findDrawing(live, live.sheet(sheet))
    return (drawing?.objects ?? []).map(({ part }) => {
      const bytes = part === undefined ? undefined : book.part.package.part(part)
      return bytes?.ok ? Buffer.from(bytes.value).toString('base64') : ''
    })
  })
  return hashes.sort().join(' ')
}
