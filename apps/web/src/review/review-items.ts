import type { Change, Review } from '@filewright/protocol'
import { parseCell } from '../grid/column-name.ts'

/** The review as one list, which is walked through from its top. */
export type ReviewItem =
  | { readonly kind: 'file'; readonly path: string; readonly changes: readonly Change[] }
  /** The changed cells of a sheet, in their sheet. */
  | {
      readonly kind: 'grid'
      readonly path: string
      readonly sheet: string
      readonly changes: readonly Change[]
    }
  | { readonly kind: 'change'; readonly change: Change }

export function toItems({ changes }: Pick<Review, 'changes'>): ReviewItem[] {
  const items: ReviewItem[] = []
  for (const [path, ofFile] of byPath(changes)) {
    items.push({ kind: 'file', path, changes: ofFile })
    for (const [sheet, cells] of sheetsIn(ofFile))
      items.push({ kind: 'grid', path, sheet, changes: cells })
    for (const change of ofFile) items.push({ kind: 'change', change })
  }
  return items
}

/** Cells by their sheet. A file that is new as a whole has no cells to compare with. */
function sheetsIn(changes: readonly Change[]): Map<string, Change[]> {
  const sheets = new Map<string, Change[]>()
  for (const change of changes) {
    const sheet = change.kind === 'cell' ? parseCell(change.place)?.sheet : undefined
    if (sheet !== undefined) sheets.set(sheet, [...(sheets.get(sheet) ?? []), change])
  }
  return sheets
}

export function byPath(changes: readonly Change[]): Map<string, Change[]> {
  const files = new Map<string, Change[]>()
  for (const change of changes) {
    const ofFile = files.get(change.path)
    if (ofFile) ofFile.push(change)
    else files.set(change.path, [change])
  }
  return files
}
