import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'

export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** In pieces. */
  readonly body: readonly Buffer[]
  readonly signal: AbortSignal
  /** Until the answer begins. */
  readonly firstByteMs: number
}

const CLOSED = new Set(['ECONNRESET', 'EPIPE']) // while it waits for an answer, or already while it sends
const CONNECTIONS = { keepAlive: true, noDelay: true } as const
const httpAgent = new Agent(CONNECTIONS)
let secure: Promise<{ request: typeof requestHttp; agent: Agent }> | undefined

/**
 * One POST over a kept connection. Node's own client instead of fetch: half the work a request, and nothing to load before the
 * first one. A connection that the server closed while idle is silently replaced once.
 */
export async function post(options: Post): Promise<IncomingMessage> {
  try {
    return await send(options)
  } catch (cause) {
    if (!(cause as StaleConnection).stale) throw cause
    return send(options)
  }
}

interface StaleConnection {
  readonly stale?: boolean
}

async function send({ url, headers, body, signal, firstByteMs }: Post): Promise<IncomingMessage> {
  const { request, agent } =
    url.protocol === 'https:' ? await loadSecure() : { request: requestHttp, agent: httpAgent }
  const length = body.reduce((total, piece) => total + piece.length, 0)
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': length }, signal },
      resolve,
    )
    // not the socket's own timeout, which a dribbling header would restart with each byte
    const late = setTimeout(
      () => sent.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })),
      firstByteMs,
    )
    sent.on('response', () => clearTimeout(late))
    sent.on('close', () => clearTimeout(late))
    sent.on('error', cause => {
      const stale = sent.reusedSocket && CLOSED.has((cause as { code?: string }).code ?? '')
      reject(Object.assign(cause, { stale }))
    })
    sent.cork() // head and pieces go out in one write
    for (const piece of body) sent.write(piece)
    sent.end()
  })
}

/** TLS is slow to load, and a local model does not need it. */
function loadSecure() {
  secure ??= import('node:https').then(({ Agent: SecureAgent, request }) => ({
    request,
    agent: new SecureAgent(CONNECTIONS),
  }))
  return secure
}
