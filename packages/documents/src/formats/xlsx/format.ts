import { ok } from '@filewright/protocol'
import type { Evaluator } from '../../evaluation.ts'
import { DRAW_TASK, type Format } from '../../format.ts'
import { diffWorkbooks } from './diff.ts'
import { drawSheet } from './draw-sheet.ts'
import { rebase } from './rebase.ts'
import { workbookDrafts } from './workbook-drafts.ts'
import { copyWorkbook, createWorkbook } from './write/create.ts'

export const xlsxFormat: Format = workbookFormat()

function workbookFormat(evaluator?: Evaluator): Format {
  return {
    ...workbookDrafts(evaluator),
    create: (name, from) => (from ? copyWorkbook(from, name.path) : createWorkbook(name.path)),
    rebase: request => rebase(request, evaluator),
    computing: workbookFormat,
    tasks: { [DRAW_TASK]: drawSheet },
    diff(before, after, name) {
      // a created or deleted file is one change, the file itself
      if (!before || !after) return ok({ by: 'places', changes: [], isTruncated: false })
      const differences = diffWorkbooks(before, after, name)
      return differences.ok ? ok({ by: 'places', ...differences.value }) : differences
    },
  }
}
