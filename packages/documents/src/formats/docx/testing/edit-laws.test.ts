import { isDeepStrictEqual } from 'node:util'
import { type LoggedOperation, type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { hasCorpus, IS_FULL, readCorpusFile, sampleOf } from '../../../corpus.contract.ts'
import { readZip } from '../../../opc/index.ts'
import { createLineNumbering, diffLines } from '../../text/diff/line-diff.ts'
import { docxFormat } from '../format.ts'
import { rebase } from '../rebase.ts'
import { canonical } from './canonical.contract.ts'
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

  const carried = { apart: 0, beside: 0, wordsOnly: 0, conflicts: 0 }
  test.each(rounds)(
    "$file, $seed: carried over to somebody else's save, both edits are there",
    ({ source, seed }) => {
      const base = readCorpusFile(source)
      const ours = randomLog(base, randomFrom(seed))
      const theirs = randomLog(base, randomFrom(seed ^ 0xbeef), 'tc_2')
      const moved = rebased(base, theirs.after, ours.log)
      const what = JSON.stringify([ours.log, theirs.log].map(log => log.map(own => own.operation)))
      if (!moved.ok) {
        carried.conflicts++
        return expect(moved.failure.code, what).toBe('CONFLICT')
      }
      const saved = toBytes(moved.value.content, theirs.after)
      expectOtherPartsKept({ base, ours: ours.after, theirs: theirs.after, saved })
      expect(newRepairFaults(theirs.after, saved), what).toEqual([])
      const together = open(base)
      unwrap(together.apply(ours.log, ALLOWED))
      if (!together.apply(theirs.log, ALLOWED).ok) return
      const other = toBytes(unwrap(together.content()), base)
      if (areApart(base, ours.after, theirs.after)) {
        // both orders of two edits that do not meet give one document
        expect(withoutIds(saved), what).toEqual(withoutIds(other))
        carried.apart++
      } else {
        // one edit is the neighbour of the other: the order of what came depends on which was first, and rarely its look
        expect(wordsOf(saved), what).toEqual(wordsOf(other))
        const isSame = isDeepStrictEqual(paragraphsOf(saved), paragraphsOf(other))
        carried[isSame ? 'beside' : 'wordsOnly']++
      }
    },
  )

  test('edits that were carried over are the same in their looks too, but for a few side by side', () => {
    if (IS_FULL) console.info(`carried: ${JSON.stringify(carried)}`)
    expect(carried.wordsOnly).toBeLessThanOrEqual(0.05 * (carried.apart + carried.beside))
    expect(carried.apart).toBeGreaterThan(0)
  })
})

/** What neither edit names keeps every byte of their save. */
function expectOtherPartsKept(
  files: Readonly<Record<'base' | 'ours' | 'theirs' | 'saved', Uint8Array>>,
): void {
  const parts = Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, packedParts(bytes)]),
  )
  for (const [name, packed] of parts.theirs!)
    if (parts.base!.get(name) === parts.ours!.get(name))
      expect(parts.saved!.get(name) === packed, name).toBe(true)
}

function packedParts(bytes: Uint8Array): ReadonlyMap<string, string> {
  return new Map(
    unwrap(readZip(bytes)).entries.map(({ name, start, end }) => [
      name,
      Buffer.from(bytes.subarray(start, end)).toString('latin1'),
    ]),
  )
}

/** The stories as canonical XML; ids of tracked changes, notes and links are given in the order of the edits. */
function withoutIds(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(
    Object.entries(canonical(bytes)).map(([name, xml]) => [
      name,
      xml.replace(/ (?:w:id|r:id|r:embed|w:name|id)="[^"]*"/g, ''),
    ]),
  )
}

/** The paragraphs of every story as canonical XML, in any order: two insertions at one place may stand either way round. */
function paragraphsOf(bytes: Uint8Array): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(withoutIds(bytes)).map(([name, xml]) => [
      name,
      (xml.match(/<w:p>(?:(?!<w:p>)[\s\S])*?<\/w:p>/g) ?? [])
        .filter(own => own !== '<w:p></w:p>') // one stands between two tables, as their order wants
        .sort(),
    ]),
  )
}

/** The texts of the paragraphs that have one, in any order. */
function wordsOf(bytes: Uint8Array): string[] {
  return textsOf(bytes)
    .filter(text => text !== '')
    .sort()
}

/** Whether no paragraph that one edit changed is one, or beside one, that the other changed. */
function areApart(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): boolean {
  const before = withoutIds(base)
  const [one, other] = [withoutIds(ours), withoutIds(theirs)]
  return Object.keys(before).every(name => {
    const a = changedIn(before[name]!, one[name] ?? '')
    const b = changedIn(before[name]!, other[name] ?? '')
    return a.every(own => b.every(their => own.end + 1 < their.start || their.end + 1 < own.start))
  })
}

/** The lines of canonical XML around paragraphs that differ. */
function changedIn(before: string, after: string): { start: number; end: number }[] {
  const numberOf = createLineNumbering()
  const blocks = (xml: string) => Int32Array.from(xml.split(/(?<=<\/w:p>\n)/), own => numberOf(own))
  return diffLines(blocks(before), blocks(after)).map(({ aStart, aEnd }) => ({
    start: aStart - 1,
    end: aEnd,
  }))
}
