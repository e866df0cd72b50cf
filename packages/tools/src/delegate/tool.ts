import { defineTool } from '@filewright/protocol'
import { z } from 'zod'

const LONGEST_QUESTION = 8_000

export const delegate = defineTool({
  name: 'delegate',
  label: 'Looking into it: {question}',
  summary: 'Have a question answered by a helper with an empty context that can only read.',
  guidance:
    'Use it for a question that needs much reading and has a short answer, such as where something stands in many files; its reading costs none of your context. The helper knows nothing of this conversation: name the files and all it needs, and say how the answer should look. It cannot write, ask or delegate. Its answer comes from files: check what you build on.',
  input: z.object({
    question: z
      .string()
      .min(1)
      .max(LONGEST_QUESTION)
      .describe('The whole question, with paths and all the helper needs to know'),
  }),
  output: z.object({ answer: z.string().describe('What the helper found, from files') }),
  executionLocation: 'server',
  toolsets: ['workspace', 'workshop'],
  leastWindow: 32_000,
  delegates: true,
  writes: 'nothing',
  failures: {},
})
