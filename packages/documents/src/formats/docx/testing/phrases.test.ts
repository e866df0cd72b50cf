import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import {
  type CorpusFile,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import type { LiveNode } from '../../../opc/index.ts'
import { DocxDocument } from '../document.ts'
import type { Paragraph } from '../story/story.ts'
import { borderOf, spansIn, type TextMap, textMapOf } from '../story/text-map.ts'
import { ALLOWED, DOCUMENTS } from './corpus-edit.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const PER_FILE = IS_FULL ? 40 : 4
const files = IS_FULL ? DOCUMENTS : sampleOf(DOCUMENTS, 40)

interface Phrase {
  readonly paragraph: Paragraph
  readonly start: number
  readonly text: string
  readonly isInside: boolean
  readonly runs: number
}

/** Four-word phrases, one of a paragraph, spread over the document. */
function phrasesOf(document: DocxDocument): Phrase[] {
  const found = document.manuscript.stories.flatMap(story =>
    story.paragraphs.flatMap(paragraph => {
      const map = textMapOf(story.pieces(paragraph))
      const matches = [...map.text.matchAll(/[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){3}/gu)]
      const match = matches[Math.floor(matches.length / 2)]
      return match ? [toPhrase(paragraph, map, match.index, match[0])] : []
    }),
  )
  const step = Math.max(1, Math.floor(found.length / PER_FILE))
  return found.filter((_, index) => index % step === 0).slice(0, PER_FILE)
}

function toPhrase(paragraph: Paragraph, map: TextMap, start: number, text: string): Phrase {
  const end = start + text.length
  const border = borderOf(map, start, end)
  let isInside = border !== false
  for (let at = border || undefined; at; at = at.outer)
    if (at.kind === 'field' || at.node.child('w:sdtPr')?.child('w:dataBinding')) isInside = false
  for (let at: LiveNode | null = paragraph.node; at; at = at.parent)
    if (at.child('w:sdtPr')?.child('w:dataBinding')) isInside = false
  const runs = new Set(spansIn(map, start, end).map(({ piece }) => piece.run)).size
  return { paragraph, start, text, isInside, runs }
}

/** How each character looks. */
function looksOf({ story, node }: Paragraph, map: TextMap): string[] {
  return map.spans.flatMap(({ piece, start, end }) => {
    const properties = piece.run?.child('w:rPr')
    // the halves of a recorded change of the look have ids of their own
    const look = properties ? story.tree.xmlOf(properties, name => name === 'w:id') : ''
    return new Array<string>(end - start).fill(node === undefined ? '' : look)
  })
}

/** Replaces one phrase, with everything around it as it was; the reason where it is refused. */
function replaced(
  document: DocxDocument,
  { paragraph, text }: Pick<Phrase, 'paragraph' | 'text'>,
  number: number,
): string | undefined {
  const { story, id } = paragraph
  const before = textMapOf(story.pieces(paragraph))
  const looks = looksOf(paragraph, before)
  const start = before.text.indexOf(text)
  const operation = { op: 'replace_text', place: id, search: text, replace: 'one §§ two', nth: 1 }
  const result = document.apply(logged([operation], `tc_${number}`), ALLOWED)
  if (!result.ok) return result.failure.message
  const now = story.paragraph(id)!
  const after = textMapOf(story.pieces(now))
  expect(after.text).toBe(
    `${before.text.slice(0, start)}one §§ two${before.text.slice(start + text.length)}`,
  )
  const left = looksOf(now, after)
  expect(left.slice(0, start)).toEqual(looks.slice(0, start))
  const tail = before.text.length - start - text.length
  expect(left.slice(left.length - tail)).toEqual(looks.slice(looks.length - tail))
  return undefined
}

describe.skipIf(!hasCorpus)('four-word phrases of real documents', () => {
  test('inside one container all are found and replaced, formatting outside unchanged', () => {
    const counts = { inside: 0, done: 0, scattered: 0 }
    for (const file of files) {
      const document = unwrap(DocxDocument.open(readCorpusFile(file), NAME))
      for (const [number, phrase] of phrasesOf(document).entries()) {
        if (!phrase.isInside) continue
        counts.inside++
        expect(replaced(document, phrase, number), phrase.text).toBeUndefined()
        counts.done++
        if (phrase.runs > 1) counts.scattered++
      }
    }
    if (IS_FULL) console.info(`phrases: ${JSON.stringify(counts)}`)
    expect(counts.done).toBe(counts.inside)
    expect(counts.inside).toBeGreaterThan(IS_FULL ? 500 : 60)
    expect(counts.scattered).toBeGreaterThan(0)
  }, 600_000)

  test('across links, fields, controls and insertions each is replaced or refused with its reason', () => {
    const counts = new Map<string, { replaced: number; refused: number }>()
    for (const file of files) countCrossing(file, counts)
    if (IS_FULL) console.info(`across: ${JSON.stringify(Object.fromEntries(counts))}`)
    const of = (kind: Crossing) => counts.get(kind) ?? { replaced: 0, refused: 0 }
    expect(of('insertion').refused).toBe(0)
    for (const kind of ['link', 'field', 'control'] as const) expect(of(kind).replaced).toBe(0)
    for (const kind of IS_FULL ? CROSSINGS : (['link', 'insertion'] as const))
      expect(of(kind).replaced + of(kind).refused, kind).toBeGreaterThan(0)
  }, 600_000)
})

const CROSSINGS = ['link', 'field', 'control', 'insertion'] as const
type Crossing = (typeof CROSSINGS)[number]

/** The reason that is defined for each kind. */
const REASONS: Readonly<Record<Crossing, RegExp>> = {
  link: /crosses the border of a (link|field|content control)/,
  field: /crosses the border of a|is the result of|table of contents|shows the document property/,
  control: /crosses the border of a|of the document's data/,
  insertion: /^$/,
}

function countCrossing(
  file: CorpusFile,
  counts: Map<string, { replaced: number; refused: number }>,
): void {
  const document = unwrap(DocxDocument.open(readCorpusFile(file), NAME))
  for (const [number, { kind, ...phrase }] of crossingsOf(document).entries()) {
    const own = counts.get(kind) ?? { replaced: 0, refused: 0 }
    counts.set(kind, own)
    const reason = replaced(document, phrase, number)
    if (reason === undefined) own.replaced++
    else {
      expect(reason, `${file.file} ${phrase.text}`).toMatch(REASONS[kind])
      own.refused++
    }
  }
}

/** Four words in a row that stand on both sides of a border, or inside what a field computes: one of a paragraph. */
function crossingsOf(document: DocxDocument) {
  const found: { kind: Crossing; paragraph: Paragraph; text: string }[] = []
  for (const story of document.manuscript.stories)
    for (const paragraph of story.paragraphs) {
      const map = textMapOf(story.pieces(paragraph))
      const isPlain = map.spans.every(({ piece }) => !piece.border && !piece.revision)
      const crossing = isPlain ? undefined : findCrossing(map)
      if (crossing) found.push({ ...crossing, paragraph })
    }
  return CROSSINGS.flatMap(kind => found.filter(own => own.kind === kind).slice(0, PER_FILE))
}

function findCrossing(map: TextMap): { kind: Crossing; text: string } | undefined {
  for (const match of map.text.matchAll(
    /(?=(?<![\p{L}\p{N}])([\p{L}\p{N}]+(?: [\p{L}\p{N}]+){3})(?![\p{L}\p{N}]))/gu,
  )) {
    const text = match[1]!
    const start = match.index
    if (map.text.indexOf(text) !== start) continue
    const kind = kindOfCrossing(map, start, start + text.length)
    if (kind) return { kind, text }
  }
  return undefined
}

function kindOfCrossing(map: TextMap, start: number, end: number): Crossing | undefined {
  const border = borderOf(map, start, end)
  const spans = spansIn(map, start, end)
  if (border === false) return spans.flatMap(({ piece }) => piece.border?.kind ?? [])[0]
  for (let at = border; at; at = at.outer) if (at.kind === 'field') return 'field'
  if (border) return undefined
  const [first, ...others] = spans
  const isMixed = others.some(({ piece }) => piece.revision !== first?.piece.revision)
  return isMixed ? 'insertion' : undefined
}
