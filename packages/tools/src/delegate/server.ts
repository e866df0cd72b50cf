import { fail, type ServerHandler } from '@filewright/protocol'
import type { ServerContext } from '../server-context.ts'
import type { delegate } from './tool.ts'

/** A run answers it itself; outside a run there is no model to do so. */
export const delegateServer: ServerHandler<typeof delegate, ServerContext> = async () =>
  fail(
    'INVALID_ARGUMENT',
    'Nothing was asked: only a run can delegate a question. Ask it as a task of its own: filewright run "QUESTION" --plan.',
  )
