import type { LivePackage, LiveTree } from '../opc/index.ts'
import { type ReadChart, readChart } from './read-chart.ts'

export interface Chart extends ReadChart {
  readonly part: string
  readonly tree: LiveTree
}

/** The chart in a part; undefined for a newer kind, which has no series of this form. */
export function chartIn(own: LivePackage, part: string | undefined): Chart | undefined {
  const tree = own.findTree(part)
  const chart = tree && readChart(tree)
  return tree && chart && part !== undefined ? { part, tree, ...chart } : undefined
}

const MOST_SHOWN = 60 // points of a series in a read

/** What a chart says, as lines: its title, its categories, each series. */
export function chartLines({ title, series }: Chart, most = MOST_SHOWN): readonly string[] {
  const join = (values: readonly (string | number | null)[]) =>
    `${values
      .slice(0, most)
      .map(value => value ?? '')
      .join(' | ')}${values.length > most ? ` | … ${values.length} in all` : ''}`
  return [
    ...(title === '' ? [] : [`title: ${title}`]),
    `categories: ${join(series[0]?.categories ?? [])}`,
    ...series.map(({ name, values }) => `${name}: ${join(values)}`),
  ]
}
