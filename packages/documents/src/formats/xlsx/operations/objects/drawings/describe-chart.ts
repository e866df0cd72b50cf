import type { ChartPlan } from '../../../../../charts/chart-plan.ts'
import type { ReadChart } from '../../../../../charts/read-chart.ts'

interface ShownSeries {
  readonly name: string
  readonly values: string
  readonly categories: string | undefined
}

/** A chart in words, for a person: what it is, and where its series come from. */
function inWords(
  name: string,
  kinds: readonly string[],
  title: string | undefined,
  series: readonly ShownSeries[],
): string {
  const kind = [...new Set(kinds)].join(' and ')
  const lines = series.map(
    own =>
      `${own.name === '' ? 'a series' : own.name}: ${own.values}${own.categories ? ` by ${own.categories}` : ''}`,
  )
  return [`${name}: ${kind}${title ? ` ${JSON.stringify(title)}` : ''}`, ...lines].join('\n')
}

export function describePlan(name: string, { series, title }: ChartPlan): string {
  return inWords(
    name,
    series.map(({ kind }) => kind),
    title,
    series.map(own => ({
      name: own.name?.text ?? '',
      values: own.values.formula,
      categories: own.categories?.formula,
    })),
  )
}

export function describeChart(name: string, chart: ReadChart): string {
  return inWords(
    name,
    [chart.type],
    chart.title,
    chart.series.map(own => ({
      name: own.name,
      values: own.formulas.values ?? own.values.join(' | '),
      categories: own.formulas.categories,
    })),
  )
}
