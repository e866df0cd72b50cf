import { parentPort } from 'node:worker_threads'
import { createEngineHost } from './host.ts'
import type { LoadFormat } from './load-format.ts'
import type { HostRequest } from './messages.ts'
import { buffersOf, fromParts, type MessageParts, toParts } from './parts.ts'

const MOVED_BYTES = 64 * 1024 // a smaller value is copied in less time than its buffer changes hands

/** The thread that does the work, one request at a time. */
export function answerRequests(loadFormat: LoadFormat, beforeFirstResult: () => void): void {
  const host = createEngineHost(loadFormat, { isApart: true })
  let hasResult = false
  const port = parentPort!
  port.on('message', async (parts: MessageParts) => {
    const answer = await host.answer(fromParts(parts) as HostRequest)
    if (answer.type === 'result' && !hasResult) {
      hasResult = true
      beforeFirstResult()
    }
    const [head, ...bytes] = toParts(answer)
    const mayMove = answer.type === 'result' && answer.ownsBytes === true
    // The value was made for this message, and the changes of a large draft are hundreds of megabytes.
    const moved = [...(head.length > MOVED_BYTES ? [head] : []), ...(mayMove ? bytes : [])]
    port.postMessage([head, ...bytes], buffersOf(moved))
  })
}
