import { findFormat } from '@filewright/documents'
import { fail, LIMITS, ok, type SheetGrid } from '@filewright/protocol'
import type { DraftStore } from '../draft/draft-store.ts'
import { type Desk, engineFor, viewFile } from '../draft/draft-view.ts'
import type { MethodTable } from '../link/answerer.ts'
import { chooseDraft } from './choose-draft.ts'

export interface GridMethodsPorts {
  readonly desk: Desk
  readonly drafts: DraftStore
}

/** What a page draws: a region of a sheet, as it is on disk or as a draft has it. */
export function createGridMethods({ desk, drafts }: GridMethodsPorts): Pick<MethodTable, 'grid'> {
  return {
    async grid({ path, draftId, ...region }) {
      const draft = draftId === undefined ? ok(undefined) : await chooseDraft(drafts, draftId)
      if (!draft.ok) return draft
      const file = await viewFile(desk, draft.value, path)
      if (!file.ok) return file
      const format = findFormat(file.value.format)
      if (!format?.reading.grid)
        return fail(
          'UNREADABLE_FORMAT',
          `"${file.value.path}" is ${format?.words.file ?? 'no file of a known kind'}, which has no cells to draw.`,
        )
      const options = { maxBytes: LIMITS.resultBytes, grid: true }
      const reading = await engineFor(desk, file.value.format).read(file.value.ref, region, options)
      return reading.ok ? ok(reading.value.fields as unknown as SheetGrid) : reading
    },
  }
}
