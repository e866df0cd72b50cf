import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { corpusFiles, hasCorpus, readCorpusFile, sampleOf } from '../../../corpus.contract.ts'
import { readZip } from '../../../opc/index.ts'
import { DocxDocument } from '../document.ts'
import { docxFormat } from '../format.ts'
import type { Paragraph } from '../story/story.ts'
import {
  ALLOWED,
  DOCUMENTS,
  edited,
  INSERTED,
  planEdit,
  REPLACEMENT,
} from './corpus-edit.contract.ts'
import { logged, NAME, partText } from './zoo.contract.ts'

const files = sampleOf(DOCUMENTS, 16)

/** What an edit of words never takes away. */
const KEPT =
  /<(?:\w+:)?(ins|del|moveFrom|moveTo|\w+Change|comment\w+|footnoteReference|endnoteReference|fldChar|fldSimple|instrText|hyperlink|drawing|pict|object|sdt|bookmark\w+|perm\w+|sym|oMath|AlternateContent|relIds|altChunk|sectPr)[ />]/g

describe.skipIf(!hasCorpus)('real documents', () => {
  test.each(files)('$file: opened, mapped and read, with every byte as it was', file => {
    const bytes = readCorpusFile(file)
    const document = unwrap(DocxDocument.open(bytes, NAME))
    unwrap(document.map())
    for (const view of ['final', 'marked', 'original'] as const)
      unwrap(document.read({ view }, { maxBytes: 20_000 }))
    unwrap(document.search({ text: 'the', maxHits: 5 }))
    expect(Buffer.compare(toBytes(unwrap(document.content()), bytes), bytes)).toBe(0)
  })

  test.each(files)('$file: refused where it is signed or protected, else edited', file => {
    const { document, operations } = planEdit(readCorpusFile(file))
    if (operations.length === 0) return
    const { protection, isSigned } = unwrap(document.map()).fields
    const closed = isSigned
      ? 'SIGNED'
      : protection === undefined || protection === 'trackedChanges'
        ? undefined
        : 'PROTECTED'
    const result = document.apply(logged(operations))
    expect(result.ok ? undefined : result.failure.code).toBe(closed)
    if (closed) unwrap(document.apply(logged(operations), ALLOWED))
  })

  test.each(files)('$file: edited, it is as it was outside the edited paragraphs', file => {
    const bytes = readCorpusFile(file)
    const plan = planEdit(bytes)
    if (plan.operations.length === 0) return
    const { protection, isTracking } = unwrap(plan.document.map()).fields
    const part = plan.document.manuscript.package.mainName
    const { bytes: saved, changes } = edited(bytes)
    expect(changes.length).toBe(plan.operations.length)
    expectOtherPartsKept(bytes, saved, part)

    const before = Buffer.from(partText(bytes, part))
    const after = Buffer.from(partText(saved, part))
    // tracked, the mark of the paragraph in front may be the new one
    const isTracked = protection === 'trackedChanges' || isTracking === true
    expectKeptOutside(before, after, [
      ...(plan.phrase ? [sourceOf(plan.phrase.paragraph)] : []),
      ...(plan.anchor ? [isTracked ? sourceOf(plan.anchor) : endOf(sourceOf(plan.anchor))] : []),
    ])
    const kept = countsOf(before)
    const now = countsOf(after)
    for (const [name, count] of kept) expect(now.get(name) ?? 0, name).toBeGreaterThanOrEqual(count)

    const again = unwrap(DocxDocument.open(saved, NAME))
    const text = unwrap(again.read({}, { maxBytes: 100_000_000 })).text
    if (plan.phrase) expect(text).toContain(REPLACEMENT)
    if (plan.anchor) expect(text).toContain(INSERTED)
    const refused = new Set(changes.map(({ id }) => id))
    const none = unwrap(docxFormat.replay(bytes, logged(plan.operations), refused, NAME))
    expect(Buffer.compare(toBytes(none.content, bytes), bytes)).toBe(0)
  })

  test.each(corpusFiles(({ file, category }) => category === 'malformed' && /\.docx$/.test(file)))(
    '$file: refused or read, never thrown',
    file => {
      const opened = docxFormat.open(readCorpusFile(file), NAME)
      const result = opened.ok ? opened.value.map() : opened
      if (!result.ok) expect(result.failure.message.length).toBeGreaterThan(20)
      else expect(file.expect).toMatch(/open|recover/)
    },
  )
})

interface Range {
  readonly start: number
  readonly end: number
}

function sourceOf({ node }: Paragraph): Range {
  return node.source!
}

function endOf({ end }: Range): Range {
  return { start: end, end }
}

/** The bytes between the edited ranges are all there, in their order. */
function expectKeptOutside(before: Buffer, after: Buffer, edits: readonly Range[]): void {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end)
  let from = 0
  let at = 0
  for (const { start, end } of sorted) {
    if (start > from) {
      const piece = before.subarray(from, start)
      const found = from === 0 ? 0 : after.indexOf(piece, at)
      expect(found, `the bytes ${from} to ${start}`).toBeGreaterThanOrEqual(0)
      expect(Buffer.compare(after.subarray(found, found + piece.length), piece)).toBe(0)
      at = found + piece.length
    }
    from = Math.max(from, end)
  }
  const tail = before.subarray(from)
  expect(Buffer.compare(after.subarray(after.length - tail.length), tail)).toBe(0)
  expect(after.length - tail.length).toBeGreaterThanOrEqual(at)
}

function countsOf(xml: Buffer): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [, name] of xml.toString('latin1').matchAll(KEPT))
    counts.set(name!, (counts.get(name!) ?? 0) + 1)
  return counts
}

/** Every other part keeps its packed bytes too, and none comes. */
function expectOtherPartsKept(before: Uint8Array, after: Uint8Array, touched: string): void {
  const partsOf = (bytes: Uint8Array) =>
    new Map(
      unwrap(readZip(bytes)).entries.map(({ name, start, end }) => [
        name,
        bytes.subarray(start, end),
      ]),
    )
  const old = partsOf(before)
  const now = partsOf(after)
  expect([...now.keys()]).toEqual([...old.keys()])
  for (const [name, own] of old)
    if (name !== touched) expect(Buffer.compare(own, now.get(name)!), name).toBe(0)
}
