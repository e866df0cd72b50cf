import { optional } from '../../../fields/named-fields.ts'
import type { TypedOperation } from '../../../operation-table.ts'
import { FIELDS, TRACK } from './fields.ts'
import { meantFilling } from './meant.ts'

const { placeholders, place, rows_from, to } = FIELDS

/** Operations on templates. */
export const FILL_OPERATIONS = {
  fill_placeholders: {
    takes: optional({ placeholders, rows_from, place, to }),
    rows: { from: 'rows_from', to: 'to', values: 'placeholders' },
    understands: TRACK,
    either: ['placeholders', 'rows_from'],
    does: 'fills {{x}}, [Name], ____, «x», MERGEFIELD, highlighted text and form controls by name; a list of values fills in order, a list of objects repeats the table row; rows_from with to makes one file for each row; names what stays open',
    example: { placeholders: { Client: 'ACME', Date: '1 May 2026' } },
    synonyms: ['fill_template', 'fill', 'fill_form', 'mail_merge', 'fill_fields'],
    meant: meantFilling,
  },
} as const satisfies Readonly<Record<string, TypedOperation>>
