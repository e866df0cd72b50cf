import {
  type Change,
  type Fields,
  fail,
  type LoggedOperation,
  lookUp,
  ok,
  type Result,
} from '@filewright/protocol'
import type { AppliedOperations, OperationResult } from './format.ts'
import type { LivePackage } from './opc/index.ts'
import type { OperationEditor } from './operation-editor.ts'
import { Refusal } from './refusal.ts'

/** What applies operations to a package that is edited in place. */
export interface LogRunner<Editor extends OperationEditor> {
  readonly package: LivePackage
  readonly handlers: Readonly<
    Record<string, (editor: Editor, operation: Fields) => OperationResult>
  >
  editorFor(logged: LoggedOperation, undo: (() => void)[]): Editor
  /** Called after each operation that was done. */
  done(logged: LoggedOperation, editor: Editor): void
}

/** All or none: a refusal undoes whatever the operations before it did. */
export function applyLog<Editor extends OperationEditor>(
  runner: LogRunner<Editor>,
  log: readonly LoggedOperation[],
): Result<AppliedOperations> {
  const undo: (() => void)[] = []
  const results: OperationResult[] = []
  const changes: Change[] = []
  const warnings = new Set<string>()
  runner.package.record(undo)
  try {
    for (const [position, logged] of log.entries()) {
      const editor = runner.editorFor(logged, undo)
      try {
        results.push(run(runner, editor))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        for (const step of undo.reverse()) step()
        return toFailure(error, position, logged)
      }
      runner.done(logged, editor)
      changes.push(...editor.changes)
      for (const warning of editor.warnings) warnings.add(warning)
    }
  } finally {
    runner.package.record(undefined)
  }
  return ok({ results, changes, warnings: [...warnings] })
}

function run<Editor extends OperationEditor>(
  { handlers }: LogRunner<Editor>,
  editor: Editor,
): OperationResult {
  const { op } = editor.operation
  const handler = lookUp(handlers, String(op))
  if (!handler)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `there is no operation ${JSON.stringify(op)}; the operations are ${Object.keys(handlers).join(', ')}`,
    )
  return handler(editor, editor.operation)
}

function toFailure(
  { code, message, meant, details: more }: Refusal,
  position: number,
  { operation }: LoggedOperation,
): Result<never> {
  const details: Fields = { ...more, ...(meant && { meant }) }
  return fail(
    code,
    `Nothing was written: operations[${position}] (${operation.op}): ${message}${/[.!?]$/.test(message) ? '' : '.'}`,
    Object.keys(details).length > 0 ? { details } : {},
  )
}
