import { ok } from '@filewright/protocol'
import type { Format } from '../../format.ts'
import { diffWorkbooks } from './diff.ts'
import { XlsxDocument } from './document.ts'
import { replay } from './replay.ts'
import { copyWorkbook, createWorkbook } from './write/create.ts'

export const xlsxFormat: Format = {
  open: (bytes, name) => XlsxDocument.open(bytes, name),
  create: (name, from) => (from ? copyWorkbook(from, name.path) : createWorkbook(name.path)),
  replay,
  diff(before, after, name) {
    // a created or deleted file is one change, the file itself
    if (!before || !after) return ok({ by: 'places', changes: [], isTruncated: false })
    const differences = diffWorkbooks(before, after, name)
    return differences.ok ? ok({ by: 'places', ...differences.value }) : differences
  },
}
