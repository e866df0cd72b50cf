import type { LookEdit } from '../looks/look-edit.ts'
import { formatEdit } from './format-edit.ts'
import { namedBase } from './named-styles.ts'
import type { Styles } from './styles.ts'

/** That style with what the edit changes. Undefined when the workbook has as many as Excel opens. */
export function styleWith(styles: Styles, from: number, edit: LookEdit): number | undefined {
  const base = edit.named === undefined ? undefined : namedBase(styles, edit)
  const start = base === undefined ? from : styles.deriveFormat(from, styles.baseEdit(base))
  if (start === undefined) return undefined
  const change = formatEdit(styles, styles.formats.at(start), edit)
  return Object.keys(change).length === 0 ? start : styles.deriveFormat(start, change)
}
