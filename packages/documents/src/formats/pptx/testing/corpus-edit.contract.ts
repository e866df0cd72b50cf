import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { type CorpusFile, corpusFiles } from '../../../corpus.contract.ts'
import { spansIn } from '../../../runs/spans.ts'
import { DeckDocument } from '../document.ts'
import { bodiesOf, type TextBody } from '../slide/bodies.ts'
import { paragraphsOf, textMapOf } from '../slide/text.ts'
import { logged, NAME } from './zoo.contract.ts'

export const DECKS: readonly CorpusFile[] = corpusFiles(
  ({ file, category }) => category === 'pptx' && /\.(pptx|pptm|potx)$/i.test(file),
)
/** The person said yes to what a signature forbids. */
export const ALLOWED = { allowBreakSignature: true }
export const TITLE = 'Filewright was here'
export const REPLACEMENT = 'Four other words here'

export function openDeck(bytes: Uint8Array): DeckDocument {
  return unwrap(DeckDocument.open(bytes, NAME))
}

export function savedDeck(document: DeckDocument, base: Uint8Array): Uint8Array {
  return toBytes(unwrap(document.content()), base)
}

export interface DeckPhrase {
  readonly body: TextBody
  readonly text: string
}

/** Four words in a row, else two, else a piece of text, best first. */
const PHRASES = [
  /[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){3}/gu,
  /[\p{L}\p{N}]+ [\p{L}\p{N}]+/gu,
  /\S.{1,20}\S/gu,
]

/** Text that is scattered over runs, outside of links and fields. */
export function phraseAcrossRuns({ deck }: DeckDocument): DeckPhrase | undefined {
  const bodies = deck.slides
    .flatMap(slide => bodiesOf(slide))
    .filter(({ cell, shape }) => !cell && !shape.twin)
  for (const pattern of PHRASES)
    for (const body of bodies) {
      const text = phraseIn(body, pattern)
      if (text !== undefined) return { body, text }
    }
  return undefined
}

function phraseIn({ node, tree }: TextBody, pattern: RegExp): string | undefined {
  for (const own of paragraphsOf(node)) {
    const map = textMapOf(tree, own)
    for (const match of map.text.matchAll(pattern)) {
      const spans = spansIn(map, match.index, match.index + match[0].length)
      const isPlain = spans.every(({ piece }) => piece.kind === 'text' && !piece.link)
      if (isPlain && new Set(spans.map(({ piece }) => piece.run)).size > 1) return match[0]
    }
  }
  return undefined
}

export function replaceOperation({ body, text }: DeckPhrase): Operation {
  return {
    op: 'replace_text',
    index: body.slide.index,
    ...(body.isNotes ? { shape: 'notes' } : { shape: body.shape.key }),
    search: text,
    replace: REPLACEMENT,
    nth: 1,
  }
}

export interface EditedDeck {
  readonly bytes: Uint8Array
  /** The slides of the file whose picture may differ now, from 0. */
  readonly touched: ReadonlySet<number>
  readonly done: readonly string[]
  /** What was refused, with the reason. */
  readonly refused: readonly string[]
}

/**
 * What a colleague does to a deck. The copy of the first slide takes the place of the last one, so that no other slide gets
 * another number.
 */
export function arranged(bytes: Uint8Array): EditedDeck {
  const document = openDeck(bytes)
  const last = document.deck.slides.length - 1
  const phrase = phraseAcrossRuns(document)
  return applyEach(document, bytes, new Set([0, last, phrase?.body.slide.index ?? 0]), [
    { op: 'duplicate_slide', index: 0 },
    { op: 'move_slide', index: 1, to: last + 1 },
    ...(last > 0 ? [{ op: 'delete_slide', index: last }] : []),
    ...(phrase && (last === 0 || phrase.body.slide.index !== last)
      ? [replaceOperation(phrase)]
      : []),
    { op: 'set_slide_text', index: 0, title: TITLE },
  ])
}

/** Everything that can come onto the first slide and behind it. */
export function filled(bytes: Uint8Array): EditedDeck {
  const document = openDeck(bytes)
  const all = document.deck.slides.length
  const chart = {
    type: 'column',
    title: 'By month',
    categories: ['May', 'June', 'July'],
    series: [
      { name: 'Tea', values: [1, 2, 3] },
      { name: 'Coffee', values: [4, null, 6] },
    ],
  }
  return applyEach(document, bytes, new Set([0]), [
    { op: 'add_text_box', index: 0, text: 'A box', left: 20, top: 20, width: 200 },
    { op: 'add_table', index: 0, values: [['A', 'B'], ['1', '2']] }, // biome-ignore format: a table
    { op: 'insert_table_rows', index: 0, values: [['3', '4']] },
    { op: 'insert_table_columns', index: 0 },
    { op: 'add_chart', index: 0, ...chart },
    { op: 'append_bullets', index: 0, bullets: ['One more', { text: 'Below it', level: 1 }] },
    { op: 'set_notes', index: 0, text: 'Say hello' },
    { op: 'format_text', index: 0, search: 'box', bold: true, color: 'C00000' },
    { op: 'set_hyperlink', index: 0, search: 'A box', url: 'https://example.org/' },
    { op: 'set_footer', index: 0, text: 'Confidential', slide_number: true, date: '1 May 2026' },
    { op: 'add_slide', title: 'The end', body: ['One', { text: 'Two', level: 1 }], notes: 'Bye' },
    { op: 'add_chart', index: all, ...chart, type: 'pie', series: [chart.series[0]] },
    { op: 'hide_slide', index: all },
    { op: 'apply_layout', index: all, layout: document.deck.layouts.at(-1)?.name ?? '' },
  ])
}

/** One after the other; what is refused is left out. */
function applyEach(
  document: DeckDocument,
  bytes: Uint8Array,
  touched: ReadonlySet<number>,
  operations: readonly Operation[],
): EditedDeck {
  const done: string[] = []
  const refused: string[] = []
  for (const [at, operation] of operations.entries()) {
    const result = document.apply(logged([operation], `tc_${at}`), ALLOWED)
    if (result.ok) done.push(operation.op)
    else refused.push(`${operation.op}: ${result.failure.message}`)
  }
  return { bytes: savedDeck(document, bytes), touched, done, refused }
}
