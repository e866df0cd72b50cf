import type { CHART_OPERATIONS } from '../../declared/charts.ts'
import type { DeckHandler } from '../../edit/editor.ts'
import { addChart } from './add-chart.ts'
import { setChart } from './set-chart.ts'

export const CHART_HANDLERS: Readonly<Record<keyof typeof CHART_OPERATIONS, DeckHandler>> = {
  set_chart: setChart,
  add_chart: addChart,
}
