import { isDeepStrictEqual } from 'node:util'
import { FORMATS, type FormatFacts, type OperationTable } from '@filewright/documents'
import {
  type ClientHandler,
  type Failure,
  type Fields,
  fail,
  offerOf,
  ok,
  type ToolCode,
  toCorrected,
} from '@filewright/protocol'
import { bind } from '../bind.ts'
import type { ClientContext, Edited } from '../client-context.ts'
import { toEditedAnswer } from '../edited.ts'
import { repairArguments } from '../repair-arguments.ts'
import { unknownKeys } from '../unknown-keys.ts'
import { sayUsages, usagesOf } from '../usages.ts'
import { toCopiesAnswer } from './copies-answer.ts'
import { declareTool, type OperationsTool } from './declare-tool.ts'
import { toDescribeTool } from './describe-operations.ts'
import { withRows } from './rows-of-table.ts'

/** One tool per format that declares operations, and one that describes them. */
export function toOperationTools(formats: readonly FormatFacts[] = FORMATS) {
  const tools = formats.flatMap(facts => {
    const table = facts.editing?.operations
    return table ? [toTool(facts, table)] : []
  })
  return tools.length > 0 ? [...tools, toDescribeTool(formats)] : []
}

function toTool(facts: FormatFacts, table: OperationTable) {
  const declaration = declareTool(facts, table)
  return bind(declaration, { client: editWith(declaration, facts, table) })
}

function editWith(
  tool: OperationsTool,
  { id, words }: FormatFacts,
  table: OperationTable,
): ClientHandler<OperationsTool, ClientContext> {
  const { example } = table
  return async (input, { draft, files }) => {
    const isCreation = input.create_if_missing || input.create_new || input.copy_from !== undefined
    if (input.operations.length === 0 && !isCreation)
      return fail(
        'INVALID_ARGUMENT',
        `Nothing was written: operations is empty. Name at least one operation, such as ${example}, or pass create_if_missing: true to make an empty ${words.document}.`,
      )
    const rowed = await withRows(input.operations, table, files)
    if (!rowed.ok) return rowed
    const listsChanges = input.list_changes === true
    if (rowed.value.copies) {
      const made: Edited[] = []
      for (const { path, operations } of rowed.value.copies) {
        const copy = await draft.edit(path, id, operations, {
          copyFrom: input.path,
          allowProtected: input.allow_protected,
          allowBreakSignature: input.allow_break_signature,
        })
        if (!copy.ok) return copy
        made.push(copy.value)
      }
      return ok(toCopiesAnswer(made, { listsChanges }))
    }
    const edited = await draft.edit(input.path, id, rowed.value.operations, {
      createIfMissing: input.create_if_missing ?? input.create_new,
      copyFrom: input.copy_from,
      allowProtected: input.allow_protected,
      allowBreakSignature: input.allow_break_signature,
    })
    return edited.ok
      ? ok(toEditedAnswer(edited.value, { listsChanges }))
      : { ok: false, failure: withCorrected(edited.failure, tool, input) }
  }
}

type Code = ToolCode<OperationsTool>

/**
 * What the document says was meant, or a field under another name: the schema knows the fields of all operations, but
 * not which operation needs which.
 */
function withCorrected(
  failure: Failure<Code>,
  tool: OperationsTool,
  input: unknown,
): Failure<Code> {
  const { meant: operations, ...details } = failure.details ?? {}
  const meant = operations
    ? fitting(tool, { ...(input as Fields), operations })
    : failure.code === 'INVALID_ARGUMENT'
      ? repairArguments(tool, input)
      : undefined
  if (!meant || isDeepStrictEqual(meant, input))
    return { ...failure, message: withUsage(failure, tool, input), details }
  const corrected = toCorrected(input, meant)
  return {
    ...failure,
    message: `${failure.message}${offerOf(corrected)}`,
    details: { ...details, corrected },
  }
}

/** The fields of the operation that was refused, for a model that was offered it without them. */
function withUsage({ code, message }: Failure<Code>, tool: OperationsTool, input: unknown): string {
  if (code !== 'INVALID_ARGUMENT') return message
  const places = message.match(/operations\[\d+\]/g) ?? []
  return `${message}${sayUsages(message, usagesOf(tool, input, places))}`
}

/** Other operations of the call may be wrong in ways that the document does not mind. */
function fitting(tool: OperationsTool, meant: Fields): Fields | undefined {
  const isRight = tool.input.safeParse(meant).success && unknownKeys(tool, meant).length === 0
  return isRight ? meant : undefined
}
