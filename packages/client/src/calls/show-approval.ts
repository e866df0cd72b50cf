import { type Approval, type Change, toBytes, visibleName } from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { withoutKeys } from '../files/key-files.ts'
import { findExecuted } from '../publish/executed.ts'
import { planPublish } from '../publish/plan-publish.ts'
import { diffLines, diffsOf } from '../review/diffs.ts'
import { reviewFiles } from '../review/review-files.ts'
import { type CallParams, proposerOf } from './tool-call.ts'

/** The question to a person about a call. */
export async function toApproval(desk: Desk, draft: Draft): Promise<Approval> {
  const { call, label, description, time } = draft.open
  const state = stateOf(draft)
  const reviewed = await reviewFiles(desk, draft)
  const drift = state === 'open' ? await driftOf(desk, draft) : NO_DRIFT
  const diffs = await diffsOf(desk, draft)
  const executed = await findExecuted(desk, reviewed.ok ? reviewed.value : [])
  const shown = await withoutKeys(desk, draft, {
    changes: reviewed.ok ? reviewed.value.flatMap(file => file.changes) : [],
    diffs: diffs.map(({ path, diff }) => ({ path, diff: drift.diffs.get(path) ?? diff })),
  })
  return {
    id: draft.approvalId!,
    toolCallId: call!.ids.toolCallId,
    sessionId: draft.sessionId,
    draftId: draft.id,
    tool: call!.tool,
    label: visibleName(label ?? call!.tool),
    ...(description && { description }),
    time,
    state,
    ...((call!.policy === 'person' || executed.length > 0) && { needsPerson: true }),
    ...(executed.length > 0 && { executed }),
    changes: withLabels(call!, shown.changes),
    warnings: [
      ...executed.map(({ why }) => why),
      ...call!.warnings,
      ...drift.warnings,
      ...shown.warnings,
    ],
    diffs: shown.diffs,
  }
}

function stateOf({ decision, state }: Draft): Approval['state'] {
  if (decision) return decision.decision
  return state === 'open' ? 'open' : 'stale'
}

interface DriftShown {
  readonly warnings: readonly string[]
  /** By path. */
  readonly diffs: ReadonlyMap<string, string>
}

const NO_DRIFT: DriftShown = { warnings: [], diffs: new Map() }

/** Facts a person needs before answering: where the changes land now, or that they no longer do. */
async function driftOf(desk: Desk, draft: Draft): Promise<DriftShown> {
  const plan = await planPublish(desk, draft)
  if (!plan.ok)
    return { ...NO_DRIFT, warnings: [`It cannot be written as it is. ${plan.failure.message}`] }
  const diffs = new Map<string, string>()
  for (const { docPath, path, content } of plan.value.changeSet.files) {
    const found = plan.value.rebasedOn.get(docPath)
    if (!found || !content) continue
    const { format } = draft.files.get(docPath)!
    const sides = { before: found, after: toBytes(content, found) }
    diffs.set(path, (await diffLines(desk, { format, docPath, path }, sides)) ?? '')
  }
  const warnings = [...diffs.keys()].map(
    path =>
      `"${path}" changed since this was planned; the diff shows where the changes land now; each change names the place it was planned for.`,
  )
  return { warnings, diffs }
}

function withLabels(
  { tool, input }: Pick<CallParams, 'tool' | 'input'>,
  changes: readonly Change[],
): readonly Change[] {
  const labels = proposerOf(findTool(tool)!)!.labels?.(input as never)
  return changes.map(change => {
    const own = labels?.get(change.id)
    return own ? { ...change, labels: own } : change
  })
}
