import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import {
  type CorpusFile,
  corpusFiles,
  hasCorpus,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import { readZip } from '../../../opc/index.ts'
import { DocxDocument } from '../document.ts'
import { docxFormat } from '../format.ts'
import type { Paragraph } from '../story/story.ts'
import { borderOf, spansIn, textMapOf } from '../story/text-map.ts'
import { logged, NAME, partText } from './zoo.contract.ts'

const isDocument = ({ file, category }: CorpusFile) =>
  category === 'docx' && /\.(docx|docm|dotx)$/.test(file)
const files = sampleOf(corpusFiles(isDocument), 16)
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

describe.skipIf(!hasCorpus)('real documents', () => {
  test.each(files)('$file: read, edited and saved', file => {
    const bytes = readCorpusFile(file)
    const document = unwrap(DocxDocument.open(bytes, NAME))
    const { protection, isTracking } = unwrap(document.map()).fields
    unwrap(document.read({}, { maxBytes: 20_000 }))
    for (const view of ['marked', 'original'] as const)
      unwrap(document.read({ view }, { maxBytes: 20_000 }))
    unwrap(document.search({ text: 'the', maxHits: 5 }))
    expect(Buffer.compare(toBytes(unwrap(document.content()), bytes), bytes)).toBe(0)

    const phrase = phraseAcrossRuns(document)
    const anchor = document.manuscript.body.paragraphs.find(({ cell, box }) => !cell && !box)
    const operations = [
      ...(phrase
        ? [
            {
              op: 'replace_text',
              place: phrase.id,
              search: phrase.text,
              replace: 'Filewright was here',
              nth: 1,
            },
          ]
        : []),
      ...(anchor ? [{ op: 'insert_paragraph', after: anchor.id, text: 'A new paragraph.' }] : []),
    ]
    if (operations.length === 0) return
    const xml = Buffer.from(partText(bytes, document.manuscript.package.mainName))
    const sourceOf = (own: Paragraph) => own.node.source!
    const edited = phrase ? sourceOf(phrase.paragraph) : undefined
    const after = anchor && sourceOf(anchor).end
    const { changes } = unwrap(document.apply(logged(operations), ALLOWED))
    expect(changes.length).toBe(operations.length)
    const saved = toBytes(unwrap(document.content()), bytes)
    expectOtherPartsKept(bytes, saved, document.manuscript.package.mainName)

    const now = Buffer.from(partText(saved, document.manuscript.package.mainName))
    // tracked, the mark of the paragraph in front may be the new one
    const isTracked = protection === 'trackedChanges' || isTracking === true
    const before = anchor ? sourceOf(anchor)[isTracked ? 'start' : 'end'] : xml.length
    const first = Math.min(edited?.start ?? xml.length, before)
    const last = Math.max(edited?.end ?? 0, after ?? 0)
    expect(Buffer.compare(now.subarray(0, first), xml.subarray(0, first))).toBe(0)
    const tail = xml.length - last
    expect(Buffer.compare(now.subarray(now.length - tail), xml.subarray(last))).toBe(0)

    const again = unwrap(DocxDocument.open(saved, NAME))
    const text = unwrap(again.read({}, { maxBytes: 100_000_000 })).text
    if (phrase && phrase.paragraph.story.name === 'body')
      expect(text).toContain('Filewright was here')
    if (anchor) expect(text).toContain('A new paragraph.')
    const refused = new Set(changes.map(({ id }) => id))
    const none = unwrap(docxFormat.replay(bytes, logged(operations), refused, NAME))
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

/** Four words in a row that are scattered over runs, in one container. */
function phraseAcrossRuns(document: DocxDocument) {
  for (const paragraph of document.manuscript.body.paragraphs) {
    if (paragraph.node.closest('w:sdt')) continue // may show data of the document
    const map = textMapOf(paragraph.story.pieces(paragraph))
    for (const match of map.text.matchAll(/[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){3}/gu)) {
      const start = match.index
      const end = start + match[0].length
      const spans = spansIn(map, start, end)
      const border = borderOf(map, start, end)
      const runs = new Set(spans.map(({ piece }) => piece.run))
      if (
        runs.size > 1 &&
        border === undefined &&
        spans.every(({ piece }) => piece.kind === 'text')
      )
        return { id: paragraph.id, text: match[0], paragraph }
    }
  }
  return undefined
}

/** Every other part keeps its packed bytes too. */
function expectOtherPartsKept(before: Uint8Array, after: Uint8Array, touched: string): void {
  const partsOf = (bytes: Uint8Array) =>
    new Map(
      unwrap(readZip(bytes)).entries.map(({ name, start, end }) => [
        name,
        bytes.subarray(start, end),
      ]),
    )
  const now = partsOf(after)
  for (const [name, own] of partsOf(before))
    if (name !== touched)
      expect(Buffer.compare(own, now.get(name) ?? new Uint8Array(0)), name).toBe(0)
}
