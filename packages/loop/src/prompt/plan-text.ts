import { type PlanStep, planLines } from '@filewright/protocol'

/** The checklist as a model reads it after a compaction. */
export function planText(steps: readonly PlanStep[]): string {
  const rows = planLines(steps).map(line => `- ${line}`)
  return ['[Filewright] Your plan, as it is now:', ...rows].join('\n')
}
