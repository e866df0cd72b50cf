import type { LiveNode, LiveTree } from '../opc/index.ts'
import { dropPoints } from './chart-cache.ts'
import {
  type ChartKind,
  type ChartPlan,
  LEGEND_PLACES,
  type LegendPlace,
  type PlannedSeries,
} from './chart-plan.ts'
import { legendXml, plotXml, seriesXml, titleElement } from './chart-xml.ts'
import type { ReadChart } from './read-chart.ts'

const KINDS: Readonly<Record<string, ChartKind>> = {
  'c:lineChart': 'line',
  'c:areaChart': 'area',
  'c:pieChart': 'pie',
  'c:doughnutChart': 'doughnut',
  'c:scatterChart': 'scatter',
}

/** The kind of a group of series; undefined for one that cannot be made here, such as a radar. */
export function kindOfGroup(tree: LiveTree, group: LiveNode): ChartKind | undefined {
  if (group.name === 'c:barChart')
    return tree.attribute(group.child('c:barDir'), 'val') === 'bar' ? 'bar' : 'column'
  return Object.hasOwn(KINDS, group.name) ? KINDS[group.name] : undefined
}

/** The title of the chart; '' takes it away. */
export function setChartTitle(tree: LiveTree, title: string): void {
  const chart = tree.root.child('c:chart')!
  setTitle(tree, chart, title, () => 0)
  const flag = chart.child('c:autoTitleDeleted')
  const value = title === '' ? '1' : '0'
  if (flag) tree.setAttribute(flag, 'val', value)
  else {
    const after = chart.child('c:title')
    const [made] = tree.fragment(`<c:autoTitleDeleted val="${value}"/>`)
    tree.insert(chart, after ? after.index + 1 : 0, [made!])
  }
}

/** The title of the first axis of that side; false where the chart has none. */
export function setAxisTitle(tree: LiveTree, side: 'x' | 'y', title: string): boolean {
  const plot = tree.root.child('c:chart')?.child('c:plotArea')
  const axes = (plot?.children ?? []).filter(({ name }) => /^c:(?:cat|val|date|ser)Ax$/.test(name))
  const across = axes.find(({ name }) => name !== 'c:valAx') ?? axes[0]
  const axis = side === 'x' ? across : axes.find(own => own.name === 'c:valAx' && own !== across)
  if (!axis) return false
  setTitle(tree, axis, title, () => {
    const before = ['c:minorGridlines', 'c:majorGridlines', 'c:axPos']
      .map(name => axis.child(name))
      .find(own => own !== undefined)
    return before ? before.index + 1 : 0
  })
  return true
}

function setTitle(tree: LiveTree, holder: LiveNode, title: string, place: () => number): void {
  const known = holder.child('c:title')
  if (title === '') {
    if (known) tree.remove(known)
    return
  }
  const [made] = tree.fragment(titleElement(title))
  if (!known) {
    tree.insert(holder, place(), [made!])
    return
  }
  const old = known.child('c:tx')
  const paragraph = old?.child('c:rich')?.child('a:p')
  if (paragraph) setLines(tree, paragraph, title)
  else {
    const text = made!.child('c:tx')!
    tree.insert(known, 0, [text])
    if (old) tree.remove(old)
    takeLooks(tree, text.child('c:rich')!, known.child('c:txPr'))
  }
}

/** The text of a title in the looks of its first letters, each line in a paragraph. */
function setLines(tree: LiveTree, first: LiveNode, title: string): void {
  for (const other of first.parent!.children.filter(own => own.name === 'a:p' && own !== first))
    tree.remove(other)
  const [run, ...rest] = first.children.filter(({ name }) => /^a:(?:r|fld|br)$/.test(name))
  for (const own of rest) tree.remove(own)
  if (run?.name !== 'a:r') {
    const looks = first.child('a:pPr')
    if (run) tree.remove(run)
    tree.insert(first, looks ? looks.index + 1 : 0, tree.fragment('<a:r><a:t/></a:r>'))
  }
  let last = first
  for (const [index, line] of title.split('\n').entries()) {
    const own = index === 0 ? first : tree.clone(first)
    if (index > 0) tree.after(last, [own])
    tree.setText(own.child('a:r')!.child('a:t')!, line)
    last = own
  }
}

/** A title whose text came from a cell or from a series kept its looks beside it. */
function takeLooks(tree: LiveTree, rich: LiveNode, looks: LiveNode | undefined): void {
  const body = looks?.child('a:bodyPr')
  if (body) {
    tree.after(rich.child('a:bodyPr')!, [tree.clone(body)])
    tree.remove(rich.child('a:bodyPr')!)
  }
  const own = looks?.child('a:p')?.child('a:pPr')
  for (const line of own ? rich.children.filter(({ name }) => name === 'a:p') : [])
    tree.insert(line, 0, [tree.clone(own!)])
}

export function setLegend(tree: LiveTree, place: LegendPlace | 'none'): void {
  const chart = tree.root.child('c:chart')!
  const known = chart.child('c:legend')
  if (place === 'none') {
    if (known) tree.remove(known)
    return
  }
  const position = known?.child('c:legendPos')
  if (position) tree.setAttribute(position, 'val', LEGEND_PLACES[place])
  else if (known)
    tree.insert(known, 0, tree.fragment(`<c:legendPos val="${LEGEND_PLACES[place]}"/>`))
  else tree.after(chart.child('c:plotArea')!, tree.fragment(legendXml(place)))
}

/** Whether values of one category stand on each other. */
export function setGrouping(tree: LiveTree, grouping: NonNullable<ChartPlan['grouping']>): void {
  for (const group of tree.root.child('c:chart')?.child('c:plotArea')?.children ?? []) {
    const own = group.child('c:grouping')
    if (!own) continue
    const isBar = group.name === 'c:barChart'
    const plain = isBar ? 'clustered' : 'standard'
    tree.setAttribute(own, 'val', grouping === 'clustered' ? plain : grouping)
    const overlap = group.child('c:overlap')
    if (!isBar) continue
    if (overlap) tree.setAttribute(overlap, 'val', grouping === 'clustered' ? '0' : '100')
    else if (grouping !== 'clustered') {
      const before = group.children.find(({ name }) => name === 'c:serLines' || name === 'c:axId')
      if (before) tree.before(before, tree.fragment('<c:overlap val="100"/>'))
    }
  }
}

/** Draws other series: those that are there keep their looks, one for one. The chart has one group. */
export function setSeries(
  tree: LiveTree,
  chart: ReadChart,
  planned: readonly PlannedSeries[],
): void {
  const group = chart.series[0]!.group
  for (const [index, own] of planned.entries()) {
    const known = chart.series[index]?.node
    const [made] = tree.fragment(seriesXml(own, index))
    if (known) refill(tree, known, made!)
    else {
      const last = group.children.filter(({ name }) => name === 'c:ser').at(-1)!
      tree.after(last, [made!])
    }
    if (known) dropPoints(tree, known, own.values.count ?? own.values.values.length)
  }
  for (const { node } of chart.series.slice(planned.length)) tree.remove(node)
}

const BEFORE_CATEGORIES =
  'c:idx c:order c:tx c:spPr c:invertIfNegative c:pictureOptions c:marker c:explosion c:dPt c:dLbls c:trendline c:errBars'.split(
    ' ',
  )

/** The name and the values of another series, in the looks of this one. */
function refill(tree: LiveTree, known: LiveNode, made: LiveNode): void {
  const take = (name: string, after: readonly string[]) => {
    const fresh = made.child(name)
    const old = known.child(name)
    if (fresh) {
      const before = known.children.findLastIndex(own => after.includes(own.name))
      tree.insert(known, old ? old.index : before + 1, [fresh])
    }
    if (old) tree.remove(old)
  }
  take('c:tx', ['c:idx', 'c:order'])
  take('c:cat', BEFORE_CATEGORIES)
  take('c:xVal', BEFORE_CATEGORIES)
  take('c:val', [...BEFORE_CATEGORIES, 'c:cat'])
  take('c:yVal', [...BEFORE_CATEGORIES, 'c:xVal'])
}

/** Draws everything anew, in the usual looks. */
export function replacePlot(tree: LiveTree, plan: ChartPlan): void {
  const plot = tree.root.child('c:chart')!.child('c:plotArea')!
  const [made] = tree.fragment(plotXml(plan))
  tree.after(plot, [made!])
  tree.remove(plot)
}

/** The titles of the axes that are there. */
export function axisTitles(tree: LiveTree): Pick<ChartPlan, 'xTitle' | 'yTitle'> {
  const plot = tree.root.child('c:chart')?.child('c:plotArea')
  const axes = (plot?.children ?? []).filter(({ name }) => /^c:(?:cat|val|date|ser)Ax$/.test(name))
  const titleOf = (axis: LiveNode | undefined) =>
    [...(axis?.child('c:title')?.all('a:t') ?? [])].map(own => tree.textOf(own)).join('')
  const across = axes.find(({ name }) => name !== 'c:valAx') ?? axes[0]
  const x = titleOf(across)
  const y = titleOf(axes.find(own => own.name === 'c:valAx' && own !== across))
  return { ...(x && { xTitle: x }), ...(y && { yTitle: y }) }
}
