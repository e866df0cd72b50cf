import { type Fields, isFields } from '@filewright/protocol'
import { Refusal } from '../refusal.ts'

export interface SeriesField {
  /** Undefined: the series at its position. */
  readonly name: string | undefined
  readonly values: readonly (number | null)[]
}

const MOST_POINTS = 5000

export function seriesField({ op, series }: Fields): readonly SeriesField[] {
  if (series === undefined || series === null) return []
  const list = Array.isArray(series) ? series : [series]
  return list.map((own: unknown) => {
    const { name, values } = isFields(own) ? own : { name: undefined, values: undefined }
    const isList =
      Array.isArray(values) &&
      values.length > 0 &&
      values.length <= MOST_POINTS &&
      values.every(value => value === null || (typeof value === 'number' && Number.isFinite(value)))
    if (!isList)
      throw invalid(
        `${op}: series is a list of {name, values}, and values are numbers, null for a gap`,
      )
    return {
      name: typeof name === 'string' ? name : undefined,
      values: values as (number | null)[],
    }
  })
}

export function categoriesField({
  op,
  categories,
}: Fields): readonly (string | number)[] | undefined {
  if (categories === undefined || categories === null) return undefined
  const isList =
    Array.isArray(categories) &&
    categories.length > 0 &&
    categories.length <= MOST_POINTS &&
    categories.every(own => typeof own === 'string' || typeof own === 'number')
  if (!isList) throw invalid(`${op}: categories is a list of texts or numbers`)
  return categories as (string | number)[]
}

/** What a chart is to show, as an operation gives it. */
export interface ChartData {
  readonly categories: readonly (string | number)[] | undefined
  readonly series: readonly SeriesField[]
}

export function dataField(operation: Fields): ChartData {
  const data = { categories: categoriesField(operation), series: seriesField(operation) }
  if (!data.categories && data.series.length === 0)
    throw invalid(`${operation.op} needs categories or series`)
  return data
}

function invalid(message: string): Refusal {
  return new Refusal('INVALID_ARGUMENT', message)
}
