import { type Operation, unwrap } from '@filewright/protocol'
import type { OpenDocument } from '../../../format.ts'

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const TEXTS = [
  'A short one.',
  'Several **bold** and *leaning* words.',
  'a < b & "c"',
  'Zürich 🙂 und mehr',
  'one\ttab',
  'two\nlines',
]
const WORDS = ['changed', 'two words', 'a much longer phrase than before', '', 'x']

/** What a random operation may name. */
interface Scene {
  readonly paragraphs: readonly { readonly id: string; readonly text: string }[]
  readonly tables: readonly { readonly id: string; readonly rows: number }[]
  readonly styles: readonly string[]
}

export function sceneOf(document: OpenDocument): Scene {
  const { fields } = unwrap(document.read({}, { maxBytes: 30_000 }))
  const map = unwrap(document.map()).fields
  return {
    paragraphs: fields.paragraphs as Scene['paragraphs'],
    tables: map.documentTables as Scene['tables'],
    styles: (map.styles as { name: string }[]).map(({ name }) => name),
  }
}

/** One operation with a form as a tracked change, on what the document has now; a few of them are refused. */
export function randomTrackedOperation(
  { paragraphs, tables, styles }: Scene,
  random: () => number,
): Operation {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const worded = paragraphs.filter(({ text }) => /\p{L}{2}/u.test(text))
  const any = () => pick(paragraphs).id
  const where = () => pick([{ after: any() }, { before: any() }])
  const texts = () => Array.from({ length: upTo(3) }, () => pick(TEXTS))
  const target = () => {
    const { id, text } = pick(worded)
    const words = [...text.matchAll(/[\p{L}\p{N}]+(?: [\p{L}\p{N}]+){0,3}/gu)]
    return { place: id, search: pick(words)[0], nth: 1 }
  }
  const onText: (() => Operation)[] = [
    () => ({ op: 'replace_text', ...target(), replace: pick(WORDS) }),
    () => ({ op: 'replace_text', search: target().search, replace: pick(WORDS) }),
    () => ({ op: 'set_paragraph', place: pick(worded).id, text: pick(TEXTS) }),
    () => ({ op: 'format_text', ...target(), ...pick([{ bold: true }, { color: 'C00000' }]) }),
    () => ({ op: 'add_footnote', ...target(), text: 'A note.' }),
  ]
  const onParagraphs: (() => Operation)[] = [
    () => ({ op: 'insert_paragraph', ...where(), text: texts() }),
    () => ({ op: 'insert_paragraph', ...where(), text: pick(TEXTS), style: pick(styles) }),
    () => ({ op: 'append_paragraph', text: texts() }),
    () => ({ op: 'delete_paragraph', place: any() }),
    () => ({ op: 'move_paragraph', place: any(), ...where() }),
    () => ({ op: 'set_style', place: any(), style: pick(styles) }),
    () => ({ op: 'insert_page_break', before: any() }),
    () => ({ op: 'insert_caption', after: any(), text: 'A view' }),
    () => ({
      op: 'insert_markdown',
      ...where(),
      markdown: '# New\n\nText\n\n| A | B |\n|---|---|\n| 1 | 2 |',
    }),
    () => ({
      op: 'insert_table',
      after: any(),
      values: [
        ['Name', 'Sum'],
        ['Ann', 12],
      ],
    }),
    () => ({ op: 'set_page', paper: 'Letter', margins: { left: upTo(4) } }),
  ]
  const onTables: (() => Operation)[] = [
    () => ({
      op: 'set_table',
      table: pick(tables).id,
      cells: [{ row: 1, column: 1, value: pick(WORDS) }],
    }),
    () => ({ op: 'insert_table_rows', table: pick(tables).id, after_row: 1, values: [['a', 'b']] }),
    () => ({ op: 'delete_table_rows', table: pick(tables).id, rows: 1 }),
    () => ({ op: 'format_table', table: pick(tables).id, row: 1, shading: 'D9E2F3' }),
  ]
  const kinds = [
    onParagraphs,
    ...(worded.length > 0 ? [onText, onText] : []),
    ...(tables.length > 0 ? [onTables] : []),
  ]
  return pick(pick(kinds))()
}
