import { type Change, type Operation, toBytes, unwrap } from '@filewright/protocol'
import { type CorpusFile, corpusFiles } from '../../../corpus.contract.ts'
import { DocxDocument } from '../document.ts'
import type { Paragraph } from '../story/story.ts'
import { borderOf, spansIn, textMapOf } from '../story/text-map.ts'
import { logged, NAME } from './zoo.contract.ts'

export const DOCUMENTS: readonly CorpusFile[] = corpusFiles(
  ({ file, category }) => category === 'docx' && /\.(docx|docm|dotx)$/i.test(file),
)
/** The person said yes to what a signature or a protection forbids. */
export const ALLOWED = { allowProtected: true, allowBreakSignature: true }

const LATE = 0.8 // of the body; an edit at its end has pages in front of it

export interface Phrase {
  readonly text: string
  readonly paragraph: Paragraph
}

/** Four words in a row that are scattered over runs, in one container: the first or the last of the body. */
export function phraseAcrossRuns(
  document: DocxDocument,
  from: 'start' | 'end' = 'start',
): Phrase | undefined {
  const { paragraphs } = document.manuscript.body
  const late = paragraphs.slice(Math.floor(paragraphs.length * LATE))
  for (const paragraph of from === 'start' ? paragraphs : late.reverse()) {
    if (paragraph.node.closest('w:sdt')) continue // may show data of the document
    const map = textMapOf(paragraph.story.pieces(paragraph))
    for (const match of map.text.matchAll(/[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){3}/gu)) {
      const start = match.index
      const end = start + match[0].length
      const spans = spansIn(map, start, end)
      const runs = new Set(spans.map(({ piece }) => piece.run))
      const isPlain = spans.every(({ piece }) => piece.kind === 'text')
      if (runs.size > 1 && isPlain && borderOf(map, start, end) === undefined)
        return { text: match[0], paragraph }
    }
  }
  return undefined
}

/** A paragraph of the body that stands in no cell, box or control: the first or the last. */
export function plainParagraph(
  document: DocxDocument,
  from: 'start' | 'end' = 'start',
): Paragraph | undefined {
  const isPlain = ({ cell, box, node }: Paragraph) => !cell && !box && !node.closest('w:sdt')
  const { paragraphs } = document.manuscript.body
  return from === 'start' ? paragraphs.find(isPlain) : paragraphs.findLast(isPlain)
}

/** A word of both edits; on a page it stands where the lines break between others. */
export const EDITED = 'Filewright'
export const REPLACEMENT = 'Filewright was here'
export const INSERTED = 'A new paragraph of Filewright.'

export interface CorpusEdit {
  readonly document: DocxDocument
  readonly phrase: Phrase | undefined
  readonly anchor: Paragraph | undefined
  readonly operations: readonly Operation[]
}

/** What a colleague does to a document: a phrase that crosses runs gets other words, and a paragraph comes. */
export function planEdit(bytes: Uint8Array, from: 'start' | 'end' = 'start'): CorpusEdit {
  const document = unwrap(DocxDocument.open(bytes, NAME))
  const phrase = phraseAcrossRuns(document, from)
  const anchor = plainParagraph(document, from)
  const operations: Operation[] = []
  if (phrase)
    operations.push({
      op: 'replace_text',
      place: phrase.paragraph.id,
      search: phrase.text,
      replace: REPLACEMENT,
      nth: 1,
    })
  if (anchor) operations.push({ op: 'insert_paragraph', after: anchor.id, text: INSERTED })
  return { document, phrase, anchor, operations }
}

/** The document after the edit. */
export function edited(
  bytes: Uint8Array,
  from: 'start' | 'end' = 'start',
): { readonly bytes: Uint8Array; readonly changes: readonly Change[] } {
  const { document, operations } = planEdit(bytes, from)
  const { changes } = unwrap(document.apply(logged(operations), ALLOWED))
  return { bytes: toBytes(unwrap(document.content()), bytes), changes }
}
