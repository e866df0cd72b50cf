import { counted } from '../words/counted.ts'
import type { PlanStep } from './journal.ts'

const MARKS: Readonly<Record<PlanStep['status'], string>> = { open: ' ', doing: '>', done: 'x' }

/** One line a step: `[x] Read the sheet`. */
export function planLines(steps: readonly PlanStep[]): readonly string[] {
  return steps.map(({ text, status }) => `[${MARKS[status]}] ${text}`)
}

/** `Plan: 1 of 3 steps done` */
export function planTitle(steps: readonly PlanStep[]): string {
  const done = steps.filter(({ status }) => status === 'done').length
  if (steps.length === 0) return 'The plan was dropped'
  return `Plan: ${done} of ${counted(steps.length, 'step')} done`
}
