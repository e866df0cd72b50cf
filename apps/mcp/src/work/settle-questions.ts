import type { Agent } from '../agent/agent.ts'

/**
 * Ends the questions about a draft that nobody needs to answer any more: it was decided, or it moved on to the revision
 * that is named.
 */
export async function settleQuestions(
  { connection, params }: Agent,
  draftId: string,
  revision?: number,
): Promise<void> {
  const open = await connection.call('listQuestions', { params })
  if (!open.ok) return // they stay, and answering one has no effect
  const about = new RegExp(`^${draftId} at revision (\\d+)`)
  const past = open.value.filter(({ decides, subject = '' }) => {
    const [, asked] = about.exec(subject) ?? []
    return decides !== undefined && asked !== undefined && asked !== String(revision)
  })
  for (const { id: questionId, choices } of past)
    await connection.call('answerQuestion', {
      params: { ...params, questionId },
      body: { answer: choices.at(-1)!, by: 'Filewright, because the draft was decided or changed' },
    })
}
