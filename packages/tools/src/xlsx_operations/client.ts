import { type ClientHandler, ok } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { toEditedAnswer } from '../edited.ts'
import type { xlsxOperations } from './tool.ts'

export const xlsxOperationsClient: ClientHandler<typeof xlsxOperations, ClientContext> = async (
  input,
  { draft },
) => {
  const edited = await draft.edit(input.path, 'xlsx', input.operations, {
    createIfMissing: input.create_if_missing ?? input.create_new,
    copyFrom: input.copy_from,
    allowProtected: input.allow_protected,
    allowBreakSignature: input.allow_break_signature,
  })
  return edited.ok ? ok(toEditedAnswer(edited.value, 'cells')) : edited
}
