import { type Operation, toBytes, unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../../../../test/repair-lint/lint.ts'
import { agreesWithWorkbook } from '../../../charts/workbook.contract.ts'
import { corpusFiles, hasCorpus, readCorpusFile } from '../../../corpus.contract.ts'
import { readZip } from '../../../opc/index.ts'
import { DocxDocument } from '../document.ts'
import { docxFormat } from '../format.ts'
import { rebase } from '../rebase.ts'
import { chartOf } from '../story/chart-of.ts'
import { chartDocument } from './chart-document.contract.ts'
import { ALLOWED } from './corpus-edit.contract.ts'
import { logged, NAME, p, zooDocument } from './zoo.contract.ts'

function after(bytes: Uint8Array, operation: Operation) {
  const document = unwrap(DocxDocument.open(bytes, NAME))
  const applied = unwrap(document.apply(logged([operation]), ALLOWED))
  return { ...applied, bytes: toBytes(unwrap(document.content()), bytes) }
}

/** Every chart of a document with its paragraph. */
function chartsIn(bytes: Uint8Array) {
  const { manuscript } = unwrap(DocxDocument.open(bytes, NAME))
  return manuscript.stories.flatMap(story =>
    story.paragraphs.flatMap(paragraph =>
      story
        .pieces(paragraph)
        .filter(({ kind, label }) => kind === 'token' && label.startsWith('chart'))
        .flatMap(({ node }, at) => {
          const chart = chartOf(manuscript.package, story, node)
          return chart ? [{ chart, place: paragraph.id, nth: at + 1, own: manuscript.package }] : []
        }),
    ),
  )
}

describe('charts in documents', () => {
  test('the map shows what they say', () => {
    const { fields } = unwrap(unwrap(docxFormat.open(chartDocument, NAME)).map())
    expect(fields.images).toEqual([
      {
        paragraph: 'p2',
        kind: 'chart',
        data: ['categories: May | June', 'Tea: 1 | 2', 'Coffee: 3 | '],
      },
    ])
  })

  test('new numbers are in what the chart shows and in its workbook, and nowhere else', () => {
    const { bytes, changes } = after(chartDocument, {
      op: 'set_chart',
      categories: ['May', 'June', 'July'],
      series: [
        { name: 'Tea', values: [10, 20, 30] },
        { name: 'Coffee', values: [4, 5, 6] },
        { name: 'Milk', values: [7, 8, 9] },
      ],
    })
    expect(changes.map(({ place }) => place)).toEqual(['paragraph 2, chart'])
    const [found] = chartsIn(bytes)
    expect(found!.chart.series.map(({ name, values }) => [name, values])).toEqual([
      ['Tea', [10, 20, 30]],
      ['Coffee', [4, 5, 6]],
      ['Milk', [7, 8, 9]],
    ])
    expect(agreesWithWorkbook(found!.own, found!.chart)).toBe(true)
    expect(changedParts(chartDocument, bytes)).toEqual([
      'word/charts/chart1.xml',
      'word/embeddings/Microsoft_Excel_Sheet1.xlsx',
    ])
  })

  test('values that do not match the categories are refused', () => {
    const document = unwrap(docxFormat.open(chartDocument, NAME))
    const result = document.apply(logged([{ op: 'set_chart', series: [{ values: [1, 2, 3] }] }]))
    expect(result.ok ? '' : result.failure.message).toMatch(/has 3 values, and there are 2/)
  })

  test('a document without a chart names what lists them', () => {
    const document = unwrap(docxFormat.open(zooDocument({ body: p('One') }), NAME))
    const result = document.apply(logged([{ op: 'set_chart', series: [{ values: [1] }] }]))
    expect(result.ok ? '' : result.failure.message).toMatch(/there is no chart in the document/)
  })

  test('numbers that somebody else changed meanwhile are not written over', () => {
    const log = logged([{ op: 'set_chart', series: [{ name: 'Tea', values: [8, 9] }] }])
    const theirs = after(chartDocument, {
      op: 'set_chart',
      series: [{ name: 'Coffee', values: [5, 5] }],
    })
    const planned = unwrap(docxFormat.replay(chartDocument, log, new Set(), NAME)).content
    const words = { version: 'v', since: 'since', advice: 'Read it again.' }
    const request = {
      name: NAME,
      base: chartDocument,
      log,
      refused: new Set<never>(),
      planned,
      ...words,
    }
    const moved = rebase({ ...request, current: theirs.bytes, isDraft: true })
    expect(moved.ok ? '' : moved.failure.message).toMatch(/shows other numbers now/)
    const other = after(chartDocument, { op: 'insert_paragraph', after: 'p1', text: 'New' })
    const kept = unwrap(rebase({ ...request, current: other.bytes, isDraft: true }))
    const [found] = chartsIn(toBytes(kept.content, other.bytes))
    expect(found!.chart.series[0]!.values).toEqual([8, 9])
  })
})

const counts = { edited: 0, inWorkbook: 0 }

describe.skipIf(!hasCorpus)('charts of real documents', () => {
  afterAll(() => console.info(`Charts: ${JSON.stringify(counts)}`))

  test.each(
    corpusFiles(({ category, features }) => category === 'docx' && features.includes('charts')),
  )('$file: cache and workbook agree after an edit', file => {
    const bytes = readCorpusFile(file)
    for (const { place, nth, chart } of chartsIn(bytes)) {
      const values = chart.series[0]!.values.map((_, at) => at * 1.5 + 0.25)
      const operation = { op: 'set_chart', place, nth, series: [{ values }] }
      const { bytes: saved, warnings } = after(bytes, operation)
      const now = chartsIn(saved).find(own => own.place === place && own.nth === nth)!
      expect(now.chart.series[0]!.values).toEqual(values)
      const isInWorkbook = agreesWithWorkbook(now.own, now.chart)
      expect(warnings.some(text => text.includes('no workbook'))).toBe(!isInWorkbook)
      expect(newRepairFaults(bytes, saved)).toEqual([])
      expect(changedParts(bytes, saved).every(name => /charts|embeddings/.test(name))).toBe(true)
      counts.edited++
      if (isInWorkbook) counts.inWorkbook++
    }
  })

  test('all of them were edited', () => {
    expect(counts.edited).toBeGreaterThanOrEqual(7)
    expect(counts.inWorkbook).toBeGreaterThanOrEqual(7)
  })
})

function changedParts(before: Uint8Array, now: Uint8Array): readonly string[] {
  const partsOf = (bytes: Uint8Array) =>
    new Map(
      unwrap(readZip(bytes)).entries.map(({ name, start, end }) => [
        name,
        bytes.subarray(start, end),
      ]),
    )
  const old = partsOf(before)
  return [...partsOf(now)]
    .filter(([name, own]) => Buffer.compare(own, old.get(name) ?? new Uint8Array(0)) !== 0)
    .map(([name]) => name)
}
