import { createHash } from 'node:crypto'
import { fail, type Result, toShellWord } from '@filewright/protocol'
import { catalog } from '@filewright/tools'
import type { Agent } from '../agent/agent.ts'
import type { Deed } from './deed.ts'
import type { Waiting } from './gate.ts'

const LONGEST_QUESTION = 1_900
const NO = 'Leave it as it is'

/**
 * A question in the log of the session: it waits on the page and in `filewright approvals`, outlives this process, and is
 * the same for the same deed on the same state.
 */
export async function askDurably(
  { connection, params }: Agent,
  deed: Deed,
  sessionId: string,
): Promise<Result<Waiting>> {
  const toolCallId = idOf(deed)
  const inSession = { ...params, sessionId }
  const find = () => connection.call('getCall', { params: { ...inSession, toolCallId } })
  const found = await find()
  if (!found.ok && found.failure.kind !== 'missing') return found
  const body = { tool: askingTool(), arguments: toQuestion(deed), toolCallId }
  const asked = found.ok ? found : await connection.call('callAsModel', { params: inSession, body })
  if (!asked.ok) return asked
  if (!('pending' in asked.value) && !asked.value.success)
    return fail(
      'INTERNAL_ERROR',
      `The person could not be asked: ${String(asked.value.errorCode)}.`,
    )
  const id = asked.value.toolCallId.replace(/^tc_/, 'qst_')
  return {
    ok: true,
    value: {
      id,
      command: `filewright approvals answer ${id} ${toShellWord(deed.yes)}`,
      async look() {
        const state = await find()
        if (!state.ok || 'pending' in state.value) return undefined
        const { message } = state.value
        return message === `The person chose: ${deed.yes}` ? 'yes' : { words: message }
      },
      async answer(by) {
        const given = { params: { ...params, questionId: id }, body: { answer: deed.yes, by } }
        return (await connection.call('answerQuestion', given)).ok
      },
    },
  }
}

function toQuestion({ title, details, yes }: Deed) {
  return { question: `${title}? ${details}`.slice(0, LONGEST_QUESTION), choices: [yes, NO] }
}

function idOf({ tool, subject }: Deed): string {
  return `agent ${createHash('sha256').update(`${tool}\n${subject}`).digest('hex').slice(0, 32)}`
}

function askingTool(): string {
  return catalog.find(({ declaration }) => declaration.asksPerson)!.declaration.name
}
