import { isFields, type Operation } from '@filewright/protocol'
import type { Task } from './carry.ts'

/**
 * Fields that name no cells by their address, and fields whose places the proof of their operation finds. Any other
 * text, of an operation made tomorrow too, is read as a formula.
 */
const WITHOUT_REFERENCES: ReadonlySet<string> = new Set([
  ...['op', 'sheet', 'to_sheet', 'name', 'new_name', 'table', 'pivot', 'chart', 'picture', 'image'],
  ...['text', 'title', 'prompt', 'error', 'author', 'url', 'tooltip', 'alt', 'x_title', 'y_title'],
  ...['legend', 'style', 'type', 'level', 'operator', 'properties', 'search', 'replace', 'shift'],
  ...['at', 'rows', 'columns', 'widths', 'heights', 'locale', 'separator', 'what', 'like', 'steps'],
  ...['keep', 'names', 'function'],
])

/** Places of the operation's own sheet, which its proof finds. */
const PLACED: ReadonlySet<string> = new Set(['range', 'cell'])

/** The operation with its references as they read now; a text says which is not proven. */
export function carryReferences({
  logged,
  frame,
  on,
}: Pick<Task, 'logged' | 'frame' | 'on'>): Operation | string {
  let lost: string | undefined
  const carry = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const mapped = frame.mapSteady(value, on?.sheet)
      if (mapped === undefined) lost ??= value
      return mapped ?? value
    }
    if (Array.isArray(value)) return value.map(carry)
    if (!isFields(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, carry(own)]))
  }
  const { op } = logged.operation
  const carried = Object.entries(logged.operation).map(([field, value]) => [
    field,
    WITHOUT_REFERENCES.has(field) || (on && PLACED.has(field)) ? value : carry(value),
  ])
  if (lost !== undefined) return `${JSON.stringify(lost)} refers to cells that may have moved`
  return { ...Object.fromEntries(carried), op }
}
