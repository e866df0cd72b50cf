import { type LoggedOperation, type Operation, toBytes, unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { hasCorpus, IS_FULL, readCorpusFile, sampleOf } from '../../../corpus.contract.ts'
import { randomFrom } from '../../docx/testing/random-edits.contract.ts'
import { pptxFormat } from '../format.ts'
import { rebase } from '../rebase.ts'
import type { Slide } from '../slide/deck.ts'
import type { ShapePage } from '../slide/page.ts'
import { shapeKey } from '../slide/shape-key.ts'
import { ALLOWED, DECKS, openDeck, savedDeck } from './corpus-edit.contract.ts'
import { randomDeckOperation } from './random-edits.contract.ts'
import { looseEnds } from './whole.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const SMALL = 90_000 // bytes: a quick run takes small files only
const files = sampleOf(
  DECKS.filter(file => (IS_FULL || file.size < SMALL) && !/no-slides/.test(String(file.features))),
  8,
)
const rounds = files.flatMap(file =>
  Array.from({ length: IS_FULL ? 6 : 2 }, (_, round) => ({
    file: file.file,
    source: file,
    seed: round * 1_000 + file.size,
  })),
)
const counts = { operations: 0, refused: 0, dropped: 0, carried: 0, conflicts: 0 }

/** Random operations that are not refused, as the log of one call. */
function randomLog(bytes: Uint8Array, random: () => number, toolCallId = 'tc_1') {
  const document = openDeck(bytes)
  const accepted: Operation[] = []
  const wanted = 1 + Math.floor(random() * 5)
  for (let attempt = 0; attempt < 12 && accepted.length < wanted; attempt++) {
    if (document.deck.slides.length === 0) break
    const operation = randomDeckOperation(document, random)
    const one = logged([...accepted, operation], toolCallId).slice(-1)
    if (document.apply(one, ALLOWED).ok) accepted.push(operation)
    else counts.refused++
  }
  counts.operations += accepted.length
  return { log: logged(accepted, toolCallId), after: savedDeck(document, bytes) }
}

function rebased(base: Uint8Array, current: Uint8Array, log: readonly LoggedOperation[]) {
  const planned = unwrap(pptxFormat.replay(base, log, new Set(), NAME)).content
  const words = { version: 'v', since: 'since', advice: 'Read it again.' }
  return rebase({ name: NAME, base, current, log, refused: new Set(), planned, isDraft: true, ...words }) // biome-ignore format: a call
}

describe.skipIf(!hasCorpus)('laws of edits, on real decks', () => {
  afterAll(() => console.info(`Laws: ${JSON.stringify(counts)}`))

  test.each(rounds)('$file, $seed: copied and deleted, it reads the same', ({ source, seed }) => {
    const bytes = readCorpusFile(source)
    const random = randomFrom(seed)
    const document = openDeck(bytes)
    const before = slidesOf(bytes)
    const index = Math.floor(random() * document.deck.slides.length)
    const to = Math.floor(random() * (document.deck.slides.length + 1))
    const operations = [
      { op: 'duplicate_slide', index, to },
      { op: 'delete_slide', index: to },
    ]
    unwrap(document.apply(logged(operations), ALLOWED))
    const saved = savedDeck(document, bytes)
    expect(slidesOf(saved)).toEqual(before)
    expect(looseEnds(saved)).toEqual(looseEnds(bytes))
    expect(openDeck(saved).deck.package.names).toEqual(openDeck(bytes).deck.package.names)
  })

  test.each(rounds)(
    '$file, $seed: a refused change goes with its dependants, and nothing else',
    ({ source, seed }) => {
      const bytes = readCorpusFile(source)
      const random = randomFrom(seed ^ 0xfacade)
      const { log, after } = randomLog(bytes, random)
      const all = unwrap(pptxFormat.replay(bytes, log, new Set(), NAME))
      const what = JSON.stringify(log.map(({ operation }) => operation))
      expect(Buffer.compare(toBytes(all.content, bytes), after), what).toBe(0)
      const refused = all.changes[Math.floor(random() * all.changes.length)]
      if (!refused) return
      const some = unwrap(pptxFormat.replay(bytes, log, new Set([refused.id]), NAME))
      counts.dropped += some.dropped.length
      const left = new Set([...some.changes.map(({ id }) => id), ...some.dropped, refused.id])
      expect(left, what).toEqual(new Set(all.changes.map(({ id }) => id)))
      const saved = toBytes(some.content, bytes)
      const place = `${refused.place} of ${what}`
      expect(newFaults(bytes, saved), place).toEqual([])
      const known = looseEnds(bytes)
      expect(looseEnds(saved).filter(fault => !known.includes(fault)), place).toEqual([]) // biome-ignore format: one line
      const none = new Set(all.changes.map(({ id }) => id))
      const base = unwrap(pptxFormat.replay(bytes, log, none, NAME))
      expect(Buffer.compare(toBytes(base.content, bytes), bytes), what).toBe(0)
    },
  )

  test.each(rounds)(
    "$file, $seed: carried over to somebody else's save, both edits are there",
    ({ source, seed }) => {
      const base = readCorpusFile(source)
      const ours = randomLog(base, randomFrom(seed))
      const theirs = randomLog(base, randomFrom(seed ^ 0xbeef), 'tc_2')
      const moved = rebased(base, theirs.after, ours.log)
      const what = JSON.stringify([ours.log, theirs.log].map(log => log.map(own => own.operation)))
      if (!moved.ok) {
        counts.conflicts++
        return expect(moved.failure.code, what).toBe('CONFLICT')
      }
      counts.carried++
      const saved = toBytes(moved.value.content, theirs.after)
      expect(newFaults(theirs.after, saved), what).toEqual([])
      const again = unwrap(pptxFormat.replay(theirs.after, moved.value.log, new Set(), NAME))
      expect(Buffer.compare(toBytes(again.content, theirs.after), saved), what).toBe(0)
      // both orders of two edits that do not meet give one deck
      const other = carriedBack(base, ours, theirs.log)
      if (!other) return
      expect(sorted(slidesOf(saved)), what).toEqual(sorted(slidesOf(other)))
    },
  )

  test('some were carried over, some met', () => {
    expect(counts.carried).toBeGreaterThan(rounds.length * 0.2)
    expect(counts.conflicts).toBeGreaterThan(0)
  })
})

/** A link to nothing that a slide has is copied with it. */
function newFaults(before: Uint8Array, after: Uint8Array): readonly string[] {
  return newRepairFaults(before, after).filter(fault => !/links to .*NULL, which/.test(fault))
}

/** Their edits carried over to ours. */
function carriedBack(
  base: Uint8Array,
  ours: { readonly after: Uint8Array },
  theirs: readonly LoggedOperation[],
): Uint8Array | undefined {
  const moved = rebased(base, ours.after, theirs)
  return moved.ok ? toBytes(moved.value.content, ours.after) : undefined
}

/** Each slide by its id: what is on it, in its notes, its layout, and whether it is shown. */
function slidesOf(bytes: Uint8Array): readonly string[] {
  const { deck } = openDeck(bytes)
  return deck.slides.map(slide => {
    const notes = deck.notesOf(slide)
    const layout = deck.layoutOf(slide.page)?.name
    const words = `${slide.key} ${layout} ${slide.isHidden}\n${shapesOn(slide, slide.page)}`
    return `${words}\n${notes ? shapesOn(slide, notes) : ''}`
  })
}

/** New shapes may lie in either order, and a slide's number is written when it is set. */
function shapesOn(slide: Slide, page: ShapePage): string {
  const keys = page.shapes.map(shape => `${shape.key} ${shapeKey(slide, shape)}`)
  return keys
    .map(own => own.replace(/(type="slidenum">.*?<a:t>)\d+/g, '$1'))
    .sort()
    .join('\n')
}

/** Two slides at one place may stand either way round. */
function sorted(slides: readonly string[]): readonly string[] {
  return [...slides].sort()
}
