import type { Change, ChangeId, Operation } from '@filewright/protocol'
import { cellKey, cellName, parseBox, parseCell, placeOf, splitSheet } from '../cell/address.ts'
import { mapWritten, writtenValues } from '../formula/written-values.ts'
import { sideOf } from '../operations/editor.ts'
import { type Carried, type Carrier, idAt, type Task } from './carry.ts'
import { toConflict, type WorkbookConflict } from './conflict.ts'
import { doubtOfMatches } from './doubt-of-matches.ts'
import type { FramedSheet } from './frame.ts'
import { doubtOfBox, findCell, hasSameFormat, isUntouched } from './prove.ts'
import { cellAt } from './sheet-content.ts'

/** A cell that the draft wrote, and where it is now. */
interface Target {
  readonly change: Change
  readonly framed: FramedSheet
  readonly row: number
  readonly column: number
  readonly to: number
  /** The other side made the same change. */
  readonly isDone?: boolean
}

/** `set_cells` and `set_range`: every value goes where its cell is now. */
export const carryValues: Carrier = task => {
  const { operation } = task.logged
  const values = writtenValues(operation)
  return carryEach(task, (target, conflicts) => {
    const given = values.get(cellKey(target.row, target.column))
    if (given === undefined) return { isSame: true, value: UNKNOWN }
    const mapped = mapValue(task, target, given.value)
    if (mapped === undefined) {
      const reason = 'its formula refers to cells that may have moved'
      conflicts.push(toConflict(target.change, reason))
    }
    return { isSame: mapped === given.value, value: mapped }
  })
}

/** `clear_range`: nothing came into the range, and what was in it is cleared where it is now. */
export const carryCleared: Carrier = task => {
  const { operation } = task.logged
  const box = parseBox(splitSheet(String(operation.range)).address)
  const framed = task.frame.named(String(operation.sheet))
  const doubt = box && framed && doubtOfBox(task.origin, framed, box)
  const isForced = task.changes.some(task.isForced)
  if (doubt && !isForced) return refuseAll(task, doubt)
  return carryEach(task, () => ({ isSame: true, value: null }))
}

/** `find_replace`: at the cells it was shown to change. */
export const carryReplaced: Carrier = task => {
  const { operation } = task.logged
  const doubt = task.changes.some(task.isForced) ? undefined : doubtOfMatches(task)
  if (doubt) return refuseAll(task, doubt)
  return carryEach(
    task,
    () => ({ isSame: true, value: UNKNOWN }),
    ({ framed, to, column }) => ({
      ...operation,
      sheet: framed.target.name,
      range: cellName(to, column),
    }),
  )
}

export function refuseAll({ changes }: Task, reason: string): Carried {
  const conflicts = changes.map(change => toConflict(change, reason))
  return { operations: [], expected: new Map(), conflicts }
}

/** The value is not in the operation: it was written into the first of merged cells. */
const UNKNOWN = Symbol('unknown')

type Valued = (
  target: Target,
  conflicts: WorkbookConflict[],
) => { readonly isSame: boolean; readonly value: unknown }

function carryEach(task: Task, valued: Valued, alone?: (target: Target) => Operation): Carried {
  const conflicts: WorkbookConflict[] = []
  const expected = new Map<ChangeId, Change>()
  const cells = new Map<FramedSheet, { cell: string; value: unknown }[]>()
  const targets: Target[] = []
  let isPlain = task.isWhole
  for (const change of task.changes) {
    const target = findTarget(task, change)
    if ('reason' in target) {
      conflicts.push(target)
      continue
    }
    if (target.isDone) continue
    const { isSame, value } = valued(target, conflicts)
    const { framed, to, row, column } = target
    const isMoved = to !== row || framed.target.name !== framed.draft.name
    isPlain &&= isSame && !isMoved
    if (value === UNKNOWN && !alone && !isPlain)
      conflicts.push(
        toConflict(change, 'it was written into merged cells, and not all of it is kept'),
      )
    targets.push(target)
    expected.set(idAt(task.logged, placeOf(framed.target.name, cellName(to, column))), change)
    const list = cells.get(framed) ?? []
    list.push({ cell: cellName(to, column), value })
    cells.set(framed, list)
  }
  if (conflicts.length > 0) return { operations: [], expected: new Map(), conflicts }
  const { operation } = task.logged
  const operations = isPlain
    ? [operation]
    : alone
      ? targets.map(alone)
      : [...cells].map(([framed, list]) => toSetCells(operation, framed, list))
  return { operations, expected, conflicts }
}

function toSetCells(
  { formulas }: Operation,
  { target }: FramedSheet,
  cells: readonly { readonly cell: string; readonly value: unknown }[],
): Operation {
  return { op: 'set_cells', sheet: target.name, cells, ...(formulas === true && { formulas }) }
}

/** Where the change goes, or why it cannot. */
function findTarget(task: Task, change: Change): Target | WorkbookConflict {
  const { sheet = '', address } = splitSheet(change.place)
  const { row, column } = parseCell(address)!
  const framed = task.frame.named(sheet)
  if (!framed) return toConflict(change, `the sheet ${JSON.stringify(sheet)} is gone or renamed`)
  const to = findCell(framed, row, column)
  if (typeof to === 'string') return toConflict(change, to)
  const target = { change, framed, row, column, to }
  if (hasAlready(task, target)) return { ...target, isDone: true }
  if (task.isForced(change) || task.isOwn(change.place)) return target
  if (isUntouched(task.origin, framed, target) && keepsDate(task, target)) return target
  return toConflict(change, 'it was changed meanwhile', diskSide(task, framed, to, column))
}

function diskSide({ frame }: Task, { pair }: FramedSheet, row: number, column: number) {
  return pair && sideOf(frame.places.now, cellAt(pair.now, row, column))
}

/** A date takes the format of its cell, or gets one. */
function keepsDate({ logged, frame }: Task, target: Target): boolean {
  const writesDate = JSON.stringify(logged.operation).includes('"date"')
  return !writesDate || hasSameFormat(frame, target.framed, target)
}

/** Both sides made the same change. */
function hasAlready(task: Task, { change, framed, to, column }: Target): boolean {
  if (!framed.pair || task.isOwn(change.place)) return false
  const disk = diskSide(task, framed, to, column) ?? null
  const { after } = change
  if (after?.formula !== undefined || disk?.formula !== undefined)
    return after?.formula === disk?.formula
  return typeof after?.value === typeof disk?.value && after?.value === disk?.value
}

/** A formula reads the cells it meant; any other value is the same everywhere. Undefined: not proven. */
function mapValue(task: Task, target: Target, value: unknown): unknown {
  return mapWritten(task.logged.operation, value, formula =>
    task.frame.mapFormula(formula, target.framed, target.row),
  )
}
