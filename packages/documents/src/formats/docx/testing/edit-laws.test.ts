import { type LoggedOperation, type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { hasCorpus, IS_FULL, readCorpusFile, sampleOf } from '../../../corpus.contract.ts'
import { docxFormat } from '../format.ts'
import { rebase } from '../rebase.ts'
import { ALLOWED, DOCUMENTS } from './corpus-edit.contract.ts'
import { randomFrom, randomTrackedOperation, sceneOf } from './random-edits.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const SMALL = 40_000 // bytes: a quick run takes small files only
const files = sampleOf(
  DOCUMENTS.filter(({ size }) => IS_FULL || size < SMALL),
  6,
)
const rounds = files.flatMap(file =>
  Array.from({ length: IS_FULL ? 6 : 2 }, (_, round) => ({
    file: file.file,
    source: file,
    seed: round * 1_000 + file.size,
  })),
)

function open(bytes: Uint8Array) {
  return unwrap(docxFormat.open(bytes, NAME))
}

function textsOf(bytes: Uint8Array): string[] {
  const { fields } = unwrap(open(bytes).read({}, { maxBytes: 10_000_000 }))
  return (fields.paragraphs as { text: string }[]).map(({ text }) => text)
}

/** Random operations that are not refused, as the log of one call. */
function randomLog(bytes: Uint8Array, random: () => number, toolCallId = 'tc_1') {
  const document = open(bytes)
  const accepted: Operation[] = []
  const wanted = 1 + Math.floor(random() * 4)
  for (let attempt = 0; attempt < 10 && accepted.length < wanted; attempt++) {
    const operation = randomTrackedOperation(sceneOf(document), random)
    const one = logged([...accepted, operation], toolCallId).slice(-1)
    if (document.apply(one, ALLOWED).ok) accepted.push(operation)
  }
  const log = logged(accepted, toolCallId)
  return { log, after: toBytes(unwrap(document.content()), bytes) }
}

function rebased(base: Uint8Array, current: Uint8Array, log: readonly LoggedOperation[]) {
  const planned = unwrap(docxFormat.replay(base, log, new Set(), NAME)).content
  const words = { version: 'v', since: 'since', advice: 'Read it again.' }
  return rebase({
    name: NAME,
    base,
    current,
    log,
    refused: new Set(),
    planned,
    isDraft: true,
    ...words,
  })
}

describe.skipIf(!hasCorpus)('laws of edits, on real documents', () => {
  test.each(rounds)(
    '$file, $seed: replaced and replaced back, it reads the same',
    ({ source, seed }) => {
      const bytes = readCorpusFile(source)
      const random = randomFrom(seed)
      const document = open(bytes)
      const before = textsOf(bytes)
      const { paragraphs } = sceneOf(document)
      for (let turn = 0; turn < 5; turn++) {
        const { id, text } = paragraphs[Math.floor(random() * paragraphs.length)]!
        const words = [...text.matchAll(/[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){0,3}/gu)]
        const word = words[Math.floor(random() * words.length)]?.[0]
        if (word === undefined || text.includes('§')) continue
        const to = {
          op: 'replace_text',
          place: id,
          search: word,
          replace: '§§',
          nth: 1,
          track: false,
        }
        if (!document.apply(logged([to], `to_${turn}`), ALLOWED).ok) continue
        const back = { ...to, search: '§§', replace: word }
        unwrap(document.apply(logged([back], `back_${turn}`), ALLOWED))
      }
      expect(textsOf(toBytes(unwrap(document.content()), bytes))).toEqual(before)
    },
  )

  test.each(rounds)(
    '$file, $seed: a refused change goes with its dependants, and nothing else',
    ({ source, seed }) => {
      const bytes = readCorpusFile(source)
      const random = randomFrom(seed ^ 0xfacade)
      const { log, after } = randomLog(bytes, random)
      const all = unwrap(docxFormat.replay(bytes, log, new Set(), NAME))
      const what = JSON.stringify(log.map(({ operation }) => operation))
      expect(Buffer.compare(toBytes(all.content, bytes), after), what).toBe(0)
      const refused = all.changes[Math.floor(random() * all.changes.length)]
      if (!refused) return
      const some = unwrap(docxFormat.replay(bytes, log, new Set([refused.id]), NAME))
      const left = new Set([...some.changes.map(({ id }) => id), ...some.dropped, refused.id])
      expect(left, what).toEqual(new Set(all.changes.map(({ id }) => id)))
      expect(
        newRepairFaults(bytes, toBytes(some.content, bytes)),
        `${refused.place} of ${what}`,
      ).toEqual([])
      const none = new Set(all.changes.map(({ id }) => id))
      const base = unwrap(docxFormat.replay(bytes, log, none, NAME))
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
      if (!moved.ok) return expect(moved.failure.code, what).toBe('CONFLICT')
      const saved = toBytes(moved.value.content, theirs.after)
      // both orders of two edits that do not meet give one document
      const together = open(base)
      unwrap(together.apply(ours.log, ALLOWED))
      if (!together.apply(theirs.log, ALLOWED).ok) return
      const other = toBytes(unwrap(together.content()), base)
      expect(wordsOf(saved), what).toEqual(wordsOf(other))
      expect(newRepairFaults(theirs.after, saved), what).toEqual([])
    },
  )
})

/** The words of a document in any order: two insertions at one place may stand either way round. */
function wordsOf(bytes: Uint8Array): string[] {
  return textsOf(bytes)
    .join(' ')
    .split(/\s+/)
    .filter(word => word !== '')
    .sort()
}
