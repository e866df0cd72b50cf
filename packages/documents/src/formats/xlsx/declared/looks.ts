import { z } from 'zod'
import { optional } from '../../../fields/named-fields.ts'
import { lines } from '../../../fields/shared-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { range, sheet } from './kinds.ts'
import { meantLines } from './meant.ts'
import { meantConditional, meantFreeze, meantPrint, meantStyle } from './meant-looks.ts'

const object = z.record(z.string(), z.unknown())
const FIELDS = {
  style: z
    .union([z.string(), object])
    .describe(
      'Of cells: words such as "bold, fill FFFF00", or {bold, italic, underline, color, font, size, fill, border: "thin" | {top, outline, inside…}, align, valign, wrap, indent, number_format, locked, named}; of a table its name, such as TableStyleMedium2',
    ),
  rule: object.describe(
    '{cell: ">", value} | {between: [1, 5]} | {formula: "=$C2>5"} | {top: 10} | {average: "above"} | {duplicates: true} | {contains: "x"} | {blank: true} | {scale: [colors]} | {bar: color} | {icons: "3Arrows"}',
  ),
  number: z.number().int().describe('Which rule, as get_file_info numbers them'),
  remove: z.boolean().describe('Remove it'),
  filters: object.describe('Column to values or a test: {"Region": ["North"], "D": {above: 5}}'),
  print: object.describe(
    '{area, title_rows, title_columns, orientation, paper, fit: {width, height}, scale, margins, header, footer, center}',
  ),
  collapse: z.boolean().describe('Fold the group'),
}
const { rule, number, remove, filters, print, collapse } = FIELDS
const style = FIELDS.style.describe(
  'Words such as "bold, fill FFFF00", or {bold, italic, underline, color, font, size, fill, border: "thin" | {top, outline, inside…}, align, valign, wrap, indent, number_format, locked, named}',
)
const rows = lines.describe('Rows such as 5:9')
const columns = lines.describe('Columns such as D:F')

/** Operations on looks: of cells, and of a sheet around its cells. */
export const LOOK_OPERATIONS = {
  set_style: {
    takes: {
      sheet,
      range,
      ...optional({
        style,
        like: z.string().describe('Cells whose look is copied, such as A1:C1; instead of style'),
      }),
    },
    understands: optional({
      replace: z.boolean().describe('true: start from the plain look; false if left out'),
    }),
    needs: ['style', 'like'],
    does: 'sets the look of cells, or copies it from other cells',
    example: { sheet: 'Data', range: 'A1:C1', style: 'bold, fill FFFF00' },
    synonyms: [
      ...['set_format', 'format_cells', 'format_range', 'style_cells', 'apply_style'],
      ...['set_number_format', 'number_format', 'copy_format', 'format_painter', 'set_font'],
      ...['set_fill', 'set_border', 'set_borders', 'set_alignment'],
    ],
    meant: meantStyle,
  },
  clear_style: {
    takes: { sheet, range },
    does: 'takes the look of cells away; contents stay',
    example: { sheet: 'Data', range: 'A1:C1' },
    synonyms: ['clear_format', 'clear_formats', 'clear_formatting', 'reset_style'],
  },
  conditional_format: {
    takes: { sheet, ...optional({ range, rule, style, number, remove }) },
    understands: optional({
      stop: z.boolean().describe('true: no rule after it counts where it holds'),
    }),
    does: 'adds a rule that changes the look of cells; with number changes that rule, with remove removes it',
    example: { sheet: 'Data', range: 'C2:C3', rule: { cell: '>', value: 15 }, style: 'bold' },
    synonyms: [
      ...['add_conditional_format', 'add_conditional_formatting', 'conditional_formatting'],
      ...['set_conditional_format', 'edit_conditional_format', 'highlight_cells'],
    ],
    meant: meantConditional,
  },
  freeze_panes: {
    takes: {
      sheet,
      at: z
        .union([z.string(), z.number(), z.literal(false)])
        .nullable()
        .describe('First cell that scrolls: B2 keeps a row and a column in view, none nothing'),
    },
    spellings: { cell: 'at' },
    does: 'keeps rows above and columns left of a cell in view',
    example: { sheet: 'Data', at: 'A2' },
    synonyms: ['freeze', 'freeze_rows', 'set_freeze_panes', 'unfreeze_panes', 'unfreeze'],
    meant: meantFreeze,
  },
  auto_filter: {
    takes: {
      sheet,
      ...optional({ range, filters, remove: remove.describe('true: take the filter off') }),
    },
    does: 'puts filter buttons on a range and hides the rows that filters leave out',
    example: { sheet: 'Data', range: 'A1:C3', filters: { Net: { above: 15 } } },
    synonyms: ['filter', 'set_filter', 'set_auto_filter', 'add_filter', 'autofilter'],
  },
  print_setup: {
    takes: {
      sheet,
      print: print.describe(
        '{area, title_rows, title_columns, orientation: portrait | landscape, paper: A4 | A3 | letter | legal …, fit: {width, height}, scale, margins, header, footer, center}',
      ),
    },
    does: 'sets print area, titles, paper, fit, margins, header and footer',
    example: { sheet: 'Data', print: { orientation: 'landscape', paper: 'A4' } },
    synonyms: ['page_setup', 'set_print_area', 'print_area', 'set_page_setup'],
    meant: meantPrint,
  },
  group: {
    takes: { sheet, ...optional({ rows, columns, collapse }) },
    either: ['rows', 'columns'],
    does: 'groups rows or columns in the outline',
    example: { sheet: 'Data', rows: '2:3' },
    synonyms: ['group_rows', 'group_columns', 'outline'],
    meant: meantLines,
  },
  ungroup: {
    takes: { sheet, ...optional({ rows, columns }) },
    either: ['rows', 'columns'],
    does: 'takes rows or columns out of a group',
    example: { sheet: 'Data', rows: '2:3' },
    synonyms: ['ungroup_rows', 'ungroup_columns'],
    meant: meantLines,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>

/** Their fields; `style` is that of tables too. */
export const LOOK_FIELDS = optional(FIELDS)
