import type { SentRequest } from '@filewright/protocol'
import type { ModelMessage, ModelRequest } from '../port/model.ts'
import type { PromptInput } from '../port/prompt-input.ts'
import { closingLine } from '../state/closing-line.ts'
import { decide, limitsOf } from '../state/decide.ts'
import { type LoopState, tokensInUse, turnRoom } from '../state/loop-state.ts'
import { readReply } from './ask-model.ts'
import type { LoopContext } from './loop-context.ts'
import { describeRequest } from './sent-request.ts'

const KEPT_SHARE = 0.2 // of the context: the newest turns stay word for word
const MATERIAL_SHARE = 0.5 // of the context: what the model is given to sum up
const RESULT_CHARS = 1_500 // of one tool result in that material
const GOAL_CHARS = 8_000 // of one message of the person, kept word for word
const SHORTEST_SUMMARY = 80 // characters; a shorter one says little, so our own outline goes with it

/**
 * Replaces old messages with a summary (CONTRACT §7). We record the person's words, open approvals, file versions and
 * changes; the model adds what it learned. Rules and active files are in the prompt, which is sent again.
 */
export async function compact(context: LoopContext): Promise<undefined> {
  const { memory, port, facts } = context
  await facts.learned()
  facts.record() // the context may be larger than assumed
  if (decide(memory.state, context.limits).type !== 'compact') return
  const { state } = memory
  const { unknownContextTokens, compactionShare } = limitsOf(state.run!, context.limits)
  const size = state.context.limit ?? unknownContextTokens
  const unseen = turnRoom(state.context, size, compactionShare)
  const up_to_seq = cutOf(state, size * KEPT_SHARE, unseen)
  const old = memory.transcript.messagesUpTo(up_to_seq)
  const { learned, sent } = await summarize(old, size, context)
  const told = learned ? section('What was done and learned so far', [learned]) : ''
  const isShort = learned.length < SHORTEST_SUMMARY
  const prose = [told, isShort ? outlineOf(old) : ''].filter(Boolean).join('\n\n')
  const summary = [keptFacts(old, state, await port.promptInput()), prose].join('\n\n')
  memory.append([
    { type: 'compaction', summary, up_to_seq, tokens_before: tokensInUse(state.context), sent },
  ])
}

/**
 * The newest turns within the share stay; the very newest, whose results the model has not seen, may take more. The cut
 * is always before an answer, so that no call loses its result.
 */
export function cutOf({ context, seq }: LoopState, keptTokens: number, unseenTokens = 0): number {
  const { borders, history } = context
  const newest = borders.at(-1)
  const border =
    borders.find(one => history - one.history <= keptTokens) ??
    (newest && history - newest.history <= unseenTokens ? newest : undefined)
  return border ? border.seq - 1 : seq
}

/** By the model itself; nothing when it fails, so that a compaction never does. */
async function summarize(
  messages: readonly ModelMessage[],
  contextTokens: number,
  context: LoopContext,
): Promise<{ learned: string; sent: SentRequest }> {
  const { memory, port } = context
  const turnId = port.ids('turn')
  const material = materialOf(messages, contextTokens * MATERIAL_SHARE * 3)
  const request: Omit<ModelRequest, 'signal'> = {
    system: SUMMARY_SYSTEM,
    messages: [{ role: 'user', text: material }],
    tools: [],
    step: memory.state.answers,
  }
  const reply = await context.interruptible(({ signal }) =>
    readReply({ ...request, signal }, context, () => {}),
  )
  memory.lost.throwIfAborted()
  if (reply.usage) memory.append([{ type: 'usage', turn_id: turnId, usage: reply.usage }])
  const learned = 'answer' in reply.result ? reply.result.answer.text.trim() : ''
  return { learned, sent: describeRequest(port.model, request) }
}

const SUMMARY_SYSTEM = `Sum up the work below for yourself: you will continue it and see only your summary.
Keep: what you learned (files, sheets, sections, names, numbers), what was changed and where, what was tried and failed and why, decisions of the person, and what is left to do next. Leave out greetings and raw content. At most 600 words.`

/** As plain text: some providers refuse a history of calls without the tools, and a result is not needed whole. */
function materialOf(messages: readonly ModelMessage[], chars: number): string {
  const texts = messages.map(message => {
    if (message.role === 'user') return `PERSON: ${message.text}`
    if (message.role === 'tool')
      return `RESULT of ${message.name}${message.failed ? ' (failed)' : ''}: ${clip(message.text, RESULT_CHARS)}`
    const calls = message.calls.map(
      call => `CALL ${call.name} ${clip(call.arguments, RESULT_CHARS)}`,
    )
    return [message.text && `YOU: ${message.text}`, ...calls].filter(Boolean).join('\n')
  })
  const all = texts.join('\n')
  return all.length <= chars ? all : `${all.slice(0, chars / 4)}\n[…]\n${all.slice(-chars * 0.75)}`
}

function keptFacts(
  old: readonly ModelMessage[],
  { run }: LoopState,
  { pathsUsed, openApprovals }: PromptInput,
): string {
  const said = old
    .filter(message => message.role === 'user')
    .map(message => clip(message.text, GOAL_CHARS))
  const files = pathsUsed.map(({ path, version }) => `- ${path}${version ? ` · ${version}` : ''}`)
  return [
    '[Filewright] The conversation became too long for your context. The following replaces its older part.',
    section('What the person said, word for word', said),
    section('Waiting for the person', openApprovals),
    section('Files used, with their versions', files),
    section('Changes of this run', [closingLine(run!)]),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Replaces the model's own summary, or supplements a short one: every call with its outcome, and the last words. */
function outlineOf(messages: readonly ModelMessage[]): string {
  const calls = new Map(
    messages.flatMap(message =>
      message.role === 'assistant' ? message.calls.map(call => [call.id, call] as const) : [],
    ),
  )
  const steps = messages.flatMap(message => {
    if (message.role !== 'tool') return []
    const asked = clip(calls.get(message.callId)?.arguments ?? '', 160)
    return `- ${message.name} ${asked} → ${message.failed ? clip(message.text, 160) : 'done'}`
  })
  const words = messages.findLast(message => message.role === 'assistant' && message.text !== '')
  return [
    section('Calls so far', steps.slice(-60)),
    words && section('Your last words', [clip(words.text, 1_000)]),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function section(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `# ${title}\n${rows.join('\n')}`
}

function clip(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)} […]`
}
