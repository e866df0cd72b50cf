import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import {
  type CorpusFile,
  corpusFiles,
  hasCorpus,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import { spansIn } from '../../../runs/spans.ts'
import { DeckDocument } from '../document.ts'
import { pptxFormat } from '../format.ts'
import { bodiesOf, type TextBody } from '../slide/bodies.ts'
import { paragraphsOf, textMapOf } from '../slide/text.ts'
import { looseEnds } from './whole.contract.ts'
import { entriesOf, logged, NAME, partText } from './zoo.contract.ts'

const isDeck = ({ file, category }: CorpusFile) =>
  category === 'pptx' && /\.(pptx|pptm|potx)$/.test(file)
const files = sampleOf(corpusFiles(isDeck), 8)
const ALLOWED = { allowBreakSignature: true }

describe.skipIf(!hasCorpus)('real decks', () => {
  test.each(files)('$file: read, edited and saved', file => {
    const bytes = readCorpusFile(file)
    const document = openDeck(bytes)
    unwrap(document.map())
    unwrap(document.read({}, { maxBytes: 20_000, styles: true }))
    unwrap(document.search({ text: 'the', maxHits: 5 }))
    for (const table of unwrap(document.tables())) Array.from(table.rows())
    expect(Buffer.compare(toBytes(unwrap(document.content()), bytes), bytes)).toBe(0)
    if (document.deck.slides.length === 0) return
    if (document.deck.package.isSigned) expectSignature(bytes)
    editTexts(bytes)
    editSlides(bytes)
  })

  test.each(corpusFiles(({ file, category }) => category === 'malformed' && /\.pptx$/.test(file)))(
    '$file: refused or read, never thrown',
    file => {
      const opened = pptxFormat.open(readCorpusFile(file), NAME)
      const result = opened.ok ? opened.value.map() : opened
      if (!result.ok) expect(result.failure.message.length).toBeGreaterThan(20)
    },
  )
})

function openDeck(bytes: Uint8Array): DeckDocument {
  return unwrap(DeckDocument.open(bytes, NAME))
}

function expectSignature(bytes: Uint8Array): void {
  const refused = openDeck(bytes).apply(logged([{ op: 'hide_slide', index: 0 }]))
  expect(refused.ok ? '' : refused.failure.code).toBe('SIGNED')
}

/** A title, or its refusal, and a phrase over runs: only the shapes that they name differ. */
function editTexts(bytes: Uint8Array): void {
  const document = openDeck(bytes)
  const titled = document.apply(
    logged([{ op: 'set_slide_text', index: 0, title: 'Filewright was here' }]),
    ALLOWED,
  )
  if (titled.ok) expect(titled.value.changes).toHaveLength(1)
  else expect(titled.failure.message).toMatch(/no title placeholder.*(Its texts are|no other text)/)

  const fresh = openDeck(bytes)
  const phrase = phraseAcrossRuns(fresh)
  if (!phrase) return
  const { body, text } = phrase
  const { start, end } = body.shape.node.source!
  const { part } = body.shape.page
  const operations = [
    {
      op: 'replace_text',
      index: body.slide.index,
      ...(body.isNotes ? { shape: 'notes' } : { shape: body.shape.key }),
      search: text,
      replace: 'Four other words here',
      nth: 1,
    },
  ]
  const before = Buffer.from(partText(bytes, part))
  const { changes } = unwrap(fresh.apply(logged(operations), ALLOWED))
  expect(changes).toHaveLength(1)
  const saved = toBytes(unwrap(fresh.content()), bytes)
  expectOthersKept(bytes, saved, name => name === part)
  const after = Buffer.from(partText(saved, part))
  expect(Buffer.compare(after.subarray(0, start), before.subarray(0, start))).toBe(0)
  const tail = before.length - end
  expect(Buffer.compare(after.subarray(after.length - tail), before.subarray(end))).toBe(0)
  expect(after.toString('utf8')).toContain('Four')
  expectNoneIsBase(bytes, operations)
}

/** A copy, a move and a deletion leave no part and no link behind, and what they do not name as it is. */
function editSlides(bytes: Uint8Array): void {
  const before = openDeck(bytes)
  const texts = textsOf(before)
  const last = before.deck.slides.length
  const copied = [
    { op: 'duplicate_slide', index: 0 },
    { op: 'move_slide', index: 1, to: last },
  ]
  const twice = applied(bytes, copied)
  expectOthersKept(bytes, twice, isList)
  expect(looseEnds(twice)).toEqual(looseEnds(bytes))
  const again = openDeck(twice)
  expect(textsOf(again)).toEqual([...texts, texts[0]])
  const once = applied(twice, [{ op: 'delete_slide', index: last }])
  expect(textsOf(openDeck(once))).toEqual(texts)
  expect(looseEnds(once)).toEqual(looseEnds(bytes))
  const fewer = applied(bytes, [{ op: 'delete_slide', index: 0 }])
  expect(textsOf(openDeck(fewer))).toEqual(texts.slice(1))
  const fresh = looseEnds(fewer).filter(fault => !looseEnds(bytes).includes(fault))
  expect(fresh).toEqual([])
  expectNoneIsBase(bytes, copied)
}

const isList = (name: string) => /presentation\.xml(\.rels)?$|\[Content_Types\]\.xml$/i.test(name)

function applied(bytes: Uint8Array, operations: readonly Operation[]): Uint8Array {
  const document = openDeck(bytes)
  unwrap(document.apply(logged(operations), ALLOWED))
  return toBytes(unwrap(document.content()), bytes)
}

function textsOf({ deck }: DeckDocument): readonly (readonly string[])[] {
  return deck.slides.map(slide =>
    bodiesOf(slide).flatMap(({ tree, node }) =>
      paragraphsOf(node).map(own => textMapOf(tree, own).text),
    ),
  )
}

function expectNoneIsBase(bytes: Uint8Array, operations: readonly Operation[]): void {
  const log = logged(operations)
  const all = unwrap(pptxFormat.replay(bytes, log, new Set(), NAME))
  const refused = new Set(all.changes.map(({ id }) => id))
  const none = unwrap(pptxFormat.replay(bytes, log, refused, NAME))
  expect(Buffer.compare(toBytes(none.content, bytes), bytes)).toBe(0)
}

/** Every other part keeps its packed bytes too. */
function expectOthersKept(
  before: Uint8Array,
  after: Uint8Array,
  isTouched: (name: string) => boolean,
): void {
  const now = entriesOf(after)
  for (const [name, own] of entriesOf(before))
    if (!isTouched(name))
      expect(Buffer.compare(own, now.get(name) ?? new Uint8Array(0)), name).toBe(0)
}

/** Four words in a row that are scattered over runs, outside of links and fields. */
function phraseAcrossRuns({ deck }: DeckDocument): { body: TextBody; text: string } | undefined {
  for (const slide of deck.slides)
    for (const body of bodiesOf(slide)) {
      if (body.cell || body.shape.twin) continue
      for (const own of paragraphsOf(body.node)) {
        const map = textMapOf(body.tree, own)
        for (const match of map.text.matchAll(/[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){3}/gu)) {
          const spans = spansIn(map, match.index, match.index + match[0].length)
          const isPlain = spans.every(({ piece }) => piece.kind === 'text' && !piece.link)
          if (isPlain && new Set(spans.map(({ piece }) => piece.run)).size > 1)
            return { body, text: match[0] }
        }
      }
    }
  return undefined
}
