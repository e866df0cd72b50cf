import type { FormatDeclaration } from '../../format-facts.ts'
import { isLightText } from '../text/light-work.ts'
import { MAP_FIELDS, READ_FIELDS, SELECTORS } from './declared.ts'
import { warnOfFormulas, writeCsv } from './write-table.ts'

/** Separated values: read as a table, edited as the text they are. */
export const csv = {
  words: { file: 'a table of separated values', document: 'table', place: 'row' },
  endings: ['.csv', '.tsv', '.tab'],
  hostile: false,
  isLight: isLightText,
  isLines: true,
  reading: {
    selectors: SELECTORS,
    region: 'rows of a csv table',
    map: 'the columns of a csv with their types',
    note: 'Rows of a csv come without its quotes: `12|cell|cell`; to edit, read its text with line_start.',
    fields: { map: MAP_FIELDS, read: READ_FIELDS },
  },
  writesTable: writeCsv,
  tableWarnings: warnOfFormulas,
  synonyms: {
    row_start: ['startRow', 'firstRow', 'fromRow'],
    row_count: ['numRows', 'rowLimit', 'rows'],
  },
  load: async () => (await import('./format.ts')).csvFormat,
} as const satisfies FormatDeclaration
