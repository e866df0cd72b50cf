import { unwrapOrExit, type Work } from '@filewright/host'
import { type LogRow, type PlanStep, rowsInView } from '@filewright/protocol'

const PAGE = 5000

/** What an earlier conversation holds that a person goes on with. */
export interface Earlier {
  /** The last message of the person. */
  readonly message?: { readonly seq: number; readonly text: string }
  /** What the model said last. */
  readonly answer?: string
  readonly closing?: string | undefined
  readonly plan: readonly PlanStep[]
  /** The last run only planned. */
  readonly wasPlanning: boolean
  /** It came to its end; false also if nothing was sent yet. */
  readonly isComplete: boolean
}

export async function recall({ connection, params }: Work, sessionId: string): Promise<Earlier> {
  const rows: LogRow[] = []
  for (let after = 0; ; ) {
    const query = { after, limit: PAGE }
    const asked = await connection.call('log', { params: { ...params, sessionId }, query })
    const page = unwrapOrExit(asked).rows
    if (page.length === 0) return toEarlier(rows)
    rows.push(...page)
    after = page.at(-1)!.seq
  }
}

export function toEarlier(all: readonly LogRow[]): Earlier {
  const seen = rowsInView(all)
  const conversationId = seen.at(-1)?.conversationId
  let earlier: Earlier = { plan: [], wasPlanning: false, isComplete: false }
  for (const { seq, body } of seen.filter(row => row.conversationId === conversationId)) {
    if (body.type === 'user_message') earlier = { ...earlier, message: { seq, text: body.text } }
    if (body.type === 'plan') earlier = { ...earlier, plan: body.steps }
    if (body.type === 'assistant_message' && body.text.trim() !== '')
      earlier = { ...earlier, answer: body.text }
    if (body.type === 'run-start')
      earlier = {
        ...earlier,
        wasPlanning: body.plan === true,
        isComplete: false,
        closing: undefined,
      }
    if (body.type === 'run-end')
      earlier = { ...earlier, closing: body.closing, isComplete: body.reason === 'final' }
  }
  return earlier
}
