import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IS_FULL } from '../../../corpus.contract.ts'
import { Book } from '../book/book.ts'
import { openWorkbook } from '../book/workbook-part.ts'
import { boxName, cellName } from '../cell/address.ts'
import { findStale } from '../formula/dependants.ts'
import { findReferences } from '../formula/references.ts'
import { moveInLibreOffice } from '../testing/libreoffice-places.contract.ts'
import { gridBox, gridCell, placeStep } from '../testing/random-places.contract.ts'
import { zooBook } from '../testing/zoo.contract.ts'
import { mapFormula } from './map-formula.ts'
import { Mapping } from './mapping.ts'
import { GONE, type PlaceStep } from './place-step.ts'

const hasOffice = spawnSync('soffice', ['--version']).status === 0
const JOBS = 150
const SEED = 37

/** References to single cells and to ranges, and one to whole rows and columns. */
const formulas = fc
  .tuple(
    fc.array(gridCell, { minLength: 4, maxLength: 4 }),
    fc.array(gridBox, { minLength: 6, maxLength: 6 }),
  )
  .map(([cells, boxes]) => [
    ...cells.map(({ row, column }) => `Data!${cellName(row, column)}`),
    ...boxes.map(({ box }) => `SUM(Data!${boxName(box)})`),
    'SUM(Data!B:D)',
    'SUM(Data!$2:$5)',
  ])

const onData = placeStep
  .filter(({ kind }) => kind === 'lines' || kind === 'block')
  .map(step => ({ ...step, sheet: 'Data' }) as PlaceStep)

const jobs = fc.sample(fc.tuple(formulas, fc.array(onData, { minLength: 1, maxLength: 2 })), {
  numRuns: JOBS,
  seed: SEED,
})

/** Numbers on the sheet that changes, formulas on another. */
function bookOf(own: readonly string[]): Uint8Array {
  const rows = Array.from({ length: 30 }, (_, row) => {
    const cells = Array.from(
      { length: 16 },
      (_, column) => `<c r="${cellName(row + 1, column + 1)}"><v>${100 * row + column}</v></c>`,
    )
    return `<row r="${row + 1}">${cells.join('')}</row>`
  })
  const sums = own.map(
    (text, at) => `<row r="${at + 1}"><c r="A${at + 1}"><f>${text}</f></c></row>`,
  )
  return zooBook({ sheets: { Data: rows.join(''), Sum: sums.join('') } })
}

function formulasIn(bytes: Uint8Array, count: number): string[] {
  const book = new Book(unwrap(openWorkbook(bytes)), { findStale })
  const box = { top: 1, bottom: count, left: 1, right: 1 }
  return [...unwrap(book.cellsIn(book.sheet('Sum')!, box)).values()].map(
    ({ formula }) => formula?.text ?? '',
  )
}

function areasOf(formula: string): string {
  if (formula.includes('#REF!')) return '#REF!'
  return findReferences(formula).areas.map(boxName).join(' ')
}

test.skipIf(!IS_FULL || !hasOffice)(
  'formulas name the cells that they name after LibreOffice moved rows, columns and cells',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'places-'))
    const made = moveInLibreOffice(
      jobs.map(([own, steps]) => ({ bytes: bookOf(own), steps })),
      folder,
    )
    rmSync(folder, { recursive: true, force: true })
    expect(made.filter(own => own === undefined)).toEqual([])
    const differences: string[] = []
    for (const [index, [own, steps]] of jobs.entries()) {
      const theirs = formulasIn(made[index]!, own.length)
      const home = { sheet: 'Sum', isSheet: (name: string) => name === 'Data' || name === 'Sum' }
      for (const [at, formula] of own.entries()) {
        const ours = mapFormula(Mapping.of(...steps), formula, home)
        const shown = ours === GONE ? '#REF!' : areasOf(String(ours))
        if (shown !== areasOf(theirs[at]!))
          differences.push(`${formula} is ${shown}, not ${theirs[at]}: ${JSON.stringify(steps)}`)
      }
    }
    expect(differences).toEqual([])
  },
  1_200_000,
)
