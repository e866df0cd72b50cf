import type { DocPath, LoggedOperation, Operation, RelativePath } from '@filewright/protocol'
import { toBytes, unwrap } from '@filewright/protocol'
import type { DocumentName, Format, OpenDocument } from '../../packages/documents/src/format.ts'
import { documentDrafts } from '../../packages/documents/src/formats/docx/document-drafts.ts'
import {
  randomFrom,
  randomTrackedOperation,
  sceneOf,
} from '../../packages/documents/src/formats/docx/testing/random-edits.contract.ts'
import {
  p,
  r,
  styled,
  table,
  zooDocument,
} from '../../packages/documents/src/formats/docx/testing/zoo.contract.ts'
import { DeckDocument } from '../../packages/documents/src/formats/pptx/document.ts'
import { pptxFormat } from '../../packages/documents/src/formats/pptx/format.ts'
import { randomDeckOperation } from '../../packages/documents/src/formats/pptx/testing/random-edits.contract.ts'
import {
  content,
  title,
  zooDeck,
} from '../../packages/documents/src/formats/pptx/testing/zoo.contract.ts'
import { textFormat } from '../../packages/documents/src/formats/text/format.ts'
import { xlsxFormat } from '../../packages/documents/src/formats/xlsx/format.ts'
import { randomBooks } from '../../packages/documents/src/formats/xlsx/testing/random-books.contract.ts'
import { randomOperation } from '../../packages/documents/src/formats/xlsx/testing/random-edits.contract.ts'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { createEvaluator } from '../../packages/engine/src/formulas/evaluator.ts'

export type Replaying = Pick<Format, 'open' | 'replay'>

/** A kind of file, what a draft may start from, and what a call may ask for next. */
export interface Kind {
  readonly format: Replaying
  /** The same where nothing computes formulas; absent: nothing does. */
  readonly plain?: Replaying
  readonly name: DocumentName
  readonly bases: readonly Uint8Array[]
  readonly next: (
    document: OpenDocument,
    random: () => number,
    log: readonly LoggedOperation[],
  ) => Operation
}

export interface RandomDraft {
  readonly base: Uint8Array
  readonly live: OpenDocument
  readonly log: readonly LoggedOperation[]
}

const ALLOWED = { allowProtected: true, allowBreakSignature: true }
const MOST_CALLS = 5
const MOST_OPERATIONS = 3

/** A draft as one process made it: only what was accepted, with what its log keeps. */
export function randomDraft({ format, name, bases, next }: Kind, seed: number): RandomDraft {
  const random = randomFrom(seed)
  const base = bases[Math.floor(random() * bases.length)]!
  const live = unwrap(format.open(base, name))
  const log: LoggedOperation[] = []
  for (let call = 0; call < MOST_CALLS; call++) {
    const count = 1 + Math.floor(random() * MOST_OPERATIONS)
    const asked: LoggedOperation[] = []
    for (let index = 0; index < count; index++)
      asked.push({
        toolCallId: `tc_${call}`,
        index,
        operation: next(live, random, log),
        circumstances: { time: '2026-03-04T05:06:07.000Z', author: 'Ann', seed: call },
      })
    const done = live.apply(asked, ALLOWED)
    if (!done.ok) continue
    const traces = done.value.traces
    log.push(...asked.map((own, index) => ({ ...own, trace: traces[index]! })))
  }
  return { base, live, log: JSON.parse(JSON.stringify(log)) }
}

/** In a process that knows nothing but the log. */
export function replayed({ name }: Kind, format: Replaying, { base, log }: RandomDraft) {
  const fresh = unwrap(format.open(base, name))
  const applied = fresh.apply(log, ALLOWED)
  return applied.ok
    ? {
        refused: '',
        strayed: fresh.strayed?.() ?? [],
        bytes: bytesOf(fresh, base),
        changes: fresh.changes(),
      }
    : { refused: applied.failure.message, strayed: [], bytes: base, changes: [] }
}

export function bytesOf(document: OpenDocument, base: Uint8Array): Uint8Array {
  return toBytes(unwrap(document.content()), base)
}

function nameOf(path: string): DocumentName {
  return { docPath: path as DocPath, path: path as RelativePath }
}

const evaluator = createEvaluator()

const FORMULAS = zooBook({
  sheets: {
    U: '<row r="1"><c r="A1" t="inlineStr"><is><t>n</t></is></c><c r="B1" t="inlineStr"><is><t>x</t></is></c><c r="C1" t="inlineStr"><is><t>y</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>a</t></is></c><c r="B2"><v>1</v></c><c r="C2"><f>B2*10</f><v>10</v></c></row><row r="3"><c r="A3" t="inlineStr"><is><t>b</t></is></c><c r="B3"><v>2</v></c><c r="C3"><f>B3*10</f><v>20</v></c></row><row r="4"><c r="A4" t="inlineStr"><is><t>c</t></is></c><c r="B4"><v>3</v></c><c r="C4"><f>B4*10</f><v>30</v></c></row><row r="5"><c r="A5" t="inlineStr"><is><t>d</t></is></c><c r="B5"><v>1</v></c><c r="C5"><f>B5*10</f><v>10</v></c></row>',
    T: '<row r="1"><c r="A1"><v>4</v></c><c r="B1"><f>SUM(U!C2:C5)</f><v>70</v></c></row>',
  },
})

/** Operations that look at values, which an earlier edit may have made others. */
function lookingAtValues(document: OpenDocument, random: () => number): Operation {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const names = (unwrap(document.map()).fields.sheets as { name: string }[]).map(own => own.name)
  const sheet = pick(names)
  const column = () => pick(['A', 'B', 'C'])
  const number = () => Math.floor(random() * 60)
  const row = () => 2 + Math.floor(random() * 4)
  return pick<() => Operation>([
    () => ({ op: 'set_cells', sheet, cells: [{ cell: `B${row()}`, value: number() }] }),
    () => ({ op: 'set_cells', sheet, cells: [{ cell: `B${row()}`, value: number() }] }),
    () => ({ op: 'sort_range', sheet, range: 'A1:C5', header: true, by: [column()] }),
    () => ({
      op: 'sort_range',
      sheet,
      range: 'A2:C5',
      header: false,
      by: [{ column: column(), descending: true }],
    }),
    () => ({
      op: 'copy_range',
      sheet,
      range: 'C2:C5',
      to: pick(['E2', 'C8', 'G1']),
      what: 'values',
    }),
    () => ({ op: 'delete_rows', sheet, where: { column: column(), above: number() } }),
    () => ({ op: 'remove_duplicates', sheet, range: 'A1:C5', header: true, columns: [column()] }),
    () => ({
      op: 'auto_filter',
      sheet,
      range: 'A1:C5',
      filters: [{ column: 'C', above: number() }],
    }),
    () => ({ op: 'fill', sheet, range: 'D2:D5', formula: pick(['C2+1', 'SUM(B$2:B2)']) }),
    () => ({ op: 'fill', sheet, range: pick(['B2:B9', 'B3:B7']), pattern: true }),
    () => ({ op: 'append_rows', sheet, values: [['e', number(), { formula: 'B6*10' }]] }),
    () => ({ op: 'add_table', sheet, range: 'A1:C5' }),
    () => ({ op: 'move_range', sheet, range: 'A5:C5', to: pick(['A9', 'E1']) }),
    () => ({ op: 'delete_rows', sheet, rows: [row()] }),
    () => ({ op: 'delete_columns', sheet, columns: [column()] }),
    () => ({ op: 'insert_columns', sheet, at: column() }),
    () => ({ op: 'insert_rows', sheet, at: row() }),
    () => ({ op: 'insert_cells', sheet, range: 'A5:C5', shift: 'down' }),
    () => ({ op: 'convert_cells', sheet, range: 'C2:C5', to: 'text' }),
    () => ({ op: 'transform_cells', sheet, range: 'A1:C5', steps: [{ multiply: 3 }] }),
    () => ({ op: 'transform_cells', sheet, range: 'A2:A5', steps: ['upper', { suffix: '1' }] }),
    () => ({ op: 'unpivot', sheet, range: 'A1:C5', keep: [column()], to: pick(['J1', 'T!J9']) }),
    () => ({
      ...{ op: 'pivot_rows', sheet, range: 'A1:C5', rows: ['A'], columns: 'B', values: ['C'] },
      ...{ function: pick(['sum', 'join']), to: 'P1' },
    }),
    () => ({ op: 'subtotal_rows', sheet, range: 'A1:C5', by: ['A'], columns: ['B'] }),
    () => ({ op: 'freeze_values', sheet, range: pick(['C2:C5', 'B1:E9']) }),
    () => ({ op: 'replace_values', sheet, range: 'B2:C5', values: { '10': 11, '1': 7 } }),
    () => ({ op: 'add_chart', sheet, kind: 'column', data: 'A1:C5' }),
    () => ({ op: 'add_pivot', sheet, source: 'A1:C5', rows: ['n'], values: ['y'], to: 'J1' }),
    () => ({ op: 'define_name', name: pick(['Rate', 'Sum']), refers_to: `${sheet}!$C$2:$C$5` }),
  ])()
}

const PLAIN_TEXT = Array.from({ length: 30 }, (_, i) => `line ${i} of ${i % 7}\n`).join('')

/** Writes, and edits of words that are there. */
function textOperation(document: OpenDocument, random: () => number): Operation {
  const { text } = unwrap(document.read({}, { maxBytes: 100_000 }))
  const words = text.match(/[a-z]+ \d+/g) ?? []
  const search = words[Math.floor(random() * words.length)] ?? 'none'
  const replace = ['', 'x\ny', `${search}!`, 'other 7'][Math.floor(random() * 4)]!
  if (random() < 0.05) return { op: 'write_text', content: PLAIN_TEXT.slice(0, random() * 300) }
  return { op: 'edit_text', edits: [{ search, replace, ...(random() < 0.7 && { all: true }) }] }
}

const text = (path: string, base: string): Kind => ({
  format: textFormat,
  name: nameOf(path),
  bases: [new TextEncoder().encode(base), new Uint8Array()],
  next: textOperation,
})

const workbook = (bases: readonly Uint8Array[], next: Kind['next']): Kind => ({
  format: xlsxFormat.computing!(evaluator) as Format,
  plain: xlsxFormat,
  name: nameOf('s.xlsx'),
  bases,
  next,
})

export const KINDS: Readonly<Record<string, Kind>> = {
  text: text('a.txt', PLAIN_TEXT),
  csv: text('t.csv', `Name,Units\n${PLAIN_TEXT.replaceAll(' of ', ',')}`),
  'xlsx, values': workbook([FORMULAS], lookingAtValues),
  'xlsx, everything': workbook(
    randomBooks().map(({ bytes }) => bytes),
    (document, random) => (random() < 0.3 ? lookingAtValues : randomOperation)(document, random),
  ),
  docx: {
    format: documentDrafts,
    name: nameOf('d.docx'),
    bases: [
      zooDocument({
        body: [
          styled('Heading1', r('Offer of goods')),
          p(r('Dear {{Name}}, the '), r('price', '<w:b/>'), r(' is ten and the price is final.')),
          table(['Item', 'Units'], ['Nuts', 'three'], ['Bolts', 'five']),
          styled('Heading1', r('Terms and price')),
          p(r('Paid within thirty days, or the price rises.')),
        ].join(''),
      }),
    ],
    next: (document, random) => randomTrackedOperation(sceneOf(document), random),
  },
  pptx: {
    format: pptxFormat,
    name: nameOf('p.pptx'),
    bases: [
      zooDeck({
        slides: [
          { shapes: title('First plans') + content('More goods and fewer words') },
          { shapes: title('Second goals') + content('Less price and more words'), notes: 'Say it' },
        ],
      }),
    ],
    next: (_, random, log) => deckOperation(random, log),
  },
}

/** What is on the slides now is not said by a read, so the log is done again. */
function deckOperation(random: () => number, log: readonly LoggedOperation[]): Operation {
  const { bases, name } = KINDS.pptx!
  const deck = unwrap(DeckDocument.open(bases[0]!, name))
  unwrap(deck.apply(log, ALLOWED))
  return deck.deck.slides.length === 0
    ? { op: 'add_slide', title: 'New words' }
    : randomDeckOperation(deck, random)
}
