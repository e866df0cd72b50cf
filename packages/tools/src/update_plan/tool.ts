import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { jsonListOrNone } from '../json-list.ts'

export const MOST_STEPS = 30
const LONGEST_STEP = 300

export const updatePlan = defineTool({
  name: 'update_plan',
  label: 'Updating the plan',
  summary: 'Keep a checklist of the task, which the person sees.',
  guidance:
    'Use it for a task with more than three or four parts: write them down before the first change, and send the whole list again whenever one is done, one failed (with the reason) or the plan changes. At most one of them is doing. Not for a short task.',
  input: z.object({
    steps: jsonListOrNone(
      z.object({
        step: z.string().min(1).max(LONGEST_STEP).describe('What is to be done, in a few words'),
        status: z.enum(['open', 'doing', 'done', 'failed']).describe('How far it is'),
        reason: z.string().max(LONGEST_STEP).optional().describe('Why it failed'),
      }),
    ).describe(`The whole list in order, at most ${MOST_STEPS}; empty to drop the plan`),
  }),
  output: z.object({
    done: z.number().int().describe('How many steps are done'),
    total: z.number().int().describe('How many steps there are'),
  }),
  executionLocation: 'server',
  toolsets: ['workspace', 'workshop'],
  leastWindow: 32_000,
  servesPlanning: true,
  writes: 'nothing',
  failures: {},
})
