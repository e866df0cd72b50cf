import {
  type Answer,
  type CallState,
  type Decision,
  type DraftLine,
  fail,
  ok,
  type Result,
} from '@filewright/protocol'
import { findTool, type Tool } from '@filewright/tools'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { describePublished, unchangedFiles } from '../publish/describe-published.ts'
import type { Answerer, Publication } from '../publish/publisher.ts'
import { proposerOf, type RunnerPorts, toEnded } from './tool-call.ts'

/** Answers for a one-call draft: the tool words the answer, which is kept as the outcome of the call. */
export function createCallAnswerer({
  desk,
  log,
}: Pick<RunnerPorts, 'desk' | 'log'>): Answerer<CallState> {
  return async (draft, published) => {
    const tool = findTool(draft.open.call!.tool)!
    const { how, result } = published.ok
      ? await wordAnswer(desk, draft, tool, published.value)
      : { how: 'discarded' as const, result: published }
    const { told, line } = endCall(log, draft, draft.decision!.by, result)
    return { told, end: { how, lines: [line] } }
  }
}

type AnyResult = Result<Answer<Record<string, unknown>>>

/** The outcome of a draft's call, and the line that keeps it. */
export function endCall(
  log: RunnerPorts['log'],
  { open }: Draft,
  by: string,
  result: AnyResult,
): { told: CallState; line: DraftLine } {
  const call = open.call!
  const told = toEnded(log, findTool(call.tool)!, { ...call, author: by }, result)
  return { told, line: { type: 'outcome', toolCallId: call.ids.toolCallId, state: told } }
}

async function wordAnswer(
  desk: Desk,
  draft: Draft,
  tool: Tool,
  publication: Publication,
): Promise<{ how: 'published' | 'discarded'; result: AnyResult }> {
  const proposer = proposerOf(tool)!
  const published = await describePublished(desk, draft, publication)
  const isUnwritten = proposer.answersUnchanged && published.files.length === 0
  if (isUnwritten && publication.refused.length > 0)
    return { how: 'discarded', result: denied(draft.decision!) }
  const files = isUnwritten ? await unchangedFiles(desk, draft) : published.files
  const fault = proposer.findFault?.(files)
  if (fault) return { how: 'published', result: fault }
  const answer = proposer.finish(draft.open.call!.input as never, { ...published, files })
  return { how: 'published', result: ok(answer as Answer<Record<string, unknown>>) }
}

export function denied({ by, reason }: Decision): Result<never> {
  return fail(
    'DENIED',
    `Nothing was written: ${by} refused this change${reason ? `: ${reason}` : ''}. Do not send it again as it is; ask what is wanted instead.`,
    {
      details: { deniedBy: by, ...(reason && { reason }) },
    },
  )
}
