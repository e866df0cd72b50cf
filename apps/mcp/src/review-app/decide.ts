import { counted } from '@filewright/protocol'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { EXECUTED_STAYS } from '../work/draft-tools.ts'
import { reviewOf } from '../work/find-draft.ts'
import { settleQuestions } from '../work/settle-questions.ts'
import { toFailed, toResult } from '../work/to-result.ts'
import { refusal } from '../work/with-yes.ts'
import type { FrameCall } from './frame-call.ts'

interface Clicked {
  readonly draft_id: string
  readonly challenge: string
  readonly only?: string[]
  readonly refused: string[]
  readonly comments: string[]
  readonly proof: string
}

/** Publishes what a person clicked in the frame; anything without the frame's proof writes nothing. */
export async function decide(
  { agent, challenges, host }: FrameCall,
  { draft_id: draftId, challenge, only, refused, comments, proof }: Clicked,
): Promise<CallToolResult> {
  const words = JSON.stringify([challenge, draftId, only ?? null, refused, comments])
  const seen = challenges.redeem(challenge, words, proof)
  if (seen?.draftId !== draftId)
    return toFailed(
      refusal(
        'DENIED',
        'Nothing was written: this is no click in the review that was shown, or the review is too old. Look at it again.',
      ),
    )
  if (agent.policy === 'never')
    return toFailed(
      refusal(
        'DENIED',
        "Nothing was written: the person's settings (agent-publish: never) let nobody publish from here.",
      ),
    )
  return agent.turns.write(async () => {
    const found = await reviewOf(agent, draftId)
    if (!found.ok) return toFailed(found.failure)
    const executed = new Set<string>(
      (found.value.executed ?? []).flatMap(({ changeIds }) => [...changeIds]),
    )
    const body = {
      draftId,
      only: only?.filter(id => !executed.has(id)),
      refused,
      comments,
      revision: seen.revision,
      by: `the person in ${host}`,
    }
    const published = await agent.connection.call('publish', { params: agent.params, body })
    if (!published.ok) return toFailed(published.failure)
    await settleQuestions(agent, draftId)
    const { message, changeSetId, warnings, undecided } = published.value
    return toResult(
      [
        changeSetId ? `${message} The change set is ${changeSetId}.` : message,
        ...(undecided > 0 ? [`${counted(undecided, 'change')} of the draft stay in it.`] : []),
        ...(executed.size > 0 ? [EXECUTED_STAYS] : []),
        ...warnings,
      ].join('\n'),
    )
  })
}
