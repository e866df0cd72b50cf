import {
  type CallState,
  fail,
  isFields,
  measureArguments,
  offerOf,
  ownFields,
  parseIfJson,
  toCallState,
  toCorrected,
} from '@filewright/protocol'
import { relativePaths, type Tool } from '@filewright/tools'
import type { RoutedCall } from './routed-call.ts'
import { CORRECTED_VALUES, parseToolArguments } from './tool-arguments.ts'

const PATH_CODES: readonly (string | null)[] = ['InvalidPath', 'INVALID_ARGUMENT']

/** A refusal of an absolute path into the workspace, with the call that names the same file from its root. */
export async function offerRelative(
  state: CallState,
  tool: Tool,
  call: RoutedCall,
  rootOf: () => Promise<string | undefined>,
): Promise<CallState> {
  if (!('outcome' in state) || tool.declaration.checksOwnArguments) return state
  const { envelope } = state.outcome
  if (envelope.success || !PATH_CODES.includes(envelope.errorCode)) return state
  const sent = parseIfJson(call.arguments)
  const extent = measureArguments(sent)
  if (typeof extent === 'string' || extent.values > CORRECTED_VALUES) return state
  const root = await rootOf()
  const relative = root === undefined ? undefined : relativePaths(sent, root)
  const meant = relative === undefined ? undefined : fitting(tool, relative)
  if (!meant) return state
  const corrected = toCorrected(sent, meant)
  const { errorCode, kind, message, errors, warnings } = envelope
  const failure = fail(
    errorCode as string,
    `${message} It is in this workspace.${offerOf(corrected)}`,
    {
      kind: kind ?? 'invalid',
      errors,
      details: { ...ownFields(envelope), corrected },
    },
  )
  return toCallState(failure, call.ids, warnings)
}

/** The arguments, or what the tool would make of them. */
function fitting(tool: Tool, given: unknown) {
  const parsed = parseToolArguments(tool, given)
  const meant = parsed.ok ? given : parsed.failure.details?.corrected
  return isFields(meant) && meant.changesOnly !== true ? meant : undefined
}
