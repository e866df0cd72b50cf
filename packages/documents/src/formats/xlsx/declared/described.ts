import type { Fields } from '@filewright/protocol'
import { z } from 'zod'
import type { LooseOperation } from '../../../operation-table.ts'

type Described = Pick<LooseOperation, 'says' | 'example'> & { readonly example: Fields }

const HEADER =
  'Whether the first row is a header; left out, it is one unless it looks like data: headers right above it, or cells that are not texts'
const PLACE = 'Pixels'
const CHART = 'column, bar, line, area, pie, doughnut or scatter'

/** What fields mean in one operation where a field of that name means something else in another; and a call that works. */
export const DESCRIBED = {
  ensure_sheet: { example: { sheet: 'Summary' } },
  set_cells: { example: { sheet: 'Data', cells: [{ cell: 'E2', value: { formula: 'C2*2' } }] } },
  set_range: {
    says: { start: 'First cell', values: 'Rows of values, each a list' },
    example: { sheet: 'Data', start: 'E1', values: [['Tax'], [1.9]] },
  },
  delete_sheet: { example: { sheet: 'Sums' } },
  rename_sheet: {
    says: { new_name: 'The new name' },
    example: { sheet: 'Sums', new_name: 'Totals' },
  },
  move_sheet: { says: { index: 'New position, from 0' }, example: { sheet: 'Sums', index: 0 } },
  copy_sheet: {
    says: { new_name: 'The name of the copy' },
    example: { sheet: 'Sums', new_name: 'Sums 2' },
  },
  clear_range: { example: { sheet: 'Data', range: 'A3:C3' } },
  merge_cells: { example: { sheet: 'Data', range: 'E1:F1' } },
  unmerge_cells: { example: { sheet: 'Data', range: 'E1:F1' } },
  hide: {
    says: {
      rows: 'Rows such as 3 or 5:9',
      columns: 'Columns such as B or D:F; without rows and columns the sheet',
    },
    example: { sheet: 'Data', columns: 'B' },
  },
  show: {
    says: {
      rows: 'Rows such as 3 or 5:9',
      columns: 'Columns such as B or D:F; without rows and columns the sheet',
    },
    example: { sheet: 'Data', columns: 'B' },
  },
  set_column_widths: { example: { sheet: 'Data', widths: { A: 12, B: 'auto' } } },
  set_row_heights: { example: { sheet: 'Data', heights: { '1': 20 } } },
  find_replace: {
    says: {
      nth: 'Only this match, from 1',
      replacements: 'Several pairs at once',
      formulas: 'Also inside formulas; false if left out',
    },
    example: { search: 'North', replace: 'Nord', sheet: 'Data' },
  },
  insert_rows: {
    says: {
      at: 'Number of the first new row',
      count: 'How many rows; 1 if left out',
      like: 'Look like the row above, below or none',
    },
    example: { sheet: 'Data', at: 3, count: 2 },
  },
  delete_rows: {
    says: { rows: 'Rows such as 3, 5:9 or 2:3,7; instead of where' },
    example: { sheet: 'Data', where: { column: 'Region', equals: 'North' } },
  },
  insert_columns: {
    says: {
      at: 'Letter of the first new column',
      count: 'How many columns; 1 if left out',
      like: 'Look like the column before, after or none',
    },
    example: { sheet: 'Data', at: 'B' },
  },
  delete_columns: {
    says: { columns: 'Columns such as B or D:F' },
    example: { sheet: 'Data', columns: 'B' },
  },
  append_rows: {
    says: { values: 'Rows of values, each a list; or records' },
    example: { sheet: 'Data', records: [{ Region: 'West', Net: 5 }] },
  },
  sort_range: {
    says: { header: HEADER },
    example: { sheet: 'Data', range: 'A1:C3', by: [{ column: 'Net', descending: true }] },
  },
  move_range: {
    says: { to: 'First cell of the new place' },
    example: { sheet: 'Data', range: 'A3:C3', to: 'A9' },
  },
  copy_range: {
    says: {
      to: 'First cell of the new place, such as D2 or Summary!A1',
      what: 'all, values, formulas or formats; all if left out',
      from: 'In another workbook: {path, sheet, range}',
    },
    example: { sheet: 'Data', range: 'C1:C3', to: 'E1', what: 'values' },
  },
  fill: {
    says: {
      from: 'The cell to copy; the first of the range if left out',
      series: '{start, by, unit: day | month | year}',
      pattern:
        'true: the first two cells of each column (or of one row) go on: 1, 3 → 5; Mon, Tue → Wed; Item 1, Item 2; dates by days, months or month ends; Q4 2025 → Q1 2026. Without it the first cell is copied',
      locale: 'Language of days and months where it is not clear, such as de-DE',
      formula: 'The formula of the first cell; references move with each cell',
    },
    example: { sheet: 'Data', range: 'E2:E3', formula: 'C2*2' },
  },
  remove_duplicates: {
    says: {
      columns: 'Columns that are compared, by letter or header; all if left out',
      header: HEADER,
    },
    example: { sheet: 'Data', range: 'A1:C3', columns: ['Region'] },
  },
  convert_cells: {
    says: {
      to: 'number, date, text, trim or split',
      locale: z
        .string()
        .optional()
        .describe('How texts are written, such as de-DE; needed where 1.000 may be two numbers'),
      separator: z.string().optional().describe('For split: the text between the parts'),
    },
    example: { sheet: 'Data', range: 'C2:C3', to: 'text' },
  },
  replace_values: { example: { map: { North: 'Nord' }, sheet: 'Data' } },
  freeze_values: {
    says: { range: 'Cells whose formulas become values; all of the sheet if left out' },
    example: { sheet: 'Sums', range: 'A1' },
  },
  transform_cells: {
    says: {
      steps:
        'In order, each cell: {multiply | divide | add | subtract: number}, {round: digits}, {units: ["km", "mi"]}, "trim", "upper", "lower", "proper", {prefix | suffix: text}, {extract: regular expression, group}, "number", "date" or "text". Cells that do not fit stay as they are and are counted',
      wrap_formulas:
        'true: formulas become =(formula)*1.05; else they stay, because they follow the cells that they read',
      locale: 'How texts are written, such as de-DE; for number and date',
    },
    example: { sheet: 'Data', range: 'C2:C3', steps: [{ multiply: 1.05 }, { round: 2 }] },
  },
  unpivot: {
    says: {
      range: 'With its header in the first row',
      keep: 'Columns that stay, by letter or header; the others become rows',
      columns: 'Only these become rows',
      names: 'Headers of the old headers and of the values; ["Name", "Value"] if left out',
      to: 'First cell of the new place, such as H1 or Long!A1; ensure_sheet makes a sheet first',
    },
    example: { sheet: 'Data', range: 'A1:C3', keep: ['Region'], to: 'E1', names: ['Field', 'Is'] },
  },
  pivot_rows: {
    says: {
      range: 'With its header in the first row',
      rows: 'Columns that stay, by letter or header: one row for each of their values',
      columns: 'The column whose values become headers; left out, one column for each group',
      values: 'The column of the values, such as ["Net"]',
      to: 'First cell of the new place, such as H1 or Wide!A1; ensure_sheet makes a sheet first',
      function:
        'sum, count, average, min, max, first or join; needed where several values come to one cell',
      separator: 'For join; ", " if left out',
    },
    example: {
      ...{ sheet: 'Data', range: 'A1:C3', rows: ['Region'], columns: 'Year', values: ['Net'] },
      to: 'E1',
    },
  },
  subtotal_rows: {
    says: {
      range: 'With its header in the first row, sorted by the column, without totals',
      by: 'The column that groups, by letter or header, such as ["Region"]',
      columns: 'Columns that get subtotals, by letter or header',
      function: 'sum, average, count, max or min; sum if left out',
      names: 'Labels; ["{} Total", "Grand Total"] if left out, {} being the group',
    },
    example: { sheet: 'Data', range: 'A1:C3', by: ['Region'], columns: ['Net'] },
  },
  insert_cells: {
    says: { shift: 'down or right' },
    example: { sheet: 'Data', range: 'C2', shift: 'down' },
  },
  delete_cells: {
    says: { shift: 'up or left' },
    example: { sheet: 'Data', range: 'C2', shift: 'up' },
  },
  add_chart: {
    says: {
      type: CHART,
      series:
        'Its series: [{name, values: "Data!C2:C3", categories, type, secondary}]; instead of source',
      source: 'Range or table with headers',
      title: 'Title of the chart',
      cell: 'Upper left cell; beside the data if left out',
      width: PLACE,
      height: PLACE,
      name: 'Name of the chart',
    },
    example: { sheet: 'Data', type: 'column', source: 'A1:C3', cell: 'E2' },
  },
  edit_chart: {
    says: {
      type: CHART,
      series: 'Its series: [{name, values: "Data!C2:C3", categories, type, secondary}]',
      source: 'Range or table with headers',
      title: 'Title of the chart',
      cell: 'Upper left cell',
      new_name: 'The new name',
    },
    example: { sheet: 'Data', chart: 1, title: 'Net by region' },
  },
  remove_chart: { example: { sheet: 'Data', chart: 1 } },
  add_image: {
    says: { name: 'Name of the picture' },
    example: { sheet: 'Data', image: 'logo.png', cell: 'E2' },
  },
  replace_image: { example: { sheet: 'Data', picture: 1, image: 'logo.png' } },
  move_image: {
    says: { new_name: 'The new name' },
    example: { sheet: 'Data', picture: 1, cell: 'G2' },
  },
  remove_image: { example: { sheet: 'Data', picture: 1 } },
  add_pivot: {
    says: {
      source: 'Range or table with headers',
      rows: 'Fields',
      columns: 'Fields',
      values: '[{field, function}]: sum, count, average, max, min …',
      filters: 'Fields that filter',
      cell: 'Upper left cell',
      name: 'Name of the pivot table',
    },
    example: { sheet: 'Sums', source: 'Data!A1:C3', rows: ['Region'], values: ['Net'], cell: 'C3' },
  },
  edit_pivot: {
    says: {
      source: 'Range or table with headers',
      rows: 'Fields',
      columns: 'Fields',
      values: '[{field, function}]',
      filters: 'Fields that filter',
      new_name: 'The new name',
    },
    example: { pivot: 'P', rows: ['Year'] },
  },
  remove_pivot: { example: { pivot: 'P' } },
} as const satisfies Readonly<Record<string, Described>>
