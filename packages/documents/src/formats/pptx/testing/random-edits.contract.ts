import type { Operation } from '@filewright/protocol'
import type { DeckDocument } from '../document.ts'
import { chartOf } from '../slide/chart.ts'
import { isFooter } from '../slide/inherit.ts'
import { bodyText } from '../slide/text.ts'

const TEXTS = ['A short one', 'a < b & "c"', 'Zürich 🙂 und mehr', 'Several\nlines\n  below']
const WORDS = ['changed', 'two words', 'a much longer phrase than before', 'x']

/** One operation on what the deck has now; a few of them are refused. */
export function randomDeckOperation({ deck }: DeckDocument, random: () => number): Operation {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const slide = pick(deck.slides)
  const { index } = slide
  const any = () => Math.floor(random() * deck.slides.length)
  const shapes = slide.page.shapes.filter(own => !isFooter(own) && !own.group)
  const texts = shapes.filter(
    ({ body, page }) => body && /\p{L}{2}/u.test(bodyText(page.tree, body)),
  )
  const tables = shapes.filter(({ kind }) => kind === 'table')
  const charts = shapes.flatMap(own => {
    const chart = chartOf(deck, own)
    return chart?.series[0] ? [{ chart: own.key, count: chart.series[0].values.length }] : []
  })
  const ofSlide: (() => Operation)[] = [
    () => ({ op: 'set_slide_text', index, title: pick(TEXTS).split('\n')[0] }),
    () => ({ op: 'append_bullets', index, bullets: [pick(TEXTS), { text: 'Below', level: 1 }] }),
    () => ({ op: 'set_notes', index, text: pick(TEXTS) }),
    () => ({ op: 'duplicate_slide', index }),
    () => ({ op: 'move_slide', index, to: any() }),
    () => ({ op: 'delete_slide', index }),
    () => ({ op: 'hide_slide', index, hidden: random() < 0.5 }),
    () => ({ op: 'add_slide', at: any(), title: pick(TEXTS) }),
    () => ({ op: 'add_text_box', index, text: pick(TEXTS), left: 10, top: 10, width: 200 }),
    () => ({ op: 'set_footer', index, text: pick(WORDS), slide_number: true }),
    () => ({ op: 'apply_layout', index, layout: pick(deck.layouts).name }),
  ]
  const onText: (() => Operation)[] = [
    () => ({ op: 'set_shape_text', index, shape: pick(texts).key, text: pick(TEXTS) }),
    () => ({ op: 'append_text', index, shape: pick(texts).key, text: pick(TEXTS) }),
    () => ({ op: 'replace_text', index, ...wordIn(), replace: pick(WORDS) }),
    () => ({ op: 'replace_text', search: wordIn().search, replace: pick(WORDS) }),
    () => ({ op: 'format_text', index, ...wordIn(), bold: true, color: '00AA00' }),
    () => ({ op: 'set_hyperlink', index, ...wordIn(), url: 'https://example.org/' }),
    () => ({ op: 'move_shape', index, shape: pick(texts).key, left: 12, top: 34 }),
    () => ({ op: 'delete_shape', index, shape: pick(shapes).key }),
  ]
  const onTable: (() => Operation)[] = [
    () => ({ op: 'set_table', index, table: pick(tables).key, values: [[pick(WORDS)]] }),
    () => ({ op: 'insert_table_rows', index, table: pick(tables).key, values: [[pick(WORDS)]] }),
    () => ({ op: 'delete_table_rows', index, table: pick(tables).key, rows: [2] }),
    () => ({ op: 'insert_table_columns', index, table: pick(tables).key }),
  ]
  const onChart = () => {
    const { chart, count } = pick(charts)
    const values = Array.from({ length: count }, () => Math.round(random() * 100))
    return { op: 'set_chart', index, chart, series: [{ values }] }
  }
  const wordIn = () => {
    const { key, page, body } = pick(texts)
    const [...words] = bodyText(page.tree, body!).matchAll(/[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)?/gu)
    return { shape: key, search: pick(words)[0] }
  }
  return pick([
    ...ofSlide,
    ...(texts.length > 0 ? [...onText, ...onText] : []),
    ...(tables.length > 0 ? [...onTable, ...onTable] : []),
    ...(charts.length > 0 ? [onChart, onChart, onChart] : []),
  ])()
}
