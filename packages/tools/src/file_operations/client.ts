import { type ClientHandler, type Effect, fail, ok, parseDocPath } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import type { fileOperations } from './tool.ts'

export const fileOperationsClient: ClientHandler<typeof fileOperations, ClientContext> = async (
  { operations },
  { draft },
) => {
  const done = await draft.arrange(
    operations.map(operation =>
      operation.op === 'delete'
        ? { op: operation.op, path: operation.path }
        : { op: operation.op, path: operation.to, from: sourceOf(operation) },
    ),
  )
  if (!done.ok)
    return fail(done.failure.code, done.failure.message, {
      kind: done.failure.kind,
      errors: done.failure.errors,
      details: done.failure.details,
    })
  const { draftId, arranged } = done.value
  const results = arranged.map(({ op, path, message }) => ({ op, path, message }))
  const effects = arranged.map(
    ({ op, path, docPath }, index): Effect => ({
      docPath,
      path,
      where: 'draft',
      action: op === 'delete' ? 'deleted' : op === 'move' ? 'moved' : 'created',
      count: 1,
      unit: 'files',
      ...(draftId && { draftId }),
      ...movedFrom(operations[index]!),
    }),
  )
  const message = results.map(result => result.message).join('; ')
  return ok({
    fields: { draftId, results },
    message,
    text: `${message}\nIn the draft; the person publishes it.`,
    effects,
  })
}

function sourceOf(operation: { from: string } | { path: string }): string {
  return 'from' in operation ? operation.from : operation.path
}

function movedFrom(operation: { op: string; from?: string }): { from?: string } {
  const from = operation.op === 'move' ? parseDocPath(operation.from!) : undefined
  return from?.ok ? { from: from.value } : {}
}
