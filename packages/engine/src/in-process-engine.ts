import { loadFormat as loadDocumentsFormat } from '@filewright/documents'
import type { Engine } from './engine.ts'
import { engineOn } from './engine-on.ts'
import { cancelled, closed } from './failures.ts'
import { createEngineHost } from './host.ts'
import type { LoadFormat } from './load-format.ts'
import type { Trouble } from './process-engine.ts'
import { withBytesAtHand } from './streamed.ts'

export interface InProcessOptions {
  /** Default: the formats of `documents`. */
  readonly loadFormat?: LoadFormat
  readonly onTrouble?: (trouble: Trouble) => void
}

export interface InProcessEngine extends Engine {
  /** Whether the document is open in this state. */
  holds(key: string, state: string): boolean
}

/**
 * The same work without the protection, for formats that are not hostile and for tests: a call that has begun runs to
 * its end, whatever its bounds.
 */
export function createInProcessEngine({
  loadFormat = loadDocumentsFormat,
  onTrouble,
}: InProcessOptions = {}): InProcessEngine {
  const host = createEngineHost(loadFormat, { isApart: false })
  let isClosed = false
  const engine = engineOn({
    async ask(request, { signal }) {
      if (isClosed) return { type: 'result', result: closed() }
      if (signal?.aborted) return { type: 'result', result: cancelled() }
      const answer = await host.answer(await withBytesAtHand(request))
      if (answer.type === 'result' && answer.bug)
        onTrouble?.({ cause: 'throw', detail: answer.bug })
      return answer
    },
    forget: key => void host.answer({ type: 'forget', key }),
    async close() {
      isClosed = true
    },
  })
  return { ...engine, holds: host.holds }
}
