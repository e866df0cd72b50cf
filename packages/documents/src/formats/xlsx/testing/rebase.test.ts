import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBytes, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { IS_FULL } from '../../../corpus.contract.ts'
import { diffWorkbooks } from '../diff.ts'
import { xlsxFormat } from '../format.ts'
import { makeCase, type RebaseCase } from './rebase-cases.contract.ts'
import { toWorkbook } from './rebase-model.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const CASES = IS_FULL ? 2_500 : 80
const UNDONE = IS_FULL ? 1_000 : 30
/** The books have equal rows and rows of flags on purpose: beside another change, nothing tells those apart. */
const CARRIED = 0.85
const SAVED = 400 // of them by openpyxl
/** The system's own is tried too: the first on the path may be another, without the packages of the system. */
const PYTHONS = ['python3', '/usr/bin/python3']

verifies(
  'CONTRACT §6 moved workbook rebased',
  `${CASES} drafts on workbooks that somebody else saved: both edits together, or a conflict`,
  () => {
    const cases = casesFrom(1, CASES)
    const saves = cases.map(({ own, seed }) => toWorkbook(own.current, seed % 3 === 0))
    const { disjoint, carried, missed } = judge(cases, saves)
    expect(carried / disjoint, missed.join('\n')).toBeGreaterThanOrEqual(CARRIED)
  },
  { timeout: 900_000 },
)

verifies(
  'CONTRACT §6 undo follows a moved file',
  `${UNDONE} of them undone after the other save: the other edits alone, or a conflict`,
  () => {
    const cases = casesFrom(20_001, UNDONE).filter(({ own }) => own.both)
    const [count, disjoint] = [cases.length, cases.filter(({ own }) => own.isDisjoint).length]
    const undone = cases.filter(judgeUndo)
    const carried = undone.filter(({ own }) => own.isDisjoint).length
    if (IS_FULL)
      console.log(`undo: ${undone.length} of ${count}; ${carried} of ${disjoint} disjoint`)
    expect(carried / disjoint).toBeGreaterThanOrEqual(CARRIED)
  },
  { timeout: 900_000 },
)

test.skipIf(!IS_FULL)(
  `${SAVED} of them saved whole by openpyxl`,
  () => {
    const cases = casesFrom(10_001, SAVED)
    const saves = savedByOpenpyxl(cases.map(({ own }) => toWorkbook(own.current, true)))
    const { disjoint, carried, missed } = judge(cases, saves)
    expect(carried / disjoint, missed.join('\n')).toBeGreaterThanOrEqual(CARRIED)
  },
  900_000,
)

/** It writes margins and an author of its own, and has a font of its own. */
const OF_OPENPYXL = /!print set-up$|^property /

interface Numbered {
  readonly seed: number
  readonly own: RebaseCase
}

function casesFrom(first: number, count: number): Numbered[] {
  return Array.from({ length: count }, (_, index) => ({
    seed: first + index,
    own: makeCase(first + index),
  }))
}

/** Every result is both edits together; counts how many that could not meet were carried over. */
function judge(cases: readonly Numbered[], saves: readonly Uint8Array[]) {
  const count = { disjoint: 0, carried: 0, rebased: 0, missed: [] as string[] }
  for (const [index, { own, seed }] of cases.entries()) {
    const current = saves[index]!
    const result = rebased(own, toWorkbook(own.base, seed % 2 === 0), current)
    if (own.isDisjoint) count.disjoint++
    if (!result.ok) {
      expect(result.failure.code, `seed ${seed}: ${result.failure.message}`).toBe('CONFLICT')
      if (own.isDisjoint) count.missed.push(`seed ${seed}: ${result.failure.message}`)
      continue
    }
    count.rebased++
    if (own.isDisjoint) count.carried++
    const what = `seed ${seed}: ${JSON.stringify(own.operations)} beside ${own.story.join('; ')}`
    expect(own.both, `${what} needs a conflict`).toBeDefined()
    const after = toBytes(result.value.content, current)
    const { changes } = unwrap(diffWorkbooks(toWorkbook(own.both!, true), after, NAME))
    const ours = changes.filter(({ kind, place }) => kind !== 'format' && !OF_OPENPYXL.test(place))
    expect(
      ours.map(change => [change.place, change.before, change.after]),
      what,
    ).toEqual([])
  }
  if (IS_FULL)
    console.log(
      `rebase: ${count.rebased} of ${cases.length}; ${count.carried} of ${count.disjoint} disjoint`,
    )
  return count
}

/** False for a conflict. */
function judgeUndo({ own, seed }: Numbered): boolean {
  const before = toWorkbook(own.base, seed % 2 === 0)
  const replayed = unwrap(xlsxFormat.replay(before, logged(own.operations), new Set(), NAME))
  const base = toBytes(replayed.content, before)
  const current = toWorkbook(own.both!, seed % 3 === 0)
  const result = xlsxFormat.rebase!({
    ...TOLD,
    base,
    current,
    log: [],
    planned: [{ from: 'inline', bytes: before }],
  })
  const what = `seed ${seed}: ${JSON.stringify(own.operations)} beside ${own.story.join('; ')}`
  if (!result.ok) {
    expect(result.failure.code, what).toBe('CONFLICT')
    return false
  }
  const after = toBytes(result.value.content, current)
  const { changes } = unwrap(diffWorkbooks(toWorkbook(own.current, true), after, NAME))
  expect(
    changes.map(change => [change.place, change.before, change.after]),
    what,
  ).toEqual([])
  return true
}

const TOLD = {
  name: NAME,
  refused: new Set<never>(),
  version: '12345678',
  since: 'since the draft began',
  advice: 'Decide.',
  isDraft: true,
}

function rebased({ operations }: RebaseCase, base: Uint8Array, current: Uint8Array) {
  const log = logged(operations)
  const replayed = unwrap(xlsxFormat.replay(base, log, new Set(), NAME))
  return xlsxFormat.rebase!({ ...TOLD, base, current, log, planned: replayed.content })
}

const SAVE =
  'import sys, openpyxl\nfor path in open(sys.argv[1]).read().split():\n  openpyxl.load_workbook(path).save(path)\n'

/** Opened and saved: other styles, other strings, other numbers of sheets. */
function savedByOpenpyxl(files: readonly Uint8Array[]): Uint8Array[] {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-openpyxl-'))
  try {
    const paths = files.map((_, index) => join(folder, `${index}.xlsx`))
    for (const [index, path] of paths.entries()) writeFileSync(path, files[index]!)
    writeFileSync(join(folder, 'list'), paths.join('\n'))
    const python = PYTHONS.find(name => spawnSync(name, ['-c', 'import openpyxl']).status === 0)
    expect(python, 'a python3 with openpyxl (apt-get install python3-openpyxl)').toBeDefined()
    const { status, stderr } = spawnSync(python!, ['-c', SAVE, join(folder, 'list')])
    expect(status, String(stderr)).toBe(0)
    return paths.map(path => readFileSync(path))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
