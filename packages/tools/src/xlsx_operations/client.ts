import { type ClientHandler, fail, ok } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { toEditedAnswer } from '../edited.ts'
import type { xlsxOperations } from './tool.ts'

export const xlsxOperationsClient: ClientHandler<typeof xlsxOperations, ClientContext> = async (
  input,
  { draft },
) => {
  const isCreation = input.create_if_missing || input.create_new || input.copy_from !== undefined
  if (input.operations.length === 0 && !isCreation)
    return fail(
      'INVALID_ARGUMENT',
      'Nothing was written: operations is empty. Name at least one operation, such as {"op": "set_cells", "sheet": "Sheet1", "cells": [{"cell": "A1", "value": 1}]}, or pass create_if_missing: true to make an empty workbook.',
    )
  const edited = await draft.edit(input.path, 'xlsx', input.operations, {
    createIfMissing: input.create_if_missing ?? input.create_new,
    copyFrom: input.copy_from,
    allowProtected: input.allow_protected,
    allowBreakSignature: input.allow_break_signature,
  })
  return edited.ok ? ok(toEditedAnswer(edited.value, 'cells')) : edited
}
