import { type LiveNode, type LiveTree, numberAt } from '../opc/index.ts'
import { formulaIn } from './chart-cache.ts'

/** A series of a chart that is there. */
export interface ReadSeries {
  readonly node: LiveNode
  readonly name: string
  readonly categories: readonly (string | null)[]
  readonly values: readonly (number | null)[]
  /** Where each comes from; absent where it is written in the chart. */
  readonly formulas: {
    readonly name?: string
    readonly categories?: string
    readonly values?: string
  }
  /** `bar`, `line`, `pie` …: the group it is in. */
  readonly group: LiveNode
}

export interface ReadChart {
  /** `bar`, `line and bar` */
  readonly type: string
  readonly title: string
  readonly plot: LiveNode
  readonly series: readonly ReadSeries[]
}

/** What a chart's part says; undefined for a newer kind, which has no series of this form. */
export function readChart(tree: LiveTree): ReadChart | undefined {
  const chart = tree.root.child('c:chart')
  const plot = chart?.child('c:plotArea')
  if (!plot) return undefined
  const groups = plot.children.filter(({ name }) => /^c:\w+Chart$/.test(name))
  return {
    type: groups.map(({ name }) => name.slice(2, -'Chart'.length)).join(' and '),
    title: textIn(tree, chart?.child('c:title')),
    plot,
    series: groups.flatMap(group =>
      group.children
        .filter(({ name }) => name === 'c:ser')
        .map(node => ({ ...seriesOf(tree, node), group })),
    ),
  }
}

function seriesOf(tree: LiveTree, node: LiveNode): Omit<ReadSeries, 'group'> {
  const x = node.child('c:cat') ?? node.child('c:xVal')
  const y = node.child('c:val') ?? node.child('c:yVal')
  const text = node.child('c:tx')
  const formulas = {
    name: formulaIn(tree, text),
    categories: formulaIn(tree, x),
    values: formulaIn(tree, y),
  }
  return {
    node,
    name: seriesName(tree, text),
    categories: pointsOf(tree, cacheOf(x)),
    values: pointsOf(tree, cacheOf(y)).map(value => (value === null ? null : Number(value))),
    formulas: Object.fromEntries(Object.entries(formulas).filter(([, own]) => own !== undefined)),
  }
}

function seriesName(tree: LiveTree, node: LiveNode | undefined): string {
  const plain = node?.child('c:v')
  if (plain) return tree.textOf(plain)
  return pointsOf(tree, cacheOf(node)).join(' ')
}

/** `c:numCache`, `c:strCache` or a literal list; of several levels the innermost. */
function cacheOf(node: LiveNode | undefined): LiveNode | undefined {
  const reference = node?.children.find(({ name }) => /^c:(num|str|multiLvlStr)Ref$/.test(name))
  const cache = (reference ?? node)?.children.find(({ name }) =>
    /^c:((num|str|multiLvlStr)Cache|(num|str)Lit)$/.test(name),
  )
  return cache?.child('c:lvl') ?? cache
}

function pointsOf(tree: LiveTree, cache: LiveNode | undefined): (string | null)[] {
  if (!cache) return []
  const points = cache.children.filter(({ name }) => name === 'c:pt')
  const holder = cache.name === 'c:lvl' ? cache.parent! : cache
  const count = numberAt(tree, holder.child('c:ptCount'), 'val') ?? points.length
  const values = new Array<string | null>(Math.min(count, MOST_POINTS)).fill(null)
  for (const point of points) {
    const index = numberAt(tree, point, 'idx') ?? 0
    const value = point.child('c:v')
    if (index < values.length && value) values[index] = tree.textOf(value)
  }
  return values
}

const MOST_POINTS = 100_000

function textIn(tree: LiveTree, node: LiveNode | undefined): string {
  if (!node) return ''
  return [...node.all('a:t')].map(own => tree.textOf(own)).join('')
}
