import { unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import {
  type CorpusFile,
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
} from '../../../corpus.contract.ts'
import type { LiveNode } from '../../../opc/index.ts'
import { DocxDocument } from '../document.ts'
import type { Paragraph } from '../story/story.ts'
import { borderOf, spansIn, type TextMap, textMapOf } from '../story/text-map.ts'
import { logged, NAME } from './zoo.contract.ts'

const ALLOWED = { allowProtected: true, allowBreakSignature: true }
const PER_FILE = IS_FULL ? 40 : 4
const files = corpusFiles(
  ({ file, category }) => category === 'docx' && /\.(docx|docm|dotx)$/.test(file),
)

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
    const look = properties ? story.tree.xmlOf(properties) : ''
    return new Array<string>(end - start).fill(node === undefined ? '' : look)
  })
}

/** Replaces one phrase; true if it was done, with everything around it as it was. */
function replaced(document: DocxDocument, { paragraph, text }: Phrase, number: number): boolean {
  const { story, id } = paragraph
  const before = textMapOf(story.pieces(paragraph))
  const looks = looksOf(paragraph, before)
  const start = before.text.indexOf(text)
  const operation = { op: 'replace_text', place: id, search: text, replace: 'one §§ two', nth: 1 }
  const result = document.apply(logged([operation], `tc_${number}`), ALLOWED)
  if (!result.ok) {
    expect(result.failure.message).toMatch(
      /crosses the border|is the result of|table of contents|shows the document|of the document's data/,
    )
    return false
  }
  const now = story.paragraph(id)!
  const after = textMapOf(story.pieces(now))
  expect(after.text).toBe(
    `${before.text.slice(0, start)}one §§ two${before.text.slice(start + text.length)}`,
  )
  const left = looksOf(now, after)
  expect(left.slice(0, start)).toEqual(looks.slice(0, start))
  const tail = before.text.length - start - text.length
  expect(left.slice(left.length - tail)).toEqual(looks.slice(looks.length - tail))
  return true
}

describe.skipIf(!hasCorpus)('four-word phrases of real documents', () => {
  test('inside one container all are found and replaced; across borders each is replaced or refused with its reason', () => {
    const counts = { inside: 0, done: 0, scattered: 0, across: 0, acrossDone: 0 }
    for (const file of files) count(file, counts)
    console.info(`phrases: ${JSON.stringify(counts)}`)
    expect(counts.done).toBe(counts.inside)
    expect(counts.inside).toBeGreaterThan(IS_FULL ? 500 : 100)
    expect(counts.scattered).toBeGreaterThan(0)
  }, 600_000)
})

function count(
  file: CorpusFile,
  counts: Record<'inside' | 'done' | 'scattered' | 'across' | 'acrossDone', number>,
): void {
  const document = unwrap(DocxDocument.open(readCorpusFile(file), NAME))
  for (const [number, phrase] of phrasesOf(document).entries()) {
    const isDone = replaced(document, phrase, number)
    if (phrase.isInside) {
      counts.inside++
      if (isDone) counts.done++
      if (phrase.runs > 1) counts.scattered++
    } else {
      counts.across++
      if (isDone) counts.acrossDone++
    }
  }
}
