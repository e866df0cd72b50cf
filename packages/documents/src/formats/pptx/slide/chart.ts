import type { LiveNode, LiveTree } from '../../../opc/index.ts'
import { at, numberAt } from '../parts/values.ts'
import type { Deck } from './deck.ts'
import type { Shape } from './page.ts'

export interface ChartSeries {
  readonly node: LiveNode
  readonly name: string
  readonly categories: readonly (string | null)[]
  readonly values: readonly (number | null)[]
}

export interface Chart {
  readonly part: string
  readonly tree: LiveTree
  /** `bar`, `line`, `pie` … */
  readonly type: string
  readonly title: string
  readonly series: readonly ChartSeries[]
}

const NEWER = 'http://schemas.microsoft.com/office/drawing/2014/chartex'

/** The chart that a shape shows; undefined for a newer kind, which has no series of this form. */
export function chartOf(deck: Deck, { kind, node, page }: Shape): Chart | undefined {
  if (kind !== 'chart') return undefined
  const data = at(node, 'a:graphic', 'a:graphicData')
  if (page.tree.attribute(data, 'uri') === NEWER) return undefined
  const link = page.tree.attribute(data?.child('c:chart'), 'r:id')
  const part = deck.package.targetOf(page.part, link)
  const tree = deck.package.findTree(part)
  const plot = tree && at(tree.root, 'c:chart', 'c:plotArea')
  if (!tree || !plot || part === undefined) return undefined
  const groups = plot.children.filter(({ name }) => /^c:\w+Chart$/.test(name))
  return {
    part,
    tree,
    type: groups.map(({ name }) => name.slice(2, -'Chart'.length)).join(' and '),
    title: textIn(tree, at(tree.root, 'c:chart', 'c:title')),
    series: groups.flatMap(group =>
      group.children.filter(({ name }) => name === 'c:ser').map(own => seriesOf(tree, own)),
    ),
  }
}

function seriesOf(tree: LiveTree, node: LiveNode): ChartSeries {
  const x = node.child('c:cat') ?? node.child('c:xVal')
  const y = node.child('c:val') ?? node.child('c:yVal')
  return {
    node,
    name: seriesName(tree, node.child('c:tx')),
    categories: pointsOf(tree, cacheOf(x)),
    values: pointsOf(tree, cacheOf(y)).map(value => (value === null ? null : Number(value))),
  }
}

function seriesName(tree: LiveTree, node: LiveNode | undefined): string {
  const plain = node?.child('c:v')
  if (plain) return tree.textOf(plain)
  return pointsOf(tree, cacheOf(node)).join(' ')
}

/** `c:numCache`, `c:strCache` or a literal list; of several levels the innermost. */
export function cacheOf(node: LiveNode | undefined): LiveNode | undefined {
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
