import { z } from 'zod'

/** A turn as a client receives it: final, or with tool calls that wait for its results (TUL-004 §3.2). */
export const turnEnvelopeSchema = z.object({
  kind: z.enum(['final', 'client_tool_continuation']),
  sessionId: z.string(),
  conversationId: z.string(),
  turnId: z.string(),
  text: z.string().optional(),
  /** The model's output limit ended it: its text continues in the next turn, and its calls do not run. */
  isCut: z.literal(true).optional(),
  toolCalls: z.array(
    z.object({ toolCallId: z.string(), name: z.string(), argumentsJson: z.string() }),
  ),
})
export type TurnEnvelope = z.output<typeof turnEnvelopeSchema>
