import { LIMITS } from '@filewright/protocol'
import type { FormatDeclaration } from '../../format-facts.ts'
import { CROP, PAGES } from '../../pictures/declared.ts'
import { MAP_FIELDS, READ_FIELDS } from './declared/answers.ts'
import { joinPlaces } from './declared/join-places.ts'
import { meantRegion } from './declared/meant-places.ts'
import { WORKBOOK_OPERATIONS } from './declared/operations.ts'
import { SELECTORS } from './declared/selectors.ts'
import { writeSheet } from './declared/write-table.ts'

/** Workbooks of Excel 2007 and later. */
export const xlsx = {
  words: { file: 'a spreadsheet', document: 'workbook', place: 'cell' },
  endings: ['.xlsx', '.xlsm', '.xltx', '.xltm'],
  hostile: true,
  isPacked: true,
  reading: {
    selectors: SELECTORS,
    meant: meantRegion,
    region: 'a range of a sheet',
    map: 'sheets with used ranges, tables and headers',
    styles: 'cell styles',
    grid: true,
    fields: { map: MAP_FIELDS, read: READ_FIELDS },
  },
  editing: {
    operations: WORKBOOK_OPERATIONS,
    newEndings: ['.xlsx'],
    mostPlaces: LIMITS.draftedCells,
    kinds: ['cell', 'format', 'sheet', 'structure'],
    unit: { name: 'cells', of: 'cell' },
    joinPlaces,
  },
  has: { rebase: true, diff: 'places', preview: false, withdraw: true, computing: true },
  drawing: {
    selectors: { sheet: SELECTORS.sheet, range: SELECTORS.range, pages: PAGES, crop: CROP },
    by: 'office',
    choosesPart: true,
  },
  writesTable: writeSheet,
  synonyms: {
    sheet: ['sheetName', 'worksheet', 'tab'],
    range: ['cellRange', 'cells', 'cell'],
    cell: ['address', 'ref', 'coordinate', 'a1'],
  },
  load: async () => (await import('./format.ts')).xlsxFormat,
} as const satisfies FormatDeclaration
