import type { Format } from '../../format.ts'
import { XlsxDocument } from './document.ts'
import { OPERATIONS } from './operations/index.ts'
import { replay } from './replay.ts'
import { copyWorkbook, createWorkbook } from './write/create.ts'

export const xlsxFormat: Format = {
  id: 'xlsx',
  label: 'spreadsheet',
  endings: ['.xlsx', '.xlsm', '.xltx', '.xltm'],
  selectors: ['sheet', 'range'],
  operations: Object.keys(OPERATIONS),
  hostile: true,
  open: (bytes, name) => XlsxDocument.open(bytes, name),
  create: (name, from) => (from ? copyWorkbook(from, name.path) : createWorkbook(name.path)),
  replay,
}
