import { parentPort } from 'node:worker_threads'
import { createHost, type LoadFormat } from './host.ts'
import type { Request } from './messages.ts'
import { buffersOf, fromParts, type Parts, toParts } from './parts.ts'

/** The thread that does the work, one request at a time. */
export function answerRequests(loadFormat: LoadFormat, beforeFirstResult: () => void): void {
  const host = createHost(loadFormat)
  let hasResult = false
  const port = parentPort!
  port.on('message', async (parts: Parts) => {
    const answer = await host.answer(fromParts(parts) as Request)
    if (answer.type === 'result' && !hasResult) {
      hasResult = true
      beforeFirstResult()
    }
    const [head, ...bytes] = toParts(answer)
    const mayMove = answer.type === 'result' && answer.ownsBytes === true
    port.postMessage([head, ...bytes], mayMove ? buffersOf(bytes) : [])
  })
}
