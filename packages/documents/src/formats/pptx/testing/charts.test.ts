import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { corpusFiles, hasCorpus, readCorpusFile, sampleOf } from '../../../corpus.contract.ts'
import { OpcPackage } from '../../../opc/index.ts'
import { xlsxFormat } from '../../xlsx/format.ts'
import { DeckDocument } from '../document.ts'
import { pptxFormat } from '../format.ts'
import { type Chart, chartOf } from '../slide/chart.ts'
import type { Slide } from '../slide/deck.ts'
import { looseEnds } from './whole.contract.ts'
import { edited, entriesOf, logged, NAME, said, title, zooDeck } from './zoo.contract.ts'

const BOOK = { docPath: 'b.xlsx', path: 'b.xlsx' } as unknown as typeof NAME
const deck = edited(zooDeck({ slides: [{ layout: 6, shapes: title('Sales') }] }), {
  op: 'add_chart',
  index: 0,
  type: 'column',
  title: 'By month',
  categories: ['May', 'June'],
  series: [
    { name: 'Tea', values: [1, 2] },
    { name: 'Coffee', values: [3, null] },
  ],
})

/** The cells of the workbook that the chart opens. */
function workbookText(
  bytes: Uint8Array,
  name = 'ppt/embeddings/Microsoft_Excel_Sheet1.xlsx',
): string {
  const book = unwrap(unwrap(OpcPackage.open(bytes)).part(name))
  const document = unwrap(xlsxFormat.open(book, BOOK))
  return unwrap(document.read({ sheet: 'Sheet1' }, { maxBytes: 100_000 })).text
}

describe('charts', () => {
  test('a new chart shows what its workbook says', () => {
    expect(said(deck)).toEqual([
      'Sales',
      'title: By month',
      'categories: May | June',
      'Tea: 1 | 2',
      'Coffee: 3 | ',
    ])
    expect(workbookText(deck)).toMatch(/May\D+1\D+3[\s\S]*June\D+2/)
    expect(looseEnds(deck)).toEqual([])
  })

  test('new numbers, one category more and one series more are in both', () => {
    const bytes = edited(deck, {
      op: 'set_chart',
      index: 0,
      categories: ['May', 'June', 'July'],
      series: [
        { name: 'Tea', values: [10, 20, 30] },
        { name: 'Coffee', values: [40, 50, 60] },
        { name: 'Milk', values: [70, 80, 90] },
      ],
    })
    expect(said(bytes).slice(2)).toEqual([
      'categories: May | June | July',
      'Tea: 10 | 20 | 30',
      'Coffee: 40 | 50 | 60',
      'Milk: 70 | 80 | 90',
    ])
    expect(workbookText(bytes)).toMatch(/July\D+30\D+60\D+90/)
    expect(workbookText(bytes)).toContain('Milk')
  })

  test('fewer categories leave no old numbers in the workbook', () => {
    const bytes = edited(deck, {
      op: 'set_chart',
      index: 0,
      categories: ['Year'],
      series: [
        { name: 'Tea', values: [7] },
        { name: 'Coffee', values: [8] },
      ],
    })
    expect(said(bytes).slice(2)).toEqual(['categories: Year', 'Tea: 7', 'Coffee: 8'])
    expect(workbookText(bytes)).not.toMatch(/June|\b2\b.*\b2\b.*\b2\b/)
  })

  test('a series without a value for each category is refused', () => {
    const result = unwrap(pptxFormat.open(deck, NAME)).apply(
      logged([{ op: 'set_chart', index: 0, series: [{ name: 'Tea', values: [1, 2, 3] }] }]),
    )
    expect(result.ok ? '' : result.failure.message).toMatch(/"Tea" has 3 values, and there are 2/)
  })

  test('a copied chart is edited, and the original keeps every byte', () => {
    const bytes = edited(
      deck,
      { op: 'duplicate_slide', index: 0 },
      { op: 'set_chart', index: 1, series: [{ name: 'Tea', values: [8, 9] }] },
    )
    const before = entriesOf(deck)
    for (const [name, own] of entriesOf(bytes))
      if (before.has(name) && /charts|embeddings|slides\//.test(name))
        expect(Buffer.compare(own, before.get(name)!), name).toBe(0)
    expect(said(bytes, { slide_index: 0 })).toContain('Tea: 1 | 2')
    expect(said(bytes, { slide_index: 1 })).toContain('Tea: 8 | 9')
    expect(workbookText(bytes, 'ppt/embeddings/Microsoft_Excel_Sheet2.xlsx')).toMatch(/May\D+8/)
    expect(looseEnds(bytes)).toEqual([])
  })

  test('a deleted chart leaves none of its parts', () => {
    const id = unwrap(DeckDocument.open(deck, NAME)).deck.slides[0]!.page.shapes.at(-1)!.key
    const bytes = edited(deck, { op: 'delete_shape', index: 0, shape: id })
    expect(said(bytes)).toEqual(['Sales'])
    expect([...entriesOf(bytes).keys()].filter(name => /charts|embeddings/.test(name))).toEqual([])
    expect(looseEnds(bytes)).toEqual([])
  })
})

const withCharts = sampleOf(
  corpusFiles(({ category, features }) => category === 'pptx' && features.includes('charts')),
  2,
)

describe.skipIf(!hasCorpus)('charts of real decks', () => {
  test.each(withCharts)('$file: cache and workbook agree after an edit', file => {
    const bytes = readCorpusFile(file)
    const first = unwrap(DeckDocument.open(bytes, NAME))
    for (const { slide, key, chart } of chartsOf(first)) {
      const series = chart.series[0]
      if (
        !series ||
        series.values.length === 0 ||
        chart.series.some(
          ({ categories, values }) => categories.length > 0 && categories.length !== values.length,
        )
      )
        continue
      const values = series.values.map((_, at) => at * 1.5 + 0.25)
      const document = unwrap(DeckDocument.open(bytes, NAME))
      const operation = {
        op: 'set_chart',
        index: slide.index,
        chart: key,
        series: [{ values }],
      }
      const applied = document.apply(logged([operation]))
      if (!applied.ok) {
        expect(applied.failure.message).toMatch(
          /workbook of the chart cannot be written|categories/,
        )
        continue
      }
      const saved = toBytes(unwrap(document.content()), bytes)
      const again = unwrap(DeckDocument.open(saved, NAME))
      const now = chartsOf(again).find(own => own.key === key && own.slide.index === slide.index)!
      expect(now.chart.series[0]!.values).toEqual(values)
      expect(looseEnds(saved)).toEqual(looseEnds(bytes))
      if (applied.value.warnings.some(text => text.includes('no workbook'))) continue
      expectInWorkbook(again, now.chart, values)
    }
  })
})

function chartsOf({ deck: own }: DeckDocument): { slide: Slide; key: string; chart: Chart }[] {
  return own.slides.flatMap(slide =>
    slide.page.shapes.flatMap(shape => {
      const chart = chartOf(own, shape)
      return chart ? [{ slide, key: shape.key, chart }] : []
    }),
  )
}

/** The range that the series names holds its numbers. */
function expectInWorkbook(
  { deck: own }: DeckDocument,
  chart: Chart,
  values: readonly number[],
): void {
  const node = chart.series[0]!.node
  const holder = node.child('c:val') ?? node.child('c:yVal')
  const formula = holder && [...holder.all('c:f')][0]
  const [, sheet, range] = /^'?(.+?)'?!(.+)$/.exec(chart.tree.textOf(formula!))!
  const part = own.package.links(chart.part).find(({ kind }) => kind === 'package')!.target
  const book = unwrap(xlsxFormat.open(unwrap(own.package.bytesOf(part)), BOOK))
  const { text } = unwrap(
    book.read({ sheet, range: range!.replaceAll('$', '') }, { maxBytes: 1_000_000 }),
  )
  for (const value of values.slice(0, 50)) expect(text).toContain(String(value))
}
