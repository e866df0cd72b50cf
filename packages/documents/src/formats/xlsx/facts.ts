import { LIMITS } from '@filewright/protocol'
import type { FormatDeclaration } from '../../format-facts.ts'
import { SELECTORS } from './view/selectors.ts'

/** Workbooks of Excel since 2007. */
export const xlsx = {
  words: { file: 'a spreadsheet', document: 'workbook', place: 'cell' },
  endings: ['.xlsx', '.xlsm', '.xltx', '.xltm'],
  newEndings: ['.xlsx'],
  selectors: SELECTORS,
  hostile: true,
  isPacked: true,
  mostPlaces: LIMITS.draftedCells,
  tool: 'xlsx_operations',
  has: { rebase: false, diff: 'places', preview: false },
  load: async () => (await import('./format.ts')).xlsxFormat,
} as const satisfies FormatDeclaration
