import type { Fields } from '@filewright/protocol'

const LEFT = 'say so to the person'

/** What models ask for that no operation does, with what comes nearest. The first that fits is meant. */
export const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /chart|table|pivot|comment|note|hyperlink|link|valid|condition|image|picture|named|(define|add|set|create)_?name|freeze|pane|protect|print|page|group|outline|auto_?filter/,
    `charts, tables, names, comments, links, validations, conditional formats, filters and the like are not made or changed, and cells alone are written (set_range); ${LEFT}`,
  ],
  [
    /sort|duplicate|dedup|unique|filter/,
    'rows are not sorted or taken out; read the range, and write its rows with set_range as they are to stand, with null where a cell is left over',
  ],
  [
    /fill_?(down|right|series|formula|range)|auto_?fill|paste|copy|move_(range|cells)|cut/,
    'cells are not copied, moved or filled; write each of them with set_range, every formula as it reads in its row, and clear_range what is to go',
  ],
  [
    /append|add_?rows?$/,
    'rows are not appended; write them with set_range, from the cell below the last row',
  ],
  [
    /row|col|shift|insert|delete|remove|move/,
    `rows and columns are not inserted, deleted or moved; read what stands from there on, and write it with set_range where it is to stand, with the formulas that name what moved, also on other sheets. Formats do not move with it: ${LEFT}`,
  ],
  [
    /format|style|font|bold|italic|colou?r|fill|border|align|wrap|number|currency|percent/,
    `formats are not set: a cell keeps its own, {"date": …} brings one where there is none, and {"rich_text": [{"text": "…", "bold": true}]} marks letters; ${LEFT}`,
  ],
]

/** A sheet of another workbook. */
export function lacksOtherWorkbook(fields: Fields): string | undefined {
  const other = Object.values(fields).find(isWorkbook)
  return other
    ? `copy_sheet copies inside one workbook, and ${JSON.stringify(other)} is another; begin with a copy of that one (copy_from), or read the sheet there and write it here with ensure_sheet and set_range.`
    : undefined
}

function isWorkbook(value: unknown): value is string {
  return typeof value === 'string' && /\.xl[st][xm]?$/i.test(value)
}
