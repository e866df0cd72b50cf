import { fail, ok, type PlanStep, type ServerHandler } from '@filewright/protocol'
import type { ServerContext } from '../server-context.ts'
import { MOST_STEPS, type updatePlan } from './tool.ts'

export const updatePlanServer: ServerHandler<typeof updatePlan, ServerContext> = async (
  { steps: given },
  { call },
) => {
  if (given.length > MOST_STEPS)
    return fail(
      'INVALID_ARGUMENT',
      `The plan was not changed: it has ${given.length} steps, and at most ${MOST_STEPS} fit. Join the small ones.`,
    )
  const bare = given.findIndex(({ status, reason }) => status === 'failed' && !reason?.trim())
  if (bare >= 0)
    return fail(
      'INVALID_ARGUMENT',
      `The plan was not changed: number ${bare + 1} is failed without a reason. Send the list again and say in its "reason" why.`,
    )
  const steps = given.map(
    ({ step, status, reason }): PlanStep => ({
      text: step,
      status,
      ...(status === 'failed' && { reason }),
    }),
  )
  const done = steps.filter(({ status }) => status === 'done').length
  const said = steps.length === 0 ? 'There is no plan now.' : `${done} of ${steps.length} done.`
  return ok({
    fields: { done, total: steps.length },
    message: said,
    text: `The person sees the plan: ${said}`,
    rows: [{ type: 'plan', tool_call_id: call.toolCallId, steps }],
  })
}
