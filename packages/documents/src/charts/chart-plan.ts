/** The kinds of charts that can be made. */
export const CHART_KINDS = ['column', 'bar', 'line', 'area', 'pie', 'doughnut', 'scatter'] as const
export type ChartKind = (typeof CHART_KINDS)[number]

/** Values of a series, with the cells they come from. */
export interface ChartValues {
  readonly formula: string
  readonly values: readonly (string | number | null)[]
  /** How many there are, where not all of them are given. */
  readonly count?: number
  /** The number format of the cells. */
  readonly format?: string
}

export interface PlannedSeries {
  readonly kind: ChartKind
  /** `formula` is absent for a name that stands in no cell. */
  readonly name?: { readonly text: string; readonly formula?: string }
  readonly categories?: ChartValues
  readonly values: ChartValues
  /** It is measured on an axis of its own at the other side. */
  readonly isSecondary?: boolean
}

export const LEGEND_PLACES = { bottom: 'b', top: 't', left: 'l', right: 'r' } as const
export type LegendPlace = keyof typeof LEGEND_PLACES

/** A new chart. */
export interface ChartPlan {
  readonly series: readonly PlannedSeries[]
  readonly title?: string
  readonly xTitle?: string
  readonly yTitle?: string
  /** Absent: none. */
  readonly legend?: LegendPlace
  readonly grouping?: 'clustered' | 'stacked' | 'percentStacked'
  /** Colours of the series, or of the points of a pie, in turn; absent: those of the theme. */
  readonly palette?: readonly string[]
  /** Colour of the lines behind the values; absent: the program's own. */
  readonly lines?: string
  /** Size of all text; absent: the program's own. */
  readonly textPoints?: number
}

/** For a file without a theme: some programs draw nothing where they find no colour. */
export const PLAIN_PALETTE = ['4472C4', 'ED7D31', 'A5A5A5', 'FFC000', '5B9BD5', '70AD47'] as const
