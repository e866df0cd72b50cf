import { type CallState, type DraftLine, fail } from '@filewright/protocol'
import type { ClientContext, Tool } from '@filewright/tools'
import { nothingWritten } from '../apply/nothing-written.ts'
import { foldDraft } from '../draft/draft.ts'
import { forgetDrafted } from '../draft/draft-view.ts'
import { holdBlobs } from '../draft/hold-blobs.ts'
import { planPublish } from '../publish/plan-publish.ts'
import { createCallAnswerer } from './answer-call.ts'
import { askGate } from './ask-gate.ts'
import { pendingOf } from './pending-call.ts'
import { toLines } from './proposal-lines.ts'
import {
  type CallParams,
  hasBegun,
  proposerOf,
  type RunnerPorts,
  refuse,
  toEnded,
} from './tool-call.ts'

export interface ProposeOptions {
  readonly context: ClientContext
  /** False when the call was abandoned; after this point its effect may happen. */
  readonly commit: () => boolean
}

/** A call that writes the workspace is a draft of its own: planned, asked about at the gate, and published at once or later. */
export async function propose(
  ports: RunnerPorts,
  tool: Tool,
  params: CallParams,
  { context, commit }: ProposeOptions,
): Promise<CallState> {
  const { drafts, publisher, ids, now } = ports
  const desk = holdBlobs(ports.desk)
  const end = (result: Parameters<typeof toEnded>[3]) => toEnded(ports.log, tool, params, result)
  const proposed = await proposerOf(tool)!.propose(params.input as never, context)
  if (!proposed.ok) return end(nothingWritten(proposed))
  const lines = await toLines({ ...ports, desk }, proposed.value, params)
  if (!lines.ok) return end(nothingWritten(lines))
  const draft = foldDraft(lines.value)!
  const plan = await planPublish(desk, draft, [])
  if (!plan.ok) return end(nothingWritten(plan))
  if (!(await hasBegun(params)) || !commit())
    return refuse(params.ids, fail('CANCELLED', 'Nothing was written: the call was abandoned.'))
  const time = now().toISOString()
  const warned = withWarnings(lines.value, plan.value.warnings)
  const answer = await askGate(ports, proposed.value, plan.value, params)
  if (answer.effect === 'deny') return end(deniedBy(answer.rule.id, params.tool))
  if (answer.effect === 'ask' && params.policy !== 'all') {
    const ask: DraftLine = { type: 'ask', approvalId: ids('approval'), time }
    return pendingOf(await drafts.append(draft.id, [...warned, ask]))
  }
  const by = answer.effect === 'allow' ? `rule ${answer.rule.id}` : params.author
  const decided: DraftLine = { type: 'decide', decision: { decision: 'approved', by }, time }
  const { draft: stored, kept } = await drafts.begin(draft.id, [...warned, decided])
  const planned = { plan: plan.value, kept }
  const answerCall = createCallAnswerer({ ...ports, desk })
  const state = await publisher.publish(stored, { by, planned }, answerCall)
  forgetDrafted(desk, stored)
  return state
}

function deniedBy(ruleId: string, tool: string) {
  return fail(
    'DENIED',
    `Nothing was written: the rule ${ruleId} denies ${tool} here. Ask the person, or choose another path.`,
    { details: { ruleId } },
  )
}

/** For the person who decides and the model that gets the answer. */
function withWarnings(lines: readonly DraftLine[], warnings: readonly string[]): DraftLine[] {
  return lines.map(line =>
    line.type === 'open' && line.call
      ? { ...line, call: { ...line.call, warnings: [...line.call.warnings, ...warnings] } }
      : line,
  )
}
