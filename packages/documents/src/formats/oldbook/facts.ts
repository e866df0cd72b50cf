import { z } from 'zod'
import type { FormatDeclaration } from '../../format-facts.ts'
import { WHOLE_DOCUMENT } from '../../pictures/declared.ts'
import { SELECTORS as ROWS } from '../csv/declared.ts'
import { SELECTORS as CELLS } from '../xlsx/declared/selectors.ts'

/** Workbooks of older programs and of OpenDocument, read-only. */
export const oldbook = {
  words: { file: 'a spreadsheet of an older format', document: 'workbook', place: 'cell' },
  endings: ['.xls', '.xlt', '.xlsb', '.ods', '.ots'],
  hostile: true,
  reading: {
    selectors: { sheet: CELLS.sheet, row_start: ROWS.row_start, row_count: ROWS.row_count },
    region: 'rows of an older workbook',
    map: 'sheets of an older workbook',
    fields: {
      map: {},
      read: { rows: z.array(z.array(z.string())).optional().describe('Cells as text') },
    },
  },
  drawing: WHOLE_DOCUMENT,
  load: async () => (await import('./format.ts')).oldbookFormat,
} as const satisfies FormatDeclaration
