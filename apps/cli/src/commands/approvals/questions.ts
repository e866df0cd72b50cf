import { type FolderOptions, type Host, note, unwrapOrExit, type Work } from '@filewright/host'
import { type OpenQuestion, type Result, visibleBelow, visibleName } from '@filewright/protocol'
import { askLine } from '../../input/prompt.ts'
import { answer, answerJson } from '../../output/output.ts'

interface AnswerOptions extends FolderOptions {
  readonly id: string
  readonly answer: string
  readonly json?: boolean
}

export function answerQuestion(
  { id, answer: given, ...options }: AnswerOptions,
  host: Host,
): Promise<void> {
  return host.inWorkspace(options, async work => {
    const answered = unwrapOrExit(await send(work, id, given))
    if (options.json) return answerJson(answered)
    answer(`Answered: ${answered.answer}`)
  })
}

/** What a run of this session wants to know; of all sessions without one. */
export async function openQuestions(
  { connection, params }: Work,
  sessionId?: string,
): Promise<readonly OpenQuestion[]> {
  const open = unwrapOrExit(await connection.call('listQuestions', { params }))
  return sessionId ? open.filter(question => question.sessionId === sessionId) : open
}

/** Shows a question and takes the answer here; false when the person wants to answer later. */
export async function askQuestion(work: Work, question: OpenQuestion): Promise<boolean> {
  for (const line of toLines(question)) note(line)
  const given = await askLine('Your answer (a number, or your own words; empty for later): ')
  if (given === '') return false
  const answered = await send(work, question.id, given)
  if (!answered.ok && answeredElsewhere(answered)) return true
  unwrapOrExit(answered)
  return true
}

export function showQuestion(question: OpenQuestion): void {
  answer(`${question.id}  open  a question`)
  for (const line of toLines(question)) answer(line)
}

function toLines({ question, choices }: OpenQuestion): readonly string[] {
  return [
    visibleBelow(question),
    ...choices.map((choice, at) => `  ${at + 1}. ${visibleName(choice)}`),
  ]
}

function send({ connection, params, config }: Work, questionId: string, given: string) {
  return connection.call('answerQuestion', {
    params: { ...params, questionId },
    body: { answer: given, by: config.userName },
  })
}

/** At another terminal or on the page: the run goes on with that answer. */
function answeredElsewhere(answered: Result<unknown>): boolean {
  if (answered.ok || !['CONFLICT', 'NOT_FOUND'].includes(answered.failure.code)) return false
  note(answered.failure.message)
  return true
}
