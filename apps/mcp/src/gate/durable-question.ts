import { type Result, toShellWord } from '@filewright/protocol'
import type { Agent } from '../agent/agent.ts'
import type { DurableDeed } from './deed.ts'
import type { Waiting } from './gate.ts'

const LONGEST_QUESTION = 1_900
const NO = 'Leave it as it is'

/**
 * A question in the log of the session: it waits on the page and in `filewright approvals`, outlives this process, and is
 * the same for the same words about the same deed. Only this agent's token asks it.
 */
export async function askDurably(
  { connection, params }: Agent,
  { act: deed, subject, title, details, yes }: DurableDeed,
  sessionId: string,
): Promise<Result<Waiting>> {
  const question = `${title}? ${details}`.slice(0, LONGEST_QUESTION)
  const body = { deed, subject, question, choices: [yes, NO] }
  const ask = () => connection.call('askForYes', { params: { ...params, sessionId }, body })
  const asked = await ask()
  if (!asked.ok) return asked
  const { questionId: id, answer: before } = asked.value
  return {
    ok: true,
    value: {
      id,
      command: `filewright approvals answer ${id} ${toShellWord(yes)}`,
      async look() {
        if (before) return before
        const now = await ask()
        return now.ok ? (now.value.answer ?? undefined) : undefined
      },
      async answer(by) {
        const given = { params: { ...params, questionId: id }, body: { answer: yes, by } }
        return (await connection.call('answerQuestion', given)).ok
      },
    },
  }
}
