import { afterEach, expect, test, vi } from 'vitest'
import { IS_FULL } from '../../packages/documents/src/corpus.contract.ts'
import { Book } from '../../packages/documents/src/formats/xlsx/book/book.ts'
import { WriteCount } from '../../packages/documents/src/formats/xlsx/book/write-count.ts'
import { WORKBOOK_OPERATIONS } from '../../packages/documents/src/formats/xlsx/declared/operations.ts'
import { XlsxDocument } from '../../packages/documents/src/formats/xlsx/document.ts'
import { accepted, session, tally } from './truth.contract.ts'

const SESSIONS = IS_FULL ? 5_000 : 300
const MOST_TOLD = 12

afterEach(() => {
  vi.restoreAllMocks()
})

test(`${SESSIONS} random sessions show, replay and publish the same, and it is true`, () => {
  const wrong: string[] = []
  for (let seed = 0; seed < SESSIONS && wrong.length < MOST_TOLD; seed++)
    wrong.push(...session(seed, { everyOperation: IS_FULL }).slice(0, 1))
  expect(wrong.join('\n\n')).toBe('')
  expect(tally.checks).toBeGreaterThan(2 * SESSIONS)
  // most of what a full computation knows is known, and nearly every operation was accepted somewhere
  expect(tally.lost * 50).toBeLessThan(tally.compared)
  const drawn = Object.keys(WORKBOOK_OPERATIONS.operations).filter(op => !op.endsWith('_image'))
  const rare = drawn.filter(op => !accepted.has(op))
  expect(rare.length, rare.join()).toBeLessThanOrEqual(IS_FULL ? 0 : 5)
}, 3_600_000)

test('results that are forgotten at the end of a call only are found within 50 sessions', () => {
  forgetAtTheEndOfCalls()
  let seed = 0
  while (seed < 50 && session(seed, { everyOperation: false }).length === 0) seed++
  expect(seed).toBeLessThan(50)
}, 600_000)

/** As it once was: within a call nothing but settled edits made a workbook forget its results. */
function forgetAtTheEndOfCalls(): void {
  let count = 0
  vi.spyOn(WriteCount.prototype, 'count', 'get').mockImplementation(() => count)
  const { applyAccepted } = XlsxDocument.prototype
  vi.spyOn(XlsxDocument.prototype, 'applyAccepted').mockImplementation(function (
    this: XlsxDocument,
    ...given
  ) {
    const applied = applyAccepted.apply(this, given)
    count++
    return applied
  })
  const { settle } = Book.prototype
  vi.spyOn(Book.prototype, 'settle').mockImplementation(function (this: Book, ...given) {
    count++
    return settle.apply(this, given)
  })
}
