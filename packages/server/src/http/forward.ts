import type { WorkspaceId } from '@filewright/protocol'
import type { Homes } from '../store/homes.ts'
import { toResponse } from './guard.ts'

/** Passes a request on to the instance where the client of its workspace is. Undefined: it is answered here. */
export type Forward = (request: Request, workspaceId: string) => Promise<Response | undefined>

/** A request is passed on once at most: the home may have moved meanwhile. */
const PASSED_ON = 'x-filewright-passed-on'
const LOOK_MS = 1_000

export function createForward(homes: Homes): Forward {
  return async (request, workspaceId) => {
    if (request.headers.has(PASSED_ON) || isAttaching(request)) return undefined
    const home = await homes.elsewhere(workspaceId as WorkspaceId)
    if (!home) return undefined
    const watching = watchHome(homes, workspaceId as WorkspaceId, home)
    request.signal.addEventListener('abort', watching.stop)
    try {
      const answer = await fetch(toHome(request, home), {
        signal: AbortSignal.any([request.signal, watching.gone]),
        redirect: 'manual',
      })
      return through(answer, watching.stop)
    } catch {
      watching.stop()
      return toResponse(
        'unavailable',
        'The instance where this workspace is open does not answer. Try again in a few seconds.',
      )
    }
  }
}

/** The client may attach anywhere: that is how the workspace gets another home. */
export function isAttaching({ method, url }: Request): boolean {
  return method === 'GET' && new URL(url).pathname.endsWith('/link')
}

function toHome(request: Request, home: string): Request {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  for (const name of ['host', 'connection', 'origin', 'content-length', 'transfer-encoding'])
    headers.delete(name) // the guard here has looked at host and origin
  headers.set(PASSED_ON, '1')
  return new Request(new URL(pathname + search, home), {
    method: request.method,
    headers,
    ...(request.body && { body: request.body, duplex: 'half' }),
  })
}

/** A frozen instance keeps its connections open, so whether it is still the home is asked again and again. */
function watchHome(homes: Homes, workspaceId: WorkspaceId, home: string) {
  const gone = new AbortController()
  const timer = setInterval(async () => {
    const now = await homes.elsewhere(workspaceId).catch(() => home)
    if (now !== home) stop()
  }, LOOK_MS)
  timer.unref()
  const stop = () => {
    clearInterval(timer)
    gone.abort()
  }
  return { gone: gone.signal, stop }
}

/** An event stream whose home is gone just ends: its reader asks again from its cursor. */
function through(answer: Response, onEnd: () => void): Response {
  const { status, headers } = answer
  const source = answer.body?.getReader()
  if (!source) {
    onEnd()
    return new Response(null, { status, headers })
  }
  const mayEnd = headers.get('content-type')?.startsWith('text/event-stream')
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.read()
        if (!done) return controller.enqueue(value)
        controller.close()
      } catch (error) {
        if (mayEnd) controller.close()
        else controller.error(error)
      }
      onEnd()
    },
    async cancel(reason) {
      onEnd()
      await source.cancel(reason).catch(() => {}) // it may have broken off already
    },
  })
  return new Response(body, { status, headers })
}
