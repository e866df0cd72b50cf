import { defineTool, type ToolDeclaration } from '@filewright/protocol'
import { z } from 'zod'

const both = { executionLocation: 'client', toolsets: ['workspace', 'workshop'] } as const
const output = z.object({})
const draftId = z.string()

/** Called by the frame that shows the review; a host offers them to no model. */
export const reviewForPerson = defineTool({
  ...both,
  name: 'review_for_person',
  label: 'Showing the review',
  summary: 'For the review that the person sees: the changes of the draft, a page at a time.',
  guidance: 'Only the review in the frame calls it. Use review_draft.',
  input: z.object({
    draft_id: draftId.optional(),
    after: z.number().int().min(0).optional().describe('Changes to skip'),
  }),
  output,
  writes: 'nothing',
  failures: {},
})

export const decideReview = defineTool({
  ...both,
  name: 'decide_review',
  label: 'Deciding the review',
  summary: 'For the review that the person sees: what they clicked, with its proof.',
  guidance: 'Only the review in the frame calls it: without its proof nothing is written.',
  input: z.object({
    draft_id: draftId,
    challenge: z.string().max(100),
    only: z.array(z.string()).optional(),
    refused: z.array(z.string()),
    comments: z.array(z.string().max(2000)).max(50),
    proof: z.string().max(100),
  }),
  output,
  writes: 'draft',
  failures: {},
})

export const appTools: readonly ToolDeclaration[] = [reviewForPerson, decideReview]
