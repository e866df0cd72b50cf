import { fail } from '@filewright/protocol'
import { changeLines } from './change-lines.ts'
import { editText } from './edit-text.ts'
import type { OperationRunner } from './operation.ts'
import { writeText } from './write-text.ts'

const RUNNERS: Readonly<Record<string, OperationRunner>> = {
  write_text: writeText,
  edit_text: editText,
  line_changes: changeLines,
}

export const OPERATIONS = Object.keys(RUNNERS)

export const runOperation: OperationRunner = (history, logged, name) => {
  const { op } = logged.operation
  const run = Object.hasOwn(RUNNERS, op) ? RUNNERS[op] : undefined
  if (run) return run(history, logged, name)
  return fail(
    'INVALID_ARGUMENT',
    `Nothing was written: a text file has no operation ${JSON.stringify(op)}. Its operations are ${OPERATIONS.join(', ')}.`,
  )
}
