import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { BOX_FIELDS, FIELDS, OLDER } from './fields.ts'
import { meantChart } from './meant.ts'

const { index, chart, title, categories, series } = FIELDS

/** Operations on the numbers of charts. */
export const CHART_OPERATIONS = {
  set_chart: {
    takes: { index, ...optional({ chart, categories, series }) },
    needs: ['categories', 'series'],
    spellings: OLDER,
    does: 'gives a chart new numbers, in what it shows and in its workbook; a new name adds a series',
    example: { index: 0, series: [{ values: [12, 15] }] },
    synonyms: ['update_chart', 'set_chart_data', 'edit_chart', 'update_chart_data'],
    meant: meantChart,
  },
  add_chart: {
    takes: {
      index,
      type: z.enum(['column', 'bar', 'line', 'pie']).default('column').describe('Kind of chart'),
      categories,
      series: series.min(1),
      ...optional({ title, ...BOX_FIELDS }),
    },
    spellings: OLDER,
    does: 'adds a column, bar, line or pie chart with its workbook',
    example: {
      index: 0,
      type: 'column',
      categories: ['Q1', 'Q2'],
      series: [{ name: 'Sales', values: [12, 15] }],
    },
    synonyms: ['insert_chart', 'create_chart', 'new_chart'],
    meant: meantChart,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
