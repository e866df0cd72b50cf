import type { Fields } from '@filewright/protocol'

const LEFT = 'tell the person'

/** Requests that no operation serves, with the nearest alternative. The first match applies. */
export const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /sparkline|slicer|timeline|macro|scenario|theme|watermark/,
    `sparklines, slicers, macros and themes cannot be made or changed; they are kept as they are. ${LEFT[0]!.toUpperCase()}${LEFT.slice(1)}`,
  ],
  [
    /chart|table|pivot|comment|note|hyperlink|link|valid|image|picture|named|(define|add|set|create)_?name|protect/,
    'add_, edit_ and remove_ work on a table, chart or pivot; define_name, edit_name and remove_name on a name; data_validation, set_comment and set_hyperlink set what is there anew',
  ],
  [
    /filter|unique/,
    'auto_filter hides the rows that filters leave out; delete_rows deletes rows by a condition, remove_duplicates those that occur twice, and table_query reads a part',
  ],
  [
    /row|col|shift|insert|delete|remove|move/,
    `insert_rows, delete_rows, insert_columns and delete_columns insert and delete whole rows and columns, insert_cells, delete_cells and move_range cells of a part; references follow`,
  ],
  [
    /freeze|pane|print|page|group|outline|width|height/,
    'freeze_panes, print_setup, group, ungroup, set_column_widths and set_row_heights set a sheet up',
  ],
  [
    /format|style|font|bold|italic|colou?r|fill|border|align|wrap|number|currency|percent/,
    'set_style sets the look of cells, {"style": {"bold": true, "fill": "FFFF00", "number_format": "0.00"}}, or copies it, {"like": "A1:G1"}; conditional_format adds rules',
  ],
]

/** A sheet of another workbook cannot be copied. */
export function lacksOtherWorkbook(fields: Fields): string | undefined {
  const other = Object.values(fields).find(isWorkbook)
  return other
    ? `copy_sheet copies inside one workbook, and ${JSON.stringify(other)} is another; start with a copy of that one (copy_from), or read the sheet there and write it here with ensure_sheet and set_range.`
    : undefined
}

/** Cells of another workbook are named in one object. */
export function lacksSource({ from, ...fields }: Fields): string | undefined {
  const other = [from, ...Object.values(fields)].find(isWorkbook)
  return other
    ? `copy_range takes cells of another workbook as from: {"path": ${JSON.stringify(other)}, "sheet": "Data", "range": "A1:C10"}, and sheet and to say where they go in this one.`
    : undefined
}

function isWorkbook(value: unknown): value is string {
  return typeof value === 'string' && /\.xl[st][xm]?$/i.test(value)
}
