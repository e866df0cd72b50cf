import { type Failure, fail } from '@filewright/protocol'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Agent } from '../agent/agent.ts'
import type { DurableDeed } from '../gate/deed.ts'
import { askDurably } from '../gate/durable-question.ts'
import { type AgentAsking, askPerson } from '../gate/gate.ts'
import type { Answered } from './answered.ts'
import { settleQuestions } from './settle-questions.ts'
import { toFailed, toResult } from './to-result.ts'

/** Whose yes it is; `unasked`: it was given beforehand, in the settings. */
export interface Yes {
  readonly by: string
  readonly unasked?: true
}

/** Does the deed once a person said yes to it, by the host's form, elsewhere, or once and for all in the settings. */
export async function withYes(
  agent: Agent,
  deed: DurableDeed,
  sessionId: string,
  asking: AgentAsking,
  act: (yes: Yes) => Promise<CallToolResult>,
): Promise<Answered> {
  if (agent.policy === 'never')
    return toFailed(
      refusal(
        'DENIED',
        `Nothing was written: the person's settings (agent-publish: never) let no agent do this. The person can: ${deed.title}, on the page or in a terminal.`,
      ),
    )
  const doIt = (yes: Yes) => agent.turns.write(() => act(yes))
  if (agent.policy === 'auto') return doIt({ by: 'the setting agent-publish', unasked: true })
  const waiting = await askDurably(agent, deed, sessionId)
  if (!waiting.ok) return toFailed(waiting.failure)
  if (deed.draft) await settleQuestions(agent, deed.draft.id, deed.draft.revision)
  const answer = await askPerson(agent, deed, waiting.value, asking)
  switch (answer.kind) {
    case 'yes':
      return doIt({ by: answer.by })
    case 'form':
      return answer.answer
    case 'pending':
      return toResult(answer.text)
    case 'no':
      return toFailed(
        refusal(
          'DENIED',
          `Nothing was written: the person did not say yes to "${deed.title}". ${answer.words}. Ask them what they want instead.`,
        ),
      )
  }
}

export function refusal(code: 'CONFLICT' | 'NOT_FOUND' | 'DENIED', message: string): Failure {
  return (fail(code, message) as { readonly failure: Failure }).failure
}
