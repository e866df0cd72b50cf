import type { ChangeId } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IS_FULL } from '../../../../corpus.contract.ts'
import type { Sheet } from '../../book/sheet.ts'
import { cellKey, WHOLE_SHEET } from '../../cell/address.ts'
import { Mapping } from '../../places/mapping.ts'
import type { PlaceStep } from '../../places/place-step.ts'
import { GRID_SHEETS, gridCell, placeStep } from '../../testing/random-places.contract.ts'
import { Writers } from './writers.ts'

const RUNS = IS_FULL ? 5_000 : 300
const ids = (key: unknown) => (GRID_SHEETS as readonly unknown[]).indexOf(key)
const sheetOf = (id: number) => ({ id, name: GRID_SHEETS[id]! }) as Sheet

/** With the sheets by their numbers, as a book has them. */
function numbered(step: PlaceStep): PlaceStep {
  if (step.kind === 'found' || step.kind === 'names') return step
  if (step.kind !== 'sheets') return { ...step, sheet: ids(step.sheet) }
  return { ...step, pairs: step.pairs.map(({ from, to }) => ({ from: ids(from), to: ids(to) })) }
}

const deed = fc.oneof(
  { weight: 3, arbitrary: fc.record({ cell: gridCell }) },
  { weight: 2, arbitrary: fc.record({ step: placeStep.map(numbered) }) },
)

/** The writers as they were kept before: every one goes along with each move. */
class Followed {
  cells = new Map<string, ChangeId>()

  set(sheet: number, key: number, id: ChangeId): void {
    this.cells.set(`${sheet} ${key}`, id)
  }

  follow(mapping: Mapping): void {
    const before = [...this.cells]
    this.cells = new Map()
    for (const [place, id] of before) {
      const [sheet, key] = place.split(' ').map(Number) as [number, number]
      const to = mapping.sheet(sheet)
      for (const now of mapping.keys(sheet, [key])) this.set(Number(to), now, id)
    }
  }
}

function sorted(list: Iterable<string>): string[] {
  return [...list].sort()
}

test('looking back through the moves finds the writers that went along with them', () => {
  fc.assert(
    fc.property(
      fc.array(deed, { maxLength: 25 }),
      fc.array(gridCell, { maxLength: 8 }),
      (deeds, cells) => {
        const [writers, followed] = [new Writers(), new Followed()]
        const undo: (() => void)[] = []
        for (const [index, own] of deeds.entries()) {
          if ('step' in own) {
            const mapping = Mapping.of(own.step)
            undo.push(writers.follow(mapping))
            followed.follow(mapping)
            continue
          }
          const { sheet, row, column } = own.cell
          const [id, key] = [`c${index}` as ChangeId, cellKey(row, column)]
          const at = sheetOf(ids(sheet))
          const before = writers.setCell(at, key, id)
          expect(before).toBe(followed.cells.get(`${at.id} ${key}`))
          followed.set(at.id, key, id)
          undo.push(() => writers.setCell(at, key, before))
        }
        for (const { sheet, row, column } of cells) {
          const key = cellKey(row, column)
          expect(writers.ofCell(sheetOf(ids(sheet)), key)).toBe(
            followed.cells.get(`${ids(sheet)} ${key}`),
          )
        }
        for (const id of GRID_SHEETS.keys())
          expect(sorted(writers.ofAllCellsIn(sheetOf(id), WHOLE_SHEET))).toEqual(
            sorted(
              [...followed.cells]
                .filter(([place]) => place.startsWith(`${id} `))
                .map(([, own]) => own),
            ),
          )
        for (const step of undo.reverse()) step()
        for (const id of GRID_SHEETS.keys())
          expect(writers.ofAllCellsIn(sheetOf(id), WHOLE_SHEET)).toEqual([])
      },
    ),
    { numRuns: RUNS },
  )
})
