import { toBytes, unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import type { Chart } from '../../../charts/chart.ts'
import type { ReadSeries } from '../../../charts/read-chart.ts'
import { agreesWithWorkbook } from '../../../charts/workbook.contract.ts'
import {
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import { OpcPackage } from '../../../opc/index.ts'
import { xlsxFormat } from '../../xlsx/format.ts'
import { DeckDocument } from '../document.ts'
import { pptxFormat } from '../format.ts'
import { chartOf } from '../slide/chart.ts'
import type { Slide } from '../slide/deck.ts'
import { looseEnds } from './whole.contract.ts'
import { edited, entriesOf, logged, NAME, partText, said, title, zooDeck } from './zoo.contract.ts'

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

  test('its text is large enough for a slide, and in front of the link to its workbook', () => {
    expect(partText(deck, 'ppt/charts/chart1.xml')).toMatch(
      /<\/c:chart><c:txPr>.*sz="1400".*<\/c:txPr><c:externalData /,
    )
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

  test('a pie takes no series more, because it would not show', () => {
    const series = [{ name: 'Tea', values: [1, 2] }]
    const pie = { op: 'add_chart', index: 0, type: 'pie', categories: ['May', 'June'], series }
    const document = unwrap(pptxFormat.open(deck, NAME))
    unwrap(
      document.apply(
        logged([
          { op: 'add_slide', title: 'New' },
          { ...pie, index: 1 },
        ]),
      ),
    )
    const set = (name: string) =>
      document.apply(
        logged([{ op: 'set_chart', index: 1, series: [{ name, values: [3, 4] }] }], name),
      )
    expect(set('Milk')).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('a pie shows one series, "Tea"') },
    })
    expect(set('Tea').ok).toBe(true)
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
  4,
)

const counts = { charts: 0, uneven: 0, edited: 0, inWorkbook: 0, copies: 0 }

describe.skipIf(!hasCorpus)('charts of real decks', () => {
  afterAll(() => console.info(`Charts: ${JSON.stringify(counts)}`))

  test.each(withCharts)('$file: cache and workbook agree after an edit', file => {
    const bytes = readCorpusFile(file)
    for (const { slide, key, chart } of chartsOf(unwrap(DeckDocument.open(bytes, NAME)))) {
      counts.charts++
      const { values = [], categories = [] } = chart.series[0] ?? {}
      if (values.length === 0 || chart.series.some(own => isUneven(own))) {
        counts.uneven++
        continue
      }
      const numbers = values.map((_, at) => at * 1.5 + 0.25)
      const more = [...categories.map((own, at) => own ?? `Category ${at}`), 'One more']
      const fixed = { op: 'set_chart', index: slide.index, chart: key }
      const wider = chart.series.map((own, at) => ({
        values: at === 0 ? [...numbers, 99] : [...own.values, 7],
      }))
      const edits = [
        { ...fixed, series: [{ values: numbers }] },
        ...(categories.length > 0 ? [{ ...fixed, categories: more, series: wider }] : []),
      ]
      for (const [at, operation] of edits.entries()) {
        const document = unwrap(DeckDocument.open(bytes, NAME))
        const { warnings } = unwrap(document.apply(logged([operation])))
        const saved = toBytes(unwrap(document.content()), bytes)
        const again = unwrap(DeckDocument.open(saved, NAME))
        const now = chartsOf(again).find(own => own.key === key && own.slide.index === slide.index)!
        expect(now.chart.series[0]!.values).toEqual(at === 0 ? numbers : [...numbers, 99])
        expect(looseEnds(saved)).toEqual(looseEnds(bytes))
        const isInWorkbook = agreesWithWorkbook(again.deck.package, now.chart)
        expect(
          warnings.some(text => text.includes('no workbook')),
          'it is only warned of where no workbook is embedded',
        ).toBe(!isInWorkbook)
        counts.edited++
        if (isInWorkbook) counts.inWorkbook++
      }
    }
  })

  test.each(withCharts)(
    '$file: the copy of a slide is edited, the original keeps its parts',
    file => {
      const bytes = readCorpusFile(file)
      const document = unwrap(DeckDocument.open(bytes, NAME))
      const found = chartsOf(document).find(({ chart }) => !chart.series.some(isUneven))
      if (!found) return
      const { slide, key, chart } = found
      const copy = slide.index + 1
      const values = chart.series[0]!.values.map((_, at) => at + 0.5)
      const tables = slide.page.shapes.filter(({ kind }) => kind === 'table')
      const operations = [
        { op: 'duplicate_slide', index: slide.index },
        { op: 'set_chart', index: copy, chart: key, series: [{ values }] },
        { op: 'set_notes', index: copy, text: 'Notes of the copy' },
        ...tables.map(own => ({
          op: 'set_table',
          index: copy,
          table: own.key,
          values: [['Copy']],
        })),
      ]
      unwrap(document.apply(logged(operations)))
      const saved = entriesOf(toBytes(unwrap(document.content()), bytes))
      for (const [name, own] of entriesOf(bytes))
        if (!/presentation\.xml(\.rels)?$|\[Content_Types\]\.xml$/i.test(name))
          expect(Buffer.compare(own, saved.get(name) ?? new Uint8Array(0)), name).toBe(0)
      counts.copies++
    },
  )

  test('none is refused, and those with a workbook are many', () => {
    expect(counts.edited).toBeGreaterThanOrEqual(counts.charts - counts.uneven)
    expect(counts.edited).toBeGreaterThan(0)
    if (!IS_FULL) return
    expect(counts.charts - counts.uneven).toBeGreaterThanOrEqual(23)
    expect(counts.inWorkbook).toBeGreaterThanOrEqual(20)
    expect(counts.copies).toBeGreaterThanOrEqual(8)
  })
})

/** A chart that shows fewer or more numbers than it has categories takes no list of either length. */
function isUneven({ categories, values }: ReadSeries): boolean {
  return categories.length > 0 && categories.length !== values.length
}

function chartsOf({ deck: own }: DeckDocument): { slide: Slide; key: string; chart: Chart }[] {
  return own.slides.flatMap(slide =>
    slide.page.shapes.flatMap(shape => {
      const chart = chartOf(own, shape)
      return chart ? [{ slide, key: shape.key, chart }] : []
    }),
  )
}
