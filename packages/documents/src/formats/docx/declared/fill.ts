import type { OperationDeclaration } from '../../../operation-table.ts'
import { meantFilling } from './meant.ts'

/** Operations on templates. */
export const FILL_OPERATIONS = {
  fill_placeholders: {
    takes: ['placeholders: {name: value}', 'place?', 'rows_from?', 'to?'],
    rows: { from: 'rows_from', to: 'to', values: 'placeholders' },
    understands: ['track'],
    does: 'fills {{x}}, [Name], ____, «x», MERGEFIELD, highlighted text and form controls by name; a list of values fills in order, a list of objects repeats the table row; rows_from with to makes one file for each row; names what stays open',
    synonyms: ['fill_template', 'fill', 'fill_form', 'mail_merge', 'fill_fields'],
    meant: meantFilling,
  },
} as const satisfies Readonly<Record<string, OperationDeclaration>>
