import type { ChangeId } from '@filewright/protocol'
import type { Sheet } from '../../book/sheet.ts'
import type { Editor } from '../editor.ts'

export interface PartChange {
  readonly place: string
  /** In words; null: there was none. */
  readonly before: string | null
  readonly after: string | null
  readonly dependsOn?: readonly ChangeId[]
  /** It means the same whatever earlier changes of the element a person refuses. */
  readonly isAlone?: boolean
}

/** Replaces the elements of a name next to the cells, and records it as one change of the sheet. */
export function setSheetPart(
  editor: Editor,
  sheet: Sheet,
  local: string,
  texts: readonly string[],
  { place, before, after, dependsOn, isAlone }: PartChange,
): void {
  editor.onUndo(sheet.setAround(local, texts))
  editor.recordSheet(sheet, place, {
    kind: 'structure',
    before: before === null ? null : { text: before },
    after: after === null ? null : { text: after },
    dependsOn: [...(isAlone ? [] : editor.writersOfPart(sheet, local)), ...(dependsOn ?? [])],
    carries: false,
  })
  editor.notePart(sheet, local, place)
}
