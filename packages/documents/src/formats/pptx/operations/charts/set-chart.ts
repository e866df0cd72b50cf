import { counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import type { LiveNode } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { findShape, slideField } from '../../edit/fields.ts'
import { numberAt } from '../../parts/values.ts'
import { type Chart, type ChartSeries, chartOf } from '../../slide/chart.ts'
import type { Slide } from '../../slide/deck.ts'
import type { Shape } from '../../slide/page.ts'
import { dropPoints, formulaIn, setNumbers, setTexts } from './chart-cache.ts'
import { categoriesField, type SeriesField, seriesField } from './chart-fields.ts'
import {
  type LineWrite,
  parseRange,
  rangeText,
  workbookPart,
  writtenWorkbook,
} from './chart-workbook.ts'

/** Gives a chart new numbers: in the copy that it shows, and in the workbook that it opens. */
export function setChart(editor: DeckEditor, operation: Fields): OperationResult {
  const slide = slideField(editor, operation)
  const ref = editor.resolve('chart', () => `@${slide.key}/${chosen(slide, operation).key}`)
  const shape = editor.shape(ref)
  const chart = chartOf(editor.deck, shape)
  if (!chart)
    throw new Refusal(
      'CONFLICT',
      `${shape.key} (${shape.name}) is no chart whose numbers can be set`,
    )
  const categories = categoriesField(operation)
  const series = seriesField(operation)
  if (!categories && series.length === 0)
    throw wrongArgument('set_chart needs categories or series')
  const plan = planOf(chart, categories, series)
  const side = () => ({ text: shownChart(chartOf(editor.deck, editor.shape(ref))) })
  editor.change(
    {
      kind: 'chart',
      place: editor.deck.placeOf(ref),
      keys: [`${ref} data`],
      reads: [ref, `@${slide.key}`],
      before: side(),
      after: side,
      atomic: true,
    },
    () => {
      write(editor, chart, plan)
      return true
    },
  )
  return {
    op: 'set_chart',
    message: `Set ${counted(plan.length, 'series', 'series')} of ${shape.name} on slide ${slide.index}.`,
  }
}

function chosen(slide: Slide, { chart, shape, op }: Fields): Shape {
  const wanted = chart ?? shape
  if (wanted !== undefined && wanted !== null) return findShape(slide, wanted, op)
  const charts = slide.page.shapes.filter(({ kind }) => kind === 'chart')
  if (charts[0] && charts.length === 1) return charts[0]
  throw wrongArgument(
    charts.length === 0
      ? `slide ${slide.index} has no chart; add_chart makes one`
      : `slide ${slide.index} has ${charts.length} charts; name one with chart: ${charts.map(({ key, name }) => `${key} (${name})`).join(', ')}`,
  )
}

/** What a series is to show; a new one is made like the last. */
interface SeriesPlan {
  readonly known: ChartSeries | undefined
  readonly name: string
  readonly values: readonly (number | null)[] | undefined
  readonly categories: readonly (string | number)[] | undefined
}

function planOf(
  { series: own }: Chart,
  categories: readonly (string | number)[] | undefined,
  asked: readonly SeriesField[],
): readonly SeriesPlan[] {
  const taken = new Map<ChartSeries, SeriesField>()
  const added: SeriesField[] = []
  for (const [at, field] of asked.entries()) {
    const byName = own.find(({ name }) => name === field.name)
    const known = byName ?? (field.name === undefined ? own[at] : undefined)
    if (known) taken.set(known, field)
    else added.push(field)
  }
  if (added.length > 0 && own.length === 0)
    throw wrongArgument('the chart has no series that a new one could look like')
  const count = categories?.length ?? own[0]?.categories.length ?? 0
  const plans = [
    ...own.map(known => ({
      known,
      name: known.name,
      values: taken.get(known)?.values,
      categories,
    })),
    ...added.map(({ name = '', values }) => ({ known: undefined, name, values, categories })),
  ]
  for (const { name, values, known } of plans) {
    const length = values?.length ?? known?.values.length ?? 0
    if (count > 0 && length !== count)
      throw wrongArgument(
        `${JSON.stringify(name)} has ${counted(length, 'value')}, and there ${count === 1 ? 'is 1 category' : `are ${count} categories`}; give every series as many values`,
      )
  }
  return plans.filter(({ values, categories: texts }) => values || texts)
}

function write(editor: DeckEditor, chart: Chart, plan: readonly SeriesPlan[]): void {
  const lines: LineWrite[] = []
  let isWhole = true
  for (const own of plan) {
    const written = writeSeries(chart, own)
    if (written) lines.push(...written)
    else isWhole = false
  }
  const part = workbookPart(editor, chart)
  if (part === undefined || !isWhole) {
    editor.warn(
      `The chart ${part === undefined ? 'has no workbook of its own' : 'takes its numbers from more than single lines of cells'}, so only what it shows was changed; opening its data in PowerPoint may bring the old numbers back.`,
    )
    return
  }
  const bytes = editor.deck.package.bytesOf(part)
  const unique = [
    ...new Map(lines.map(own => [`${own.sheet} ${own.column} ${own.row}`, own])).values(),
  ]
  const written = bytes.ok ? writtenWorkbook(bytes.value, unique) : bytes.failure.message
  if (typeof written === 'string')
    throw new Refusal('CONFLICT', `the workbook of the chart cannot be written: ${written}`)
  editor.deck.package.setBytes(part, written)
}

/** Writes what a series shows; returns what its workbook must hold, undefined where no line of cells is named. */
function writeSeries(
  chart: Chart,
  { known, name, values, categories }: SeriesPlan,
): LineWrite[] | undefined {
  const { tree } = chart
  const node = known?.node ?? newSeries(chart, name)
  const lines: (LineWrite | undefined)[] = []
  const put = (holder: LiveNode, list: readonly (string | number | null)[]) => {
    const line = parseRange(formulaIn(tree, holder) ?? '')
    lines.push(line && { ...line, values: list, before: line.length })
    return line && rangeText({ ...line, length: list.length })
  }
  const x = node.child('c:cat') ?? node.child('c:xVal')
  const y = node.child('c:val') ?? node.child('c:yVal')
  if (categories && x) setTexts(tree, x, categories, put(x, categories))
  if (values && y) {
    setNumbers(tree, y, values, put(y, values))
    dropPoints(tree, node, values.length)
  }
  const text = node.child('c:tx')
  if (!known && text) put(text, [name])
  const found = lines.filter(line => line !== undefined)
  return found.length === lines.length ? found : undefined
}

/** Like the last series, in the next line of the workbook, in the next colour. */
function newSeries({ tree, series }: Chart, name: string): LiveNode {
  const last = series.at(-1)!.node
  const all = [...last.parent!.parent!.all('c:ser')]
  const next = (child: string) =>
    Math.max(...all.map(own => numberAt(tree, own.child(child), 'val') ?? 0)) + 1
  const copy = tree.clone(last)
  const [idx, order] = [next('c:idx'), next('c:order')]
  tree.setAttribute(copy.child('c:idx')!, 'val', String(idx))
  tree.setAttribute(copy.child('c:order')!, 'val', String(order))
  for (const gone of ['c:spPr', 'c:dPt', 'c:dLbls', 'c:extLst'])
    for (const child of copy.children.filter(own => own.name === gone)) tree.remove(child)
  const isAcross = parseRange(formulaIn(tree, copy.child('c:val')) ?? '')?.isAcross === true
  for (const holder of ['c:tx', 'c:val', 'c:yVal']) shiftLine(tree, copy.child(holder), isAcross)
  const text = copy.child('c:tx')
  if (text) setTexts(tree, text, [name], undefined)
  tree.after(last, [copy])
  return copy
}

/** The next column for values that go down, the next row for values that go across. */
function shiftLine(tree: Chart['tree'], holder: LiveNode | undefined, isAcross: boolean): void {
  const formula = [...(holder?.all('c:f') ?? [])][0]
  const line = formula && parseRange(tree.textOf(formula))
  if (!formula || !line) return
  const next = isAcross ? { ...line, row: line.row + 1 } : { ...line, column: line.column + 1 }
  tree.setText(formula, rangeText(next))
}

function shownChart(chart: Chart | undefined): string {
  if (!chart) return ''
  const categories = chart.series[0]?.categories ?? []
  return [
    categories.join(' | '),
    ...chart.series.map(
      ({ name, values }) => `${name}: ${values.map(value => value ?? '').join(' | ')}`,
    ),
  ].join('\n')
}
