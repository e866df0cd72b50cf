import { eventData } from '@filewright/client'
import type { Work } from '@filewright/host'
import type { EventRoute, RouteArguments } from '@filewright/protocol'
import type { Asked, Method, Params } from './method.ts'
import { RpcError, refusalIn } from './rpc-error.ts'
import { sendWhenRead } from './send.ts'

const AGAIN_MS = 100

/** The streams of HTTP: each event is a notification with the route's name; the answer comes when nobody follows any more. */
export const followMethods: Readonly<Record<string, Method>> = {
  events: {
    takes: ['workspaceId', 'sessionId', 'after'],
    needs: ['sessionId'],
    run: ({ workspaceId, sessionId, after = 0 }, asked) =>
      follow('events', { ...within(asked.work, workspaceId), sessionId }, after, asked),
  },
  workspaceEvents: {
    takes: ['workspaceId'],
    needs: [],
    run: ({ workspaceId }, asked) =>
      follow('workspaceEvents', within(asked.work, workspaceId), 0, asked),
  },
}

function within({ params }: Work, workspaceId: unknown): Params {
  return workspaceId === undefined ? params : { workspaceId }
}

/** Until it is cancelled or stdin ends; a stream that breaks, as when another process takes over, is taken up again. */
async function follow(
  name: 'events' | 'workspaceEvents',
  params: Params,
  after: unknown,
  { work, id, onCancel }: Asked,
): Promise<{ after: unknown }> {
  const stop = new AbortController()
  onCancel(() => stop.abort())
  let cursor = after
  while (!stop.signal.aborted) {
    try {
      const response = await open(work, name, { params, cursor, signal: stop.signal })
      for await (const data of eventData(response.body!, stop.signal)) {
        const event = JSON.parse(data) as { readonly cursor?: number }
        cursor = event.cursor ?? cursor
        await sendWhenRead({ method: name, params: { ...params, request: id, ...event } })
      }
    } catch (error) {
      if (error instanceof RpcError) throw error
    }
    if (!stop.signal.aborted) await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
  }
  return { after: cursor }
}

async function open(
  { connection }: Work,
  name: EventRoute,
  { params, cursor, signal }: { params: Params; cursor: unknown; signal: AbortSignal },
) {
  const asked = { params, ...(name === 'events' && { query: { after: cursor } }), signal }
  const response = await connection.listen(
    name,
    asked as unknown as RouteArguments<'events'>[0] as never,
  )
  if (response.ok && response.body) return response
  throw await refusalIn(response)
}
