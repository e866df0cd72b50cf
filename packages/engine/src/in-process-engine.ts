import { fail } from '@filewright/protocol'
import type { Engine } from './engine.ts'
import { engineOn } from './engine-on.ts'
import { createHost, type LoadFormat } from './host.ts'
import type { Trouble } from './process-engine.ts'

export interface InProcessOptions {
  readonly loadFormat: LoadFormat
  readonly onTrouble?: (trouble: Trouble) => void
}

/** The same work without the protection: for tests. Time bounds and signals are not kept. */
export function createInProcessEngine({ loadFormat, onTrouble }: InProcessOptions): Engine {
  const host = createHost(loadFormat)
  let isClosed = false
  return engineOn({
    async ask(request) {
      if (isClosed) return { type: 'result', result: CLOSED }
      const answer = await host.answer(request)
      if (answer.type === 'result' && answer.bug)
        onTrouble?.({ cause: 'throw', detail: answer.bug })
      return answer
    },
    forget: key => void host.answer({ type: 'forget', key }),
    async close() {
      isClosed = true
    },
  })
}

const CLOSED = fail('CANCELLED', 'Nothing was done: Filewright is closing. Ask again when it runs.')
