import {
  type CallState,
  type DocPath,
  type DraftLine,
  type ExecutedFile,
  fail,
} from '@filewright/protocol'
import type { ClientContext, Tool } from '@filewright/tools'
import { nothingWritten } from '../apply/nothing-written.ts'
import { foldDraft } from '../draft/draft.ts'
import { forgetDrafted } from '../draft/draft-view.ts'
import { holdBlobs } from '../draft/hold-blobs.ts'
import { findExecutedFiles, namedBy } from '../publish/executed.ts'
import { planPublish } from '../publish/plan-publish.ts'
import { checkUnsaved } from '../publish/unsaved.ts'
import { executedBy } from '../workspace/tree/executed-files.ts'
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
  const plan = await planPublish(desk, draft)
  if (!plan.ok) return end(nothingWritten(plan))
  const unsaved = await checkUnsaved({ ...ports, desk }, draft, plan.value, params.unsaved)
  if (!unsaved.ok) return end(unsaved)
  if (!(await hasBegun(params)) || !commit())
    return refuse(params.ids, fail('CANCELLED', 'Nothing was written: the call was abandoned.'))
  const time = now().toISOString()
  const warned = withWarnings(lines.value, [...plan.value.warnings, ...unsaved.value])
  const answer = await askGate(ports, proposed.value, plan.value, params)
  if (answer.effect === 'deny') return end(deniedBy(answer.rule.id, params.tool))
  const executed = await findExecutedFiles(desk, draft)
  const isNamed = answer.effect === 'allow' || executed.every(file => isNamedBy(params, file))
  const isNothing = plan.value.changeSet.files.length === 0 // nobody needs to decide on that
  const isApproved = params.policy === 'all' || params.policy === 'named'
  const isAsked = answer.effect === 'ask' && !isApproved
  if ((isAsked || !isNamed || params.policy === 'person') && !isNothing) {
    const ask: DraftLine = { type: 'ask', approvalId: ids('approval'), time }
    return pendingOf(await drafts.append(draft.id, [...warned, ask]))
  }
  const by = answer.effect === 'allow' ? `rule ${answer.rule.id}` : params.author
  const decided: DraftLine = { type: 'decide', decision: { decision: 'approved', by }, time }
  const { draft: stored, kept } = await drafts.begin(draft.id, [...warned, decided])
  const planned = { plan: plan.value, kept }
  const answerCall = createCallAnswerer({ ...ports, desk })
  const named = namedBy(stored.files.values())
  const state = await publisher.publish(stored, { by, planned, named }, answerCall)
  forgetDrafted(desk, stored)
  return state
}

/** A person's own call names the file itself; a link to it names another. */
function isNamedBy({ policy }: CallParams, { docPath }: ExecutedFile): boolean {
  return policy === 'named' && executedBy(docPath as DocPath) !== undefined
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
