import { invalid } from '../../edit/editor.ts'
import type { FillValue } from './fill-data.ts'

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'x', '1', 'on', 'checked', '☒', '☑'])
const NO: ReadonlySet<string> = new Set(['false', 'no', '', '0', 'off', 'unchecked', '☐'])

/** Whether a value checks the box of that name. */
export function isYes(value: FillValue, name: string): boolean {
  const word = String(value).trim().toLowerCase()
  if (YES.has(word)) return true
  if (NO.has(word)) return false
  throw invalid(
    `${JSON.stringify(name)} is a check box: its value is true or false, not ${JSON.stringify(value)}`,
  )
}
