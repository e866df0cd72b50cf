import { defineTool } from '@filewright/protocol'
import { z } from 'zod'
import { jsonList } from '../json-list.ts'

const LONGEST_QUESTION = 2_000
const LONGEST_CHOICE = 300
export const MOST_CHOICES = 8

export const askPerson = defineTool({
  name: 'ask_person',
  label: 'Asking you',
  summary: 'Ask the person one question with choices, and wait for the answer.',
  guidance:
    'Use it when you cannot go on without a decision that only the person can make; where one answer is clearly better, act on it and say so instead. One short question; two to four choices, the one you advise first. The person may answer in other words.',
  input: z.object({
    question: z.string().min(1).max(LONGEST_QUESTION).describe('One question, in plain words'),
    choices: jsonList(z.string().min(1).max(LONGEST_CHOICE)).describe(
      `Two to ${MOST_CHOICES} answers to choose from, the advised one first`,
    ),
  }),
  output: z.object({
    answer: z.string().describe('The choice, or what the person said instead'),
    choice: z.number().int().nullable().describe('Its number, from 1; null for other words'),
  }),
  executionLocation: 'server',
  toolsets: ['workspace', 'workshop'],
  asksPerson: true,
  writes: 'nothing',
  failures: {},
})
