import type { OperationHandlers } from '../../../../operation-arguments.ts'
import type { CHART_OPERATIONS } from '../../declared/charts.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { addChart } from './add-chart.ts'
import { setChart } from './set-chart.ts'

export const CHART_HANDLERS: OperationHandlers<DeckEditor, typeof CHART_OPERATIONS> = {
  set_chart: setChart,
  add_chart: addChart,
}
