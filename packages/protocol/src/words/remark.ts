import { isSameName } from './similar.ts'

/** Arguments that models add to explain a call, wherever they are. */
const REMARKS = [
  ...['description', 'explanation', 'intent', 'justification', 'purpose'],
  ...['rationale', 'reason', 'reasoning', 'thought', 'thoughts'],
]

/** They explain the call as a whole; in an entry they may ask for something, such as the comment of a cell. */
const REMARKS_ON_THE_CALL = ['comment', 'label', 'message', 'note', 'notes', 'summary']

/** It comments on the call and does not change what is done. Null means nothing, whatever its name. */
export function isPureRemark(
  name: string,
  value: unknown,
  { isInEntry }: { readonly isInEntry: boolean },
): boolean {
  if (value === null) return true
  const remarks = isInEntry ? REMARKS : [...REMARKS, ...REMARKS_ON_THE_CALL]
  return typeof value === 'string' && remarks.some(remark => isSameName(name, remark))
}
