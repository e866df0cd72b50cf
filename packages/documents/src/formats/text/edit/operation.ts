import type { LoggedOperation, Result } from '@filewright/protocol'
import { fail } from '@filewright/protocol'
import type { z } from 'zod'
import type { DocumentName, OperationResult } from '../../../format.ts'
import { join } from '../patch/arguments.ts'
import type { History } from '../write/history.ts'

/** Does one operation on the text with all changes so far; on failure the history is as it was. */
export type OperationRunner = (
  history: History,
  logged: LoggedOperation,
  name: DocumentName,
) => Result<Done>

/** An operation done: the history with it, and what to say about it. */
export interface Done {
  readonly history: History
  readonly result: OperationResult
  readonly warnings: readonly string[]
}

/** For arguments of another shape than the operation has. */
export function refuseShape(usage: string, error: z.ZodError) {
  const errors = error.issues.map(
    issue =>
      `${issue.path.reduce<string>((at, part) => (typeof part === 'number' ? `${at}[${part}]` : join(at, String(part))), '')}: ${issue.message}`,
  )
  return fail('INVALID_ARGUMENT', `Nothing was written: use ${usage}. ${errors.join(' · ')}`, {
    errors,
  })
}
