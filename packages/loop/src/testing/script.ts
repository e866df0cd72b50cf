import { createScripted } from '../models/scripted/model.ts'
import type { Model } from '../port/model.ts'

export interface Step {
  readonly say?: string
  readonly calls?: readonly (readonly [name: string, args: Record<string, unknown> | string])[]
}

/** A model that gives these answers one after the other. */
export function script(steps: readonly Step[], contextTokens?: number): Model {
  const answers = steps.map(({ say = '', calls = [] }) => ({
    text: say,
    calls: calls.map(([name, args]) => ({
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    })),
  }))
  return createScripted({ name: 'test/model', answers, contextTokens })
}
