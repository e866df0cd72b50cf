import type { ModelFacts } from '../port/model.ts'
import type { ModelTimeouts } from './timeouts.ts'

/** A provider with a key of its own. */
export interface HostedOptions {
  readonly id: string
  readonly apiKey: string
  readonly baseUrl?: string
  readonly facts?: ModelFacts
  readonly timeouts?: Partial<ModelTimeouts>
}
