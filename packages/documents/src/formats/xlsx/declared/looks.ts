import { z } from 'zod'
import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantLines } from './meant.ts'
import { meantConditional, meantFreeze, meantPrint, meantStyle } from './meant-looks.ts'

/** Operations on looks: of cells, and of a sheet around its cells. */
export const LOOK_OPERATIONS = {
  set_style: {
    takes: ['sheet', 'range', 'style?', 'like?'],
    understands: ['replace'],
    does: 'sets the look of cells, or copies it from other cells',
    synonyms: [
      ...['set_format', 'format_cells', 'format_range', 'style_cells', 'apply_style'],
      ...['set_number_format', 'number_format', 'copy_format', 'format_painter', 'set_font'],
      ...['set_fill', 'set_border', 'set_borders', 'set_alignment'],
    ],
    meant: meantStyle,
  },
  clear_style: {
    takes: ['sheet', 'range'],
    does: 'takes the look of cells away; contents stay',
    synonyms: ['clear_format', 'clear_formats', 'clear_formatting', 'reset_style'],
  },
  conditional_format: {
    takes: ['sheet', 'range?', 'rule?', 'style?', 'number?', 'remove?'],
    understands: ['stop'],
    does: 'adds a rule that changes the look of cells; with number changes that rule, with remove removes it',
    synonyms: [
      ...['add_conditional_format', 'add_conditional_formatting', 'conditional_formatting'],
      ...['set_conditional_format', 'edit_conditional_format', 'highlight_cells'],
    ],
    meant: meantConditional,
  },
  freeze_panes: {
    takes: ['sheet', 'at'],
    understands: ['cell'],
    does: 'keeps rows above and columns left of a cell in view',
    synonyms: ['freeze', 'freeze_rows', 'set_freeze_panes', 'unfreeze_panes', 'unfreeze'],
    meant: meantFreeze,
  },
  auto_filter: {
    takes: ['sheet', 'range?', 'filters?', 'remove?'],
    does: 'puts filter buttons on a range and hides the rows that filters leave out',
    synonyms: ['filter', 'set_filter', 'set_auto_filter', 'add_filter', 'autofilter'],
  },
  print_setup: {
    takes: ['sheet', 'print'],
    does: 'sets print area, titles, paper, fit, margins, header and footer',
    synonyms: ['page_setup', 'set_print_area', 'print_area', 'set_page_setup'],
    meant: meantPrint,
  },
  group: {
    takes: ['sheet', 'rows?', 'columns?', 'collapse?'],
    does: 'groups rows or columns in the outline',
    synonyms: ['group_rows', 'group_columns', 'outline'],
    meant: meantLines,
  },
  ungroup: {
    takes: ['sheet', 'rows?', 'columns?'],
    does: 'takes rows or columns out of a group',
    synonyms: ['ungroup_rows', 'ungroup_columns'],
    meant: meantLines,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>

/** Their fields; `style` is that of tables too. */
export const LOOK_FIELDS = {
  style: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe(
      'Of cells: words such as "bold, fill FFFF00", or {bold, italic, underline, color, font, size, fill, border: "thin" | {top, outline, inside…}, align, valign, wrap, indent, number_format, locked, named}; of a table its name, such as TableStyleMedium2',
    ),
  rule: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      '{cell: ">", value} | {between: [1, 5]} | {formula: "=$C2>5"} | {top: 10} | {average: "above"} | {duplicates: true} | {contains: "x"} | {blank: true} | {scale: [colors]} | {bar: color} | {icons: "3Arrows"}',
    ),
  number: z.number().int().optional().describe('Which rule, as get_file_info numbers them'),
  remove: z.boolean().optional().describe('Remove it'),
  filters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Column to values or a test: {"Region": ["North"], "D": {above: 5}}'),
  print: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      '{area, title_rows, title_columns, orientation, paper, fit: {width, height}, scale, margins, header, footer, center}',
    ),
  collapse: z.boolean().optional().describe('Fold the group'),
}
