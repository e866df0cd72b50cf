import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IS_FULL } from '../../../corpus.contract.ts'
import { convert } from '../../../libreoffice.contract.ts'
import {
  editedByOpenpyxl,
  type ProgramCase,
  PYTHON,
  programCase,
} from './rebase-programs.contract.ts'
import {
  differences,
  done,
  expectNothingLost,
  isEqual,
  publishOn,
  undoOn,
} from './rebase-run.contract.ts'
import { logged } from './zoo.contract.ts'

const BY_OPENPYXL = IS_FULL ? 600 : 24
const BY_LIBREOFFICE = IS_FULL ? 400 : 8
const hasOffice = spawnSync('soffice', ['--version']).status === 0

test.skipIf(!PYTHON)(
  `${BY_OPENPYXL} drafts published and undone beside edits by openpyxl`,
  () => judge(1, BY_OPENPYXL, files => files),
  900_000,
)

test.skipIf(!PYTHON || !hasOffice)(
  `${BY_LIBREOFFICE} drafts published and undone beside edits that LibreOffice saved`,
  () => judge(50_001, BY_LIBREOFFICE, savedByLibreOffice),
  900_000,
)

interface Sides {
  readonly own: ProgramCase
  readonly drafted: Uint8Array
  /** The base with the program's edits, and the draft's result with them. */
  readonly current: Uint8Array
  readonly both: Uint8Array
}

function judge(first: number, count: number, save: (files: Uint8Array[]) => Uint8Array[]): void {
  const found = { tried: 0, carried: 0, undone: 0 }
  for (const sides of sidesFrom(first, count, save)) {
    found.tried++
    if (expectPublished(sides)) found.carried++
    if (expectUndone(sides)) found.undone++
  }
  if (IS_FULL) console.log(`programs: ${JSON.stringify(found)}`)
  expect(found.carried).toBeGreaterThan(0)
}

function sidesFrom(first: number, count: number, save: (files: Uint8Array[]) => Uint8Array[]) {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-rebase-'))
  try {
    const cases = Array.from({ length: count }, (_, index) => {
      const own = programCase(first + index)
      const drafted = done(own.base, own.draft, 'tc_1')
      return drafted && !isEqual(own.base, drafted) ? [{ own, drafted }] : []
    }).flat()
    const jobs = cases.flatMap(({ own, drafted }) => {
      const { edits } = own
      // a deleted sheet takes no edits: then only the base has them
      const isGone = own.draft.some(({ op }) => op === 'delete_sheet')
      return [
        { bytes: own.base, edits },
        { bytes: drafted, edits: isGone ? [] : edits },
      ]
    })
    const steps = editedByOpenpyxl(jobs, folder)
    const files = save(steps.map(states => states.at(-1)!))
    return cases.flatMap((each, index): Sides[] => {
      if (!leavesTraces(steps[2 * index]!)) return []
      return [{ ...each, current: files[2 * index]!, both: files[2 * index + 1]! }]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An edit that leaves no trace, such as an empty row among empty rows, has no place that could be found. */
function leavesTraces(states: readonly Uint8Array[]): boolean {
  return states.slice(1).every((state, index) => !isEqual(states[index]!, state))
}

const AT_ONCE = 50 // files for one start, which does not live through many hundreds

function savedByLibreOffice(files: Uint8Array[]): Uint8Array[] {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-rebase-'))
  const named = files.map((bytes, index) => ({ name: `${index}.xlsx`, bytes }))
  const saved: Uint8Array[] = []
  try {
    for (let from = 0; from < named.length; from += AT_ONCE) {
      const paths = convert(named.slice(from, from + AT_ONCE), 'xlsx', folder)
      saved.push(...paths.map(path => readFileSync(path!)))
    }
    return saved
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each value at its place, and nothing of the program's lost; false for a conflict. */
function expectPublished({ own, current, both }: Sides): boolean {
  const { base, draft, moved, stirred } = own
  const after = publishOn(base, logged(draft), current, told(own))
  if (!after) return false
  expect(moved && stirred.has(moved.sheet), told(own)).not.toBe(true)
  const expected = moved ? done(current, draft, 'tc_1')! : both
  expect(cellsIn(expected, after), told(own)).toEqual([])
  expectNothingLost(current, after, told(own))
  return true
}

/** The program's edits alone, and nothing of them lost; false for a conflict. */
function expectUndone({ own, drafted, current, both }: Sides): boolean {
  const { base, moved } = own
  if (own.draft.some(({ op }) => op === 'delete_sheet')) return false
  const after = undoOn(base, drafted, both, told(own))
  if (!after) return false
  if (!moved) expect(cellsIn(current, after), told(own)).toEqual([])
  expectNothingLost(both, after, told(own))
  return true
}

/** Differences of cells and comments: a program writes looks and set-up of its own. */
function cellsIn(expected: Uint8Array, after: Uint8Array): unknown[] {
  return differences(
    expected,
    after,
    ({ kind, place }) => kind === 'cell' || /comment$/.test(place),
  )
}

function told({ seed, draft, edits }: ProgramCase): string {
  return `seed ${seed}: ${JSON.stringify(draft)} beside ${JSON.stringify(edits)}`
}
