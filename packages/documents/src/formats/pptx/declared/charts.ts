import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantChart } from './meant.ts'

/** Operations on the numbers of charts. */
export const CHART_OPERATIONS = {
  set_chart: {
    takes: ['index', 'chart?', 'categories?', 'series?: [{name, values}]'],
    understands: ['slide_index'],
    does: 'gives a chart new numbers, in what it shows and in its workbook; a new name adds a series',
    synonyms: ['update_chart', 'set_chart_data', 'edit_chart', 'update_chart_data'],
    meant: meantChart,
  },
  add_chart: {
    takes: [
      'index',
      'type',
      'categories',
      'series: [{name, values}]',
      'title?',
      'left?',
      'top?',
      'width?',
      'height?',
    ],
    understands: ['slide_index'],
    does: 'adds a column, bar, line or pie chart with its workbook',
    synonyms: ['insert_chart', 'create_chart', 'new_chart'],
    meant: meantChart,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
