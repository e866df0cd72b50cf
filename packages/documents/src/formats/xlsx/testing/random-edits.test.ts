import type { LoggedOperation, Operation } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { IS_FULL } from '../../../corpus.contract.ts'
import { validate } from '../../../validator.contract.ts'
import { xlsxFormat } from '../format.ts'
import { randomBooks } from './random-books.contract.ts'
import { randomFrom, randomOperation } from './random-edits.contract.ts'
import { newSheetFaults } from './sheet-rules.contract.ts'
import { structureFaults } from './structure.contract.ts'
import { logged, NAME, saved } from './zoo.contract.ts'

const SEQUENCES = IS_FULL ? 1_000 : 60
const A_FILE = 5 // sequences that follow one another on one workbook
const books = randomBooks()
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

/** Five sequences on one workbook, each on the bytes that the one before it left. */
const chains = Array.from({ length: SEQUENCES / A_FILE }, (_, index) => ({
  title: `seed ${index}: ${books[index % books.length]!.title}`,
  seed: index,
  bytes: books[index % books.length]!.bytes,
}))

describe('random edit sequences', () => {
  test.each(chains)(
    '$title: the file stays valid and matches the open workbook',
    ({ seed, bytes }) => {
      const known = new Set(structureFaults(bytes))
      for (const step of sequencesOn(bytes, seed)) {
        const fresh = structureFaults(step.after).filter(fault => !known.has(fault))
        expect(fresh, JSON.stringify(step.log.map(own => own.operation))).toEqual([])
        expect(newSheetFaults(step.before, step.after)).toEqual([])
        expect(mapText(step.after)).toBe(step.map)
      }
    },
  )

  test.each(chains)(
    '$title: one list is the same as its operations call by call',
    ({ seed, bytes }) => {
      for (const { before, after, log } of sequencesOn(bytes, seed)) {
        const together = unwrap(xlsxFormat.open(before, NAME))
        unwrap(together.apply(log, ALLOWED))
        expect(Buffer.compare(saved(together, before).bytes, after)).toBe(0)
      }
    },
  )

  test.each(chains)(
    '$title: a refused change is dropped with its dependants, and nothing else',
    ({ seed, bytes }) => {
      const random = randomFrom(seed ^ 0xfacade)
      for (const { before, after, log } of sequencesOn(bytes, seed)) {
        const all = unwrap(xlsxFormat.replay(before, log, new Set(), NAME))
        expect(Buffer.compare(toBytes(all.content, before), after)).toBe(0)
        const refused = all.changes[Math.floor(random() * all.changes.length)]
        if (!refused) continue
        const what = `${refused.place} of ${JSON.stringify(log.map(own => own.operation))}`
        const left = xlsxFormat.replay(before, log, new Set([refused.id]), NAME)
        expect(left.ok ? '' : left.failure.message, what).toBe('')
        const some = unwrap(left)
        const known = new Set(structureFaults(before))
        expect(
          structureFaults(toBytes(some.content, before)).filter(own => !known.has(own)),
          what,
        ).toEqual([])
        const ids = new Set([...some.changes.map(own => own.id), ...some.dropped, refused.id])
        expect(ids, what).toEqual(new Set(all.changes.map(own => own.id)))
        const none = new Set(all.changes.map(own => own.id))
        const base = unwrap(xlsxFormat.replay(before, log, none, NAME))
        expect(Buffer.compare(toBytes(base.content, before), before)).toBe(0)
      }
    },
  )
})

describe.skipIf(!IS_FULL)('judged by the Open XML SDK', () => {
  test('a thousand random edit sequences leave no new error', async () => {
    const clean = await withoutErrors()
    const ends = chains.map((chain, index) => {
      const own = clean[index % clean.length]!
      return { ...own, seed: chain.seed, bytes: sequencesOn(own.bytes, chain.seed).at(-1)!.after }
    })
    const found = await validate(ends.map(({ bytes }) => ({ name: 'book.xlsx', bytes })))
    const wrong = ends.flatMap(({ title, seed }, index) =>
      found[index]!.length > 0
        ? [`seed ${seed}, ${title}: ${found[index]!.slice(0, 3).join('; ')}`]
        : [],
    )
    expect(wrong).toEqual([])
  }, 1_800_000)
})

/** Those in which it finds nothing yet: what it finds later is ours. */
async function withoutErrors() {
  const found = await validate(books.map(({ bytes }) => ({ name: 'book.xlsx', bytes })))
  const clean = books.filter((_, index) => found[index]!.length === 0)
  expect(clean.length).toBeGreaterThan(books.length / 2)
  return clean
}

interface Step {
  readonly before: Uint8Array
  readonly after: Uint8Array
  /** The operations that were not refused, as one log. */
  readonly log: readonly LoggedOperation[]
  /** Of the workbook that was edited, before its bytes were made. */
  readonly map: string
}

function sequencesOn(base: Uint8Array, seed: number): Step[] {
  const random = randomFrom(seed)
  const steps: Step[] = []
  let before = base
  for (let turn = 0; turn < A_FILE; turn++) {
    const document = unwrap(xlsxFormat.open(before, NAME))
    const accepted: Operation[] = []
    const count = 1 + Math.floor(random() * 6)
    for (let index = 0; index < count; index++) {
      const operation = randomOperation(document, random)
      const one = logged([...accepted, operation]).slice(-1)
      if (document.apply(one, ALLOWED).ok) accepted.push(operation)
    }
    const { bytes } = saved(document, before)
    steps.push({ before, after: bytes, log: logged(accepted), map: unwrap(document.map()).text })
    before = bytes
  }
  return steps
}

function mapText(bytes: Uint8Array): string {
  return unwrap(unwrap(xlsxFormat.open(bytes, NAME)).map()).text
}
