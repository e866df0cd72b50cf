import { counted } from '@filewright/protocol'
import { type LiveNode, type LivePackage, numberAt } from '../opc/index.ts'
import { Refusal } from '../refusal.ts'
import type { Chart } from './chart.ts'
import { dropPoints, formulaIn, setNumbers, setTexts } from './chart-cache.ts'
import {
  type LineWrite,
  parseRange,
  rangeText,
  workbookPart,
  writtenWorkbook,
} from './chart-workbook.ts'
import type { ReadSeries } from './read-chart.ts'

/** Numbers as an operation gives them; without a name those of the series at its position. */
export interface ChartSeries {
  readonly name?: string | undefined
  readonly values: readonly (number | null)[]
}

export interface ChartData {
  readonly categories?: readonly (string | number)[] | undefined
  readonly series?: readonly ChartSeries[] | undefined
}

/** What a series is to show; a new one is made like the last. */
export interface SeriesPlan {
  readonly known: ReadSeries | undefined
  readonly name: string
  readonly values: readonly (number | null)[] | undefined
  readonly categories: readonly (string | number)[] | undefined
}

/** What each series is to show; refused where categories and values would not match. */
export function planChart(
  { series: own }: Chart,
  { categories, series: asked = [] }: ChartData,
): readonly SeriesPlan[] {
  if (!categories && asked.length === 0) throw invalidData('set_chart needs categories or series')
  const taken = new Map<ReadSeries, ChartSeries>()
  const added: ChartSeries[] = []
  for (const [at, field] of asked.entries()) {
    const byName = own.find(({ name }) => name === field.name)
    const known = byName ?? (field.name === undefined ? own[at] : undefined)
    if (known) taken.set(known, field)
    else added.push(field)
  }
  if (added.length > 0 && own.length === 0)
    throw invalidData('the chart has no series that a new one could look like')
  const pie = own.find(({ node }) => PIES.has(node.parent?.name ?? ''))
  if (added.length > 0 && pie)
    throw invalidData(
      `a pie shows one series, ${JSON.stringify(pie.name)}, so ${JSON.stringify(added[0]!.name ?? '')} would not show; send that name, or none`,
    )
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
      throw invalidData(
        `${JSON.stringify(name)} has ${counted(length, 'value')}, and there ${count === 1 ? 'is 1 category' : `are ${count} categories`}; give every series as many values`,
      )
  }
  return plans.filter(({ values, categories: texts }) => values || texts)
}

const PIES: ReadonlySet<string> = new Set(['c:pieChart', 'c:pie3DChart', 'c:ofPieChart'])

/** Writes what a chart shows and what its workbook holds; returns a warning where it has none that can be written. */
export function writeChart(
  own: LivePackage,
  chart: Chart,
  plan: readonly SeriesPlan[],
): string | undefined {
  const lines: LineWrite[] = []
  let isWhole = true
  for (const each of plan) {
    const written = writeSeries(chart, each)
    if (written) lines.push(...written)
    else isWhole = false
  }
  const part = workbookPart(own, chart)
  if (part === undefined || !isWhole)
    return `The chart ${part === undefined ? 'has no workbook of its own' : 'takes its numbers from more than single lines of cells'}, so only what it shows was changed; opening its data may bring the old numbers back.`
  const bytes = own.bytesOf(part)
  const unique = [
    ...new Map(lines.map(line => [`${line.sheet} ${line.column} ${line.row}`, line])).values(),
  ]
  const written = bytes.ok ? writtenWorkbook(bytes.value, unique) : bytes.failure.message
  if (typeof written === 'string')
    throw new Refusal('CONFLICT', `the workbook of the chart cannot be written: ${written}`)
  own.setBytes(part, written)
  return undefined
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

function invalidData(message: string): Refusal {
  return new Refusal('INVALID_ARGUMENT', message)
}
