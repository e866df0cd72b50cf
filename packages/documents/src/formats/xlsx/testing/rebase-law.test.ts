import { type Operation, unwrap } from '@filewright/protocol'
import { expect } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { IS_FULL } from '../../../corpus.contract.ts'
import { diffWorkbooks } from '../diff.ts'
import { type ForeignEdit, type LawCase, lawCase } from './rebase-law.contract.ts'
import {
  differences,
  done,
  doneAll,
  expectNothingLost,
  isEqual,
  publishOn,
  undoOn,
} from './rebase-run.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const CASES = IS_FULL ? 2_500 : 100
const FIRST = Number(process.env.FIRST_SEED ?? 1)
verifies(
  'CONTRACT §6 moved workbook rebased',
  `${CASES} drafts of every operation beside a save by our operations: each edit at its place and nothing of the others’ lost, or a conflict`,
  () => {
    const count = { carried: 0, tried: 0 }
    for (let seed = FIRST; seed < FIRST + CASES; seed++) {
      const own = lawCase(seed)
      const sides = sidesOf(own)
      if (!sides) continue
      count.tried++
      const after = publishOn(own.base, logged(own.draft), sides.current, told(own))
      if (!after) continue
      count.carried++
      expectOneOf(expectedOf(own, sides), after, own)
      expectNothingLost(sides.current, after, told(own))
    }
    if (IS_FULL) console.log(`law: ${count.carried} of ${count.tried} carried`)
    expect(count.carried).toBeGreaterThan(count.tried / 10)
  },
  { timeout: 900_000 },
)

verifies(
  'CONTRACT §6 undo follows a moved file',
  `${CASES} of them undone after the other save: what others did stays with its record, or a conflict`,
  () => {
    const count = { undone: 0, tried: 0 }
    for (let seed = FIRST; seed < FIRST + CASES; seed++) {
      const own = lawCase(seed)
      const published = done(own.base, own.draft, 'tc_1')
      const current = published && doneAll(published, own.foreign)
      if (!current || isEqual(own.base, published) || !leavesTraces(published, own.foreign))
        continue
      count.tried++
      const after = undoOn(own.base, published, current, told(own))
      if (!after) continue
      count.undone++
      expectOneOf([undoneOf(own, current)], after, own)
      expectNothingLost(current, after, told(own))
    }
    if (IS_FULL) console.log(`law: ${count.undone} of ${count.tried} undone`)
    expect(count.undone).toBeGreaterThan(count.tried / 10)
  },
  { timeout: 900_000 },
)

interface Sides {
  readonly drafted: Uint8Array
  readonly current: Uint8Array
}

/** Undefined where one of them did nothing that a file shows. */
function sidesOf({ base, draft, foreign }: LawCase): Sides | undefined {
  const drafted = done(base, draft, 'tc_1')
  const current = doneAll(base, foreign)
  if (!drafted || !current || isEqual(base, drafted) || !leavesTraces(base, foreign))
    return undefined
  return { drafted, current }
}

/** An edit that leaves no trace, such as an empty row among empty rows, has no place that could be found. */
function leavesTraces(base: Uint8Array, foreign: readonly ForeignEdit[]): boolean {
  let state = base
  return foreign.every(edit => {
    const next = doneAll(state, [edit])
    const leaves = next !== undefined && !isEqual(state, next)
    state = next ?? state
    return leaves
  })
}

/**
 * Both edits, made one after the other: what stays is written first and follows the other's lines; what moves lines
 * comes last, and where both move lines of a sheet, the order makes no difference.
 */
function expectedOf({ draft, foreign, moved }: LawCase, { drafted, current }: Sides) {
  const isMet = foreign.some(edit => edit.isStructural && edit.sheet === moved?.sheet)
  const last = moved && doneAll(current, [{ operations: draft }], foreign)
  const first = moved && !isMet ? undefined : doneAll(drafted, foreign)
  if (moved && isMet && (!first || !last || !isEqual(first, last))) return []
  return [last, first].filter(bytes => bytes !== undefined)
}

/** What the other person did, without the draft; nothing where nobody can say where that would be. */
function undoneOf(
  { base, draft, foreign, moved }: LawCase,
  current: Uint8Array,
): Uint8Array | undefined {
  if (!moved || onlyRemoves(base, draft)) return doneAll(base, foreign)
  const { sheet, inserted, keeps } = moved
  const own = foreign.filter(edit => edit.isStructural && edit.sheet === sheet)
  const places = foreign.flatMap(edit => edit.places).filter(place => place.sheet === sheet)
  if (own.length === 0 && places.every(keeps)) return doneAll(base, foreign)
  if (!inserted || own.length > 0) return undefined
  const { at, count } = inserted
  if (places.some(({ row }) => row >= at && row < at + count)) return undefined
  const rows = `${at}:${at + count - 1}`
  return done(current, [{ op: 'delete_rows', sheet, rows }], 'tc_undo')
}

/** Nothing took the place of what went: it might as well have been cleared. */
function onlyRemoves(base: Uint8Array, draft: readonly Operation[]): boolean {
  const { changes } = unwrap(diffWorkbooks(base, done(base, draft, 'tc_1')!, NAME))
  return changes.every(({ kind, after }) => kind === 'cell' && after === null)
}

function expectOneOf(
  expected: readonly (Uint8Array | undefined)[],
  after: Uint8Array,
  own: LawCase,
) {
  const left = expected.map(bytes => (bytes ? differences(bytes, after) : ['nothing is right']))
  expect(
    left.some(changes => changes.length === 0),
    `${told(own)} ${JSON.stringify(left)}`,
  ).toBe(true)
}

function told({ seed, draft, foreign }: LawCase): string {
  return `seed ${seed}: ${JSON.stringify(draft)} beside ${JSON.stringify(foreign.flatMap(({ operations }) => operations))}`
}
