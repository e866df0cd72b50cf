import { defineTool, type ToolDeclaration } from '@filewright/protocol'
import { z } from 'zod'

const draftId = z
  .string()
  .optional()
  .describe('Which draft, where it is not the standing one of this connection')

const both = { executionLocation: 'client', toolsets: ['workspace', 'workshop'] } as const
const output = z.object({})

/** What a person does in our own faces; another product's agent asks for it, and a person says yes. */
export const reviewDraft = defineTool({
  ...both,
  name: 'review_draft',
  label: 'Reviewing the draft',
  summary: 'Show the changes in the draft: what would be written, and nothing else.',
  guidance: 'Use it before publish_draft, and to tell the person what you changed.',
  input: z.object({
    draft_id: draftId,
    after: z.number().int().min(0).optional().describe('Changes to skip: the next page names it'),
  }),
  output,
  writes: 'nothing',
  failures: {},
})

export const publishDraft = defineTool({
  ...both,
  name: 'publish_draft',
  label: 'Publishing the draft',
  summary: 'Write the changes of the draft into the files, all or none, once the person says yes.',
  guidance:
    'Call it when the work is done and the person wants it in the files. If it answers pending, tell the person where to decide, and call it again later.',
  input: z.object({
    draft_id: draftId,
    only: z.array(z.string()).min(1).optional().describe('Only these change ids; the rest stays'),
  }),
  output,
  writes: 'workspace',
  failures: {},
})

export const discardDraft = defineTool({
  ...both,
  name: 'discard_draft',
  label: 'Discarding the draft',
  summary: 'Drop the draft with all its changes, once the person says yes. No file changes.',
  guidance: 'Only when the person no longer wants these changes.',
  input: z.object({ draft_id: draftId }),
  output,
  writes: 'workspace',
  failures: {},
})

export const undo = defineTool({
  ...both,
  name: 'undo',
  label: 'Undoing',
  summary: 'Take back what was written last, once the person says yes.',
  guidance: 'Name the change set that publish_draft answered, or none for the last.',
  input: z.object({ change_set_id: z.string().optional().describe('As publish_draft names it') }),
  output,
  writes: 'workspace',
  failures: {},
})

export const redo = defineTool({
  ...both,
  name: 'redo',
  label: 'Redoing',
  summary: 'Write again what undo took back, once the person says yes.',
  guidance: 'Name the change set that was undone, or none for the last.',
  input: z.object({
    change_set_id: z.string().optional().describe('As publish_draft or undo names it'),
  }),
  output,
  writes: 'workspace',
  failures: {},
})

export const ownTools: readonly ToolDeclaration[] = [
  reviewDraft,
  publishDraft,
  discardDraft,
  undo,
  redo,
]
