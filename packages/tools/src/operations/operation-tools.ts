import { FORMATS, type FormatFacts, type OperationTable } from '@filewright/documents'
import { type ClientHandler, type Failure, fail, ok, type ToolCode } from '@filewright/protocol'
import { bind } from '../bind.ts'
import type { ClientContext } from '../client-context.ts'
import { toEditedAnswer } from '../edited.ts'
import { repairArguments } from '../repair-arguments.ts'
import { declareTool, type OperationsTool } from './declare-tool.ts'

/** One tool per format that declares operations. */
export function toOperationTools(formats: readonly FormatFacts[] = FORMATS) {
  return formats.flatMap(facts => {
    const table = facts.editing?.operations
    return table ? [toTool(facts, table)] : []
  })
}

function toTool(facts: FormatFacts, table: OperationTable) {
  const declaration = declareTool(facts, table)
  return bind(declaration, { client: editWith(declaration, facts, table) })
}

function editWith(
  tool: OperationsTool,
  { id, words }: FormatFacts,
  { example }: OperationTable,
): ClientHandler<OperationsTool, ClientContext> {
  return async (input, { draft }) => {
    const isCreation = input.create_if_missing || input.create_new || input.copy_from !== undefined
    if (input.operations.length === 0 && !isCreation)
      return fail(
        'INVALID_ARGUMENT',
        `Nothing was written: operations is empty. Name at least one operation, such as ${example}, or pass create_if_missing: true to make an empty ${words.document}.`,
      )
    const edited = await draft.edit(input.path, id, input.operations, {
      createIfMissing: input.create_if_missing ?? input.create_new,
      copyFrom: input.copy_from,
      allowProtected: input.allow_protected,
      allowBreakSignature: input.allow_break_signature,
    })
    return edited.ok
      ? ok(toEditedAnswer(edited.value))
      : { ok: false, failure: withCorrected(edited.failure, tool, input) }
  }
}

type Code = ToolCode<OperationsTool>

/**
 * A field under another name passes the schema, which knows the fields of all operations but not which operation needs
 * which.
 */
function withCorrected(
  failure: Failure<Code>,
  tool: OperationsTool,
  input: unknown,
): Failure<Code> {
  if (failure.code !== 'INVALID_ARGUMENT') return failure
  const corrected = repairArguments(tool, input)
  if (!corrected || JSON.stringify(corrected) === JSON.stringify(input)) return failure
  return {
    ...failure,
    message: `${failure.message} If you mean "corrected", send that.`,
    details: { ...failure.details, corrected },
  }
}
