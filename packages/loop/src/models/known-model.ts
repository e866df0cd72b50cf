import { lookUp } from '@filewright/protocol'
import type { ModelFacts } from '../port/model.ts'
import type { Provider } from '../port/provider.ts'

const SNAPSHOT = /[-@](\d{4,}.*|latest|preview(-\d.*)?)$/

/** What the provider's table has for an id; one with the date of a snapshot is the model itself. */
export function knownFacts({ known }: Provider, id: string): ModelFacts | undefined {
  if (!known) return undefined
  return lookUp(known.models, id) ?? lookUp(known.models, id.replace(SNAPSHOT, ''))
}
