import type {
  CreateElicitationResponse,
  ElicitationPropertySchema,
  ElicitationSchema,
} from '@agentclientprotocol/sdk'
import type { OpenQuestion } from '@filewright/protocol'
import { type AttachedEditor, say } from '../editor/editor.ts'
import type { OpenSession } from '../editor/open-session.ts'
import { askPermission } from './permission.ts'

const TITLE_CHARS = 200 // the whole is in the content

export async function openQuestions({
  sessionId,
  folder,
}: OpenSession): Promise<readonly OpenQuestion[]> {
  const listed = await folder.connection.call('listQuestions', { params: folder.params })
  if (!listed.ok) throw new Error(listed.failure.message)
  return listed.value.filter(each => each.sessionId === sessionId)
}

/** Asks what the model asks, in a form; where the editor has none, the next message is the answer. */
export async function settleQuestions(
  editor: AttachedEditor,
  session: OpenSession,
  signal: AbortSignal,
): Promise<boolean> {
  for (const question of await openQuestions(session)) {
    if (question.definition !== undefined) {
      if (!(await settleCall(editor, session, question, signal))) return false
      continue
    }
    const given = editor.capabilities.elicitation?.form
      ? await askForm(editor, session, question, signal)
      : undefined
    if (given === undefined) {
      await say(editor, session.sessionId, inWords(question))
      return false
    }
    await answerQuestion(editor, session, question, given)
  }
  return true
}

export async function answerQuestion(
  { config }: AttachedEditor,
  { folder }: OpenSession,
  { id, choices }: OpenQuestion,
  given: string,
): Promise<void> {
  const answer = choices[Number(given) - 1] ?? given
  const answered = await folder.connection.call('answerQuestion', {
    params: { ...folder.params, questionId: id },
    body: { answer, by: config.userName },
  })
  if (!answered.ok && answered.failure.kind !== 'conflict')
    throw new Error(answered.failure.message)
}

/** A call to an MCP server: a permission with the choices that the question has. False: nobody answered. */
async function settleCall(
  editor: AttachedEditor,
  session: OpenSession,
  question: OpenQuestion,
  signal: AbortSignal,
): Promise<boolean> {
  const { question: text, choices, toolCallId } = question
  const [once = '', always = '', no = ''] = choices
  const given = await askPermission(editor, {
    sessionId: session.sessionId,
    toolCall: {
      toolCallId,
      title: text.length <= TITLE_CHARS ? text : `${text.slice(0, TITLE_CHARS)}…`,
      kind: 'other',
      content: [{ type: 'content', content: { type: 'text', text } }],
    },
    words: { allow_once: once, allow_always: always, reject_once: no },
    signal,
  })
  if (given === 'cancelled') return false
  const chosen = { allow_once: once, allow_always: always, reject_once: no, reject_always: no }
  await answerQuestion(editor, session, question, chosen[given])
  return true
}

async function askForm(
  { client }: AttachedEditor,
  { sessionId }: OpenSession,
  { question, choices, toolCallId }: OpenQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const asked = client.request('elicitation/create', {
    mode: 'form',
    sessionId,
    toolCallId,
    message: question,
    requestedSchema: formOf(choices),
  })
  const reply = await Promise.race([asked, aborted(signal)])
  return reply === undefined ? undefined : answerIn(reply)
}

function formOf(choices: readonly string[]): ElicitationSchema {
  const words: ElicitationPropertySchema = { type: 'string', title: 'Your answer' }
  if (choices.length === 0)
    return { type: 'object', properties: { answer: words }, required: ['answer'] }
  const choice: ElicitationPropertySchema = {
    type: 'string',
    title: 'Choose one',
    enum: [...choices],
  }
  return {
    type: 'object',
    properties: { choice, answer: { ...words, title: 'Or say it in your own words' } },
  }
}

/** The person's own words go before a choice. */
function answerIn(reply: CreateElicitationResponse): string | undefined {
  if (reply.action !== 'accept' || !('content' in reply)) return undefined
  const { answer, choice } = Object(reply.content) as Readonly<Record<string, unknown>>
  const given = [answer, choice].find(each => typeof each === 'string' && each.trim() !== '')
  return (given as string | undefined)?.trim()
}

function inWords({ question, choices }: OpenQuestion): string {
  const listed = choices.map((choice, at) => `${at + 1}. ${choice}`)
  return [question, ...listed, 'Your next message is the answer.'].join('\n')
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    const end = () => resolve(undefined)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
  })
}
