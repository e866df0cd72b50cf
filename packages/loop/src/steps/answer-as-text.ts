import { quotedTool, similarTools } from '@filewright/protocol'
import type { ModelRequest } from '../port/model.ts'
import type { LoopContext } from './loop-context.ts'
import type { ModelAnswer } from './model-answer.ts'
import { isQuoted, NOTHING_WAS_RUN } from './quoted-call.ts'
import { findWrittenCalls, type WrittenCall } from './written-call.ts'

/** What becomes of an answer whose end looks like a tool call. */
export type TextAnswer =
  /** It is what it says. */
  | { readonly type: 'plain' }
  /** Its calls are run, as written ones. */
  | { readonly type: 'calls'; readonly answer: ModelAnswer }
  /** One message tells the model how to call. */
  | { readonly type: 'repair'; readonly note: string }
  | { readonly type: 'hopeless' }

/**
 * Only a model that has made no native call in the conversation may write one as text (CONTRACT §7), and never one that it
 * was shown.
 */
export function judgeTextAnswer(
  answer: ModelAnswer,
  request: ModelRequest,
  { memory, port }: LoopContext,
): TextAnswer {
  const { state } = memory
  if (answer.calls.length > 0 || answer.finish === 'length' || answer.finish === 'refused')
    return { type: 'plain' }
  if (state.callers.includes(port.model.name)) return { type: 'plain' }
  const written = findWrittenCalls(answer.text, port.tools)
  if (!written) return { type: 'plain' }
  const { calls, text } = written
  const names = port.tools.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  const isQuote = calls.some(call => isQuoted(call, request))
  const unknown = calls.find(call => !names.includes(call.name))
  const isOther = unknown !== undefined && similarTools(unknown.name, names).length === 0
  if (calls.length > 0 && isOther && !written.isMarked) return { type: 'plain' } // data that happens to look like a call
  if (calls.length > 0 && !isQuote && !unknown)
    return { type: 'calls', answer: { ...answer, text, calls, finish: 'tool-calls' } }
  if (!state.run!.wasRepaired) return { type: 'repair', note: repairNote(unknown, isQuote, names) }
  return { type: isQuote ? 'plain' : 'hopeless' }
}

function repairNote(
  unknown: WrittenCall | undefined,
  isQuote: boolean,
  names: readonly string[],
): string {
  const how = NOTHING_WAS_RUN
  if (isQuote)
    return `Your answer ends with a tool call that is written in what you were shown, so it counts as a quotation. ${how}`
  if (!unknown) return `Your answer ends with a tool call that cannot be read. ${how}`
  const similar = similarTools(unknown.name, names)
  const hint =
    similar.length > 0
      ? `Did you mean ${similar.join(' or ')}?`
      : `The tools are ${names.join(', ')}.`
  return `There is no tool ${quotedTool(unknown.name)}. ${hint} ${how}`
}
