import { counted } from '../words/counted.ts'
import { visibleName } from '../words/visible.ts'
import type { PlanStep } from './journal.ts'

const MARKS: Readonly<Record<PlanStep['status'], string>> = {
  open: ' ',
  doing: '>',
  done: 'x',
  failed: '!',
}

/** One line a step: `[x] Read the sheet`, `[!] Send it (failed: there is no address)`. */
export function planLines(steps: readonly PlanStep[]): readonly string[] {
  return steps.map(
    ({ text, status, reason }) =>
      `[${MARKS[status]}] ${visibleName(text)}${status === 'failed' ? ` (failed${reason ? `: ${visibleName(reason)}` : ''})` : ''}`,
  )
}

/** `Plan: 1 of 3 steps done` */
export function planTitle(steps: readonly PlanStep[]): string {
  const done = steps.filter(({ status }) => status === 'done').length
  const failed = steps.filter(({ status }) => status === 'failed').length
  if (steps.length === 0) return 'The plan was dropped'
  return `Plan: ${done} of ${counted(steps.length, 'step')} done${failed > 0 ? `, ${failed} failed` : ''}`
}
