import { type ClientHandler, type Failure, fail, ok, type ToolCode } from '@filewright/protocol'
import type { ClientContext } from '../client-context.ts'
import { toEditedAnswer } from '../edited.ts'
import { repairArguments } from '../repair-arguments.ts'
import { xlsxOperations } from './tool.ts'

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
  return edited.ok
    ? ok(toEditedAnswer(edited.value, 'cells'))
    : { ok: false, failure: withCorrected(edited.failure, input) }
}

type Code = ToolCode<typeof xlsxOperations>

/** A field by another name passes the schema, which knows the fields of all operations and not which of them needs which. */
function withCorrected(failure: Failure<Code>, input: unknown): Failure<Code> {
  if (failure.code !== 'INVALID_ARGUMENT') return failure
  const corrected = repairArguments(xlsxOperations, input)
  if (!corrected || JSON.stringify(corrected) === JSON.stringify(input)) return failure
  return {
    ...failure,
    message: `${failure.message} If "corrected" is what you mean, send that.`,
    details: { ...failure.details, corrected },
  }
}
