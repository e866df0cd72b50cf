import type { Fields } from '@filewright/protocol'

const LEFT = 'tell the person'

/** Requests that no operation serves, with the nearest alternative. The first match applies. */
export const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /chart|table|pivot|comment|note|hyperlink|link|valid|condition|image|picture|named|(define|add|set|create)_?name|freeze|pane|protect|print|page|group|outline|auto_?filter/,
    `charts, tables, names, comments, links, validations, conditional formats, filters and the like cannot be created or changed, only cells can be written (set_range); ${LEFT}`,
  ],
  [
    /filter|unique/,
    'filters cannot be set; delete_rows deletes rows by a condition, remove_duplicates those that occur twice, and table_query reads a part',
  ],
  [
    /row|col|shift|insert|delete|remove|move/,
    `insert_rows, delete_rows, insert_columns and delete_columns insert and delete whole rows and columns, insert_cells, delete_cells and move_range cells of a part; references follow`,
  ],
  [
    /format|style|font|bold|italic|colou?r|fill|border|align|wrap|number|currency|percent/,
    `formats cannot be set: a cell keeps its own, {"date": …} adds one where there is none, and {"rich_text": [{"text": "…", "bold": true}]} marks letters; ${LEFT}`,
  ],
]

/** A sheet of another workbook cannot be copied. */
export function lacksOtherWorkbook(fields: Fields): string | undefined {
  const other = Object.values(fields).find(isWorkbook)
  return other
    ? `copy_sheet copies inside one workbook, and ${JSON.stringify(other)} is another; start with a copy of that one (copy_from), or read the sheet there and write it here with ensure_sheet and set_range.`
    : undefined
}

function isWorkbook(value: unknown): value is string {
  return typeof value === 'string' && /\.xl[st][xm]?$/i.test(value)
}
