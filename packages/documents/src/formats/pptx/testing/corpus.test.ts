import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import {
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import type { DeckDocument } from '../document.ts'
import { pptxFormat } from '../format.ts'
import { bodiesOf } from '../slide/bodies.ts'
import { paragraphsOf, textMapOf } from '../slide/text.ts'
import { titleOf } from '../slide/titles.ts'
import {
  ALLOWED,
  DECKS,
  openDeck,
  phraseAcrossRuns,
  replaceOperation,
  savedDeck,
  TITLE,
} from './corpus-edit.contract.ts'
import { looseEnds } from './whole.contract.ts'
import { entriesOf, logged, NAME, partText } from './zoo.contract.ts'

const files = sampleOf(DECKS, 8)
const counts = { decks: 0, titled: 0, refused: 0, phrases: 0, signed: 0 }

describe.skipIf(!hasCorpus)('real decks', () => {
  afterAll(() => console.info(`Decks: ${JSON.stringify(counts)}`))

  test.each(files)('$file: read, edited and published', file => {
    const bytes = readCorpusFile(file)
    const document = openDeck(bytes)
    unwrap(document.map())
    unwrap(document.read({}, { maxBytes: 20_000, styles: true }))
    unwrap(document.search({ text: 'the', maxHits: 5 }))
    for (const table of unwrap(document.tables())) Array.from(table.rows())
    expect(Buffer.compare(savedDeck(document, bytes), bytes)).toBe(0)
    counts.decks++
    if (document.deck.slides.length === 0) return
    if (document.deck.package.isSigned) expectSignature(bytes)
    editTitle(bytes)
    editPhrase(bytes)
    editSlides(bytes)
  })

  test('most of them take a title, and many have a phrase that crosses runs', () => {
    expect(counts.decks).toBe(files.length)
    expect(counts.titled).toBeGreaterThan(counts.decks * 0.4)
    if (!IS_FULL) return
    expect(counts.titled).toBeGreaterThanOrEqual(24)
    expect(counts.phrases).toBeGreaterThanOrEqual(15)
    expect(counts.signed).toBe(1)
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

function expectSignature(bytes: Uint8Array): void {
  const refused = openDeck(bytes).apply(logged([{ op: 'hide_slide', index: 0 }]))
  expect(refused.ok ? '' : refused.failure.code).toBe('SIGNED')
  counts.signed++
}

/** A title, or its refusal: the slide's part differs, in that shape alone. */
function editTitle(bytes: Uint8Array): void {
  const document = openDeck(bytes)
  const [slide] = document.deck.slides
  const { part } = slide!.page
  const own = slide!.page.shapes.find(({ placeholder }) =>
    /^(title|ctrTitle)$/.test(placeholder?.type ?? ''),
  )?.node.source
  const operation = { op: 'set_slide_text', index: 0, title: TITLE }
  const titled = document.apply(logged([operation]), ALLOWED)
  if (!titled.ok) {
    expect(titled.failure.message).toMatch(/no title placeholder.*(Its texts are|no other text)/)
    counts.refused++
    return
  }
  counts.titled++
  expect(titled.value.changes).toHaveLength(1)
  const saved = savedDeck(document, bytes)
  expect(titleOf(openDeck(saved).deck.slides[0]!)).toBe(TITLE)
  expectOthersKept(bytes, saved, name => name === part)
  expect([...entriesOf(saved).keys()]).toEqual([...entriesOf(bytes).keys()])
  expect(looseEnds(saved)).toEqual(looseEnds(bytes))
  if (own) expectKeptOutside(bytes, saved, part, own)
  expectNoneIsBase(bytes, [operation])
}

/** A phrase over runs: only the shape that it is in differs. */
function editPhrase(bytes: Uint8Array): void {
  const document = openDeck(bytes)
  const phrase = phraseAcrossRuns(document)
  if (!phrase) return
  counts.phrases++
  const { shape } = phrase.body
  const { part } = shape.page
  const source = shape.node.source!
  const operations = [replaceOperation(phrase)]
  const { changes } = unwrap(document.apply(logged(operations), ALLOWED))
  expect(changes).toHaveLength(1)
  const saved = savedDeck(document, bytes)
  expectOthersKept(bytes, saved, name => name === part)
  expectKeptOutside(bytes, saved, part, source)
  expect(partText(saved, part)).toContain('Four')
  expect(partText(saved, part)).not.toBe(partText(bytes, part))
  expectNoneIsBase(bytes, operations)
}

/** The bytes of a part in front of a shape and behind it are as they were. */
function expectKeptOutside(
  bytes: Uint8Array,
  saved: Uint8Array,
  part: string,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  const before = Buffer.from(partText(bytes, part))
  const after = Buffer.from(partText(saved, part))
  expect(Buffer.compare(after.subarray(0, start), before.subarray(0, start))).toBe(0)
  const tail = before.length - end
  expect(Buffer.compare(after.subarray(after.length - tail), before.subarray(end))).toBe(0)
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
  expectOthersKept(bytes, once, isList)
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
  return savedDeck(document, bytes)
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
