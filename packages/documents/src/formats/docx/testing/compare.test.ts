import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import {
  type CorpusFile,
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import { DocxDocument } from '../document.ts'
import { textMapOf } from '../story/text-map.ts'
import { loggedWith } from './png.contract.ts'
import { logged, NAME } from './zoo.contract.ts'

const ALLOWED = { allowProtected: true, allowBreakSignature: true }
const MOST_BYTES = IS_FULL ? 400_000 : 60_000 // a larger document says the same and takes longer

const documents = corpusFiles(
  ({ file, category, size }: CorpusFile) =>
    category === 'docx' && /\.docx$/.test(file) && size < MOST_BYTES,
)

function after(bytes: Uint8Array, ...operations: readonly Operation[]): Uint8Array | undefined {
  const opened = DocxDocument.open(bytes, NAME)
  if (!opened.ok || !opened.value.apply(logged(operations, 'tc_e'), ALLOWED).ok) return undefined
  return toBytes(unwrap(opened.value.content()), bytes)
}

/** The text of the body, paragraph by paragraph; an empty one says nothing, and comments and prompts are no part of it. */
function textOf(bytes: Uint8Array): readonly string[] {
  const { body } = unwrap(DocxDocument.open(bytes, NAME)).manuscript
  return body.paragraphs
    .filter(({ box }) => !box)
    .map(
      own =>
        textMapOf(
          body.pieces(own).filter(piece => !piece.isPrompt && !/^comment/.test(piece.label)),
        ).text,
    )
    .filter(text => text.trim() !== '')
}

function compared(first: Uint8Array, second: Uint8Array) {
  const { operations, inputs } = loggedWith('second.docx', second, [
    { op: 'compare_with', from: 'second.docx', author: 'Ann' },
  ])
  const document = unwrap(DocxDocument.open(first, NAME))
  const applied = document.apply(operations, { ...ALLOWED, inputs })
  if (!applied.ok) return { refused: applied.failure }
  const { changes, warnings } = applied.value
  return { changes, warnings, bytes: toBytes(unwrap(document.content()), first) }
}

/** Without tracked changes, of which there may be none. */
function settled(bytes: Uint8Array): Uint8Array {
  return after(bytes, { op: 'accept_revisions' }) ?? bytes
}

/** A later version: words, a paragraph more and one less. */
function later(bytes: Uint8Array): Uint8Array | undefined {
  const { body } = unwrap(DocxDocument.open(bytes, NAME)).manuscript
  const plain = body.paragraphs.filter(
    own =>
      own.node.parent === body.root &&
      /^[\p{L}\p{N} .,;:'’()-]{20,}$/u.test(textMapOf(body.pieces(own)).text),
  )
  const [first, , third] = plain
  if (!first || !third) return undefined
  const word = /\p{L}{4,}/u.exec(textMapOf(body.pieces(first)).text)?.[0]
  return after(
    bytes,
    ...(word
      ? [{ op: 'replace_text', place: first.id, search: word, replace: 'changed', track: false }]
      : []),
    { op: 'insert_paragraph', after: first.id, text: 'A new remark.', track: false },
    { op: 'delete_paragraph', place: third.id, track: false },
  )
}

let pairs = 0

function expectBoth(first: Uint8Array, second: Uint8Array): number {
  const { bytes, changes = [], warnings = [] } = compared(first, second)
  if (!bytes || warnings.some(text => text.includes('left as they are'))) return 0
  expect(textOf(changes.length === 0 ? bytes : settled(bytes))).toEqual(textOf(second))
  const rejected = changes.length === 0 ? bytes : after(bytes, { op: 'reject_revisions' })!
  expect(textOf(rejected)).toEqual(textOf(first))
  pairs++
  return changes.length
}

describe.skipIf(!hasCorpus)('compare_with on real documents', () => {
  const edited = sampleOf(documents, 5)
  test.each(edited)('$file and a later version: accepted the second, rejected the first', file => {
    const first = settled(readCorpusFile(file))
    const second = later(first)
    if (second) expect(expectBoth(first, second)).toBeGreaterThan(0)
  })

  const planets = ['Jupiter', 'Saturn', 'Mars', 'Neptune', 'solar-system'].flatMap(name =>
    documents.filter(({ file }) => file.includes(name)),
  )
  test.each(sampleOf(planets.slice(1), 2))('$file against another: accepted and rejected', file => {
    const [first, second] = [planets[0]!, file].map(own => settled(readCorpusFile(own)))
    expect(expectBoth(first!, second!)).toBeGreaterThan(0)
  })

  test('there were enough pairs', () => expect(pairs).toBeGreaterThanOrEqual(IS_FULL ? 20 : 3))
})
