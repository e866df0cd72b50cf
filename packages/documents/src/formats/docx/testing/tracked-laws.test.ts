import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { hasCorpus, IS_FULL, readCorpusFile, sampleOf } from '../../../corpus.contract.ts'
import { docxFormat } from '../format.ts'
import { canonical } from './canonical.contract.ts'
import { ALLOWED, DOCUMENTS } from './corpus-edit.contract.ts'
import { randomFrom, randomTrackedOperation, sceneOf } from './random-edits.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const AUTHOR = 'Filewright test'
const track = { author: AUTHOR }
const ROUNDS = IS_FULL ? 12 : 2
const SMALL = 40_000 // bytes: a quick run takes small files only
const files = sampleOf(
  DOCUMENTS.filter(({ size }) => IS_FULL || size < SMALL),
  8,
)
const rounds = files.flatMap(file =>
  Array.from({ length: ROUNDS }, (_, round) => ({ file: file.file, source: file, round })),
)
const OTHER = /no form as a tracked change|^The mark of \S+ stays/
const done = new Map<string, number>()

/** Undefined where it is refused. */
function applied(bytes: Uint8Array, operations: readonly Operation[]) {
  const document = unwrap(docxFormat.open(bytes, NAME))
  const result = document.apply(logged(operations), ALLOWED)
  if (!result.ok) return undefined
  return { bytes: toBytes(unwrap(document.content()), bytes), warnings: result.value.warnings }
}

function settled(bytes: Uint8Array, op: string, author?: string): Uint8Array {
  const own = applied(bytes, [{ op, ...(author !== undefined && { author }) }])
  return own?.bytes ?? bytes // nothing to settle
}

/** One or two operations that are not refused, on the document as it is after each. */
function randomEdits(bytes: Uint8Array, random: () => number): Operation[] {
  const document = unwrap(docxFormat.open(bytes, NAME))
  const accepted: Operation[] = []
  const wanted = random() < 0.5 ? 1 : 2
  for (let attempt = 0; attempt < 8 && accepted.length < wanted; attempt++) {
    const operation = { ...randomTrackedOperation(sceneOf(document), random), track }
    const one = logged([...accepted, operation]).slice(-1)
    const result = document.apply(one, ALLOWED)
    // done directly, or the last mark stays: then the laws do not hold for it, and a warning says so
    const isOther = result.ok && result.value.warnings.some(own => OTHER.test(own))
    if (isOther) return accepted
    if (result.ok) accepted.push(operation)
  }
  return accepted
}

describe.skipIf(!hasCorpus)('tracked changes of random edits on real documents', () => {
  test.each(rounds)(
    '$file, $round: rejected the base, accepted the plain edit',
    ({ source, round }) => {
      const bytes = readCorpusFile(source)
      const seed = round * 1_000 + source.size
      const operations = randomEdits(bytes, randomFrom(seed))
      if (operations.length === 0) return
      const what = `${seed}: ${JSON.stringify(operations)}`
      const edited = applied(bytes, operations)!.bytes
      expect(canonical(settled(edited, 'reject_revisions', AUTHOR)), what).toEqual(canonical(bytes))
      // a later operation may name the copy of a moved paragraph, which only the tracked edit has
      const plain = applied(
        bytes,
        operations.map(own => ({ ...own, track: false })),
      )
      if (plain)
        expect(canonical(settled(edited, 'accept_revisions')), what).toEqual(
          canonical(settled(plain.bytes, 'accept_revisions')),
        )
      for (const verdict of ['accept_revisions', 'reject_revisions'])
        expect(newRepairFaults(bytes, settled(edited, verdict, AUTHOR)), what).toEqual([])
      expect(newRepairFaults(bytes, edited), what).toEqual([])
      for (const { op } of operations) done.set(String(op), (done.get(String(op)) ?? 0) + 1)
    },
  )

  test('saw many kinds of operations', () => {
    if (IS_FULL) console.info(`tracked: ${JSON.stringify(Object.fromEntries(done))}`)
    expect(done.size).toBeGreaterThan(IS_FULL ? 15 : 8)
  })
})
