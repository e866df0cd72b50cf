import type { LoggedOperation, Result } from '@filewright/protocol'
import { fail } from '@filewright/protocol'
import type { z } from 'zod'
import type { DocumentName, OperationResult } from '../../../format.ts'
import { join } from '../patch/arguments.ts'
import type { History } from '../write/history.ts'

/** Applies one operation to the text with all changes so far; a failure leaves the history unchanged. */
export type OperationRunner = (
  history: History,
  logged: LoggedOperation,
  name: DocumentName,
) => Result<Done>

/** An applied operation: the new history, and messages about it. */
export interface Done {
  readonly history: History
  readonly result: OperationResult
  readonly warnings: readonly string[]
}

/** For arguments that do not have the operation's shape. */
export function refuseShape(usage: string, error: z.ZodError) {
  const errors = error.issues.map(
    issue =>
      `${issue.path.reduce<string>((at, part) => (typeof part === 'number' ? `${at}[${part}]` : join(at, String(part))), '')}: ${issue.message}`,
  )
  return fail('INVALID_ARGUMENT', `Nothing was written: use ${usage}. ${errors.join(' · ')}`, {
    errors,
  })
}
