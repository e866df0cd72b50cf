import { eventData } from '@filewright/client'
import { callTool, lastCursor, startWaiting, type ToolRequest, type Work } from '@filewright/host'
import {
  type Envelope,
  EXIT_CODES,
  labelOf,
  type Pending,
  type RouteEvents,
} from '@filewright/protocol'
import { findTool } from '@filewright/tools'

const GIVING_UP_MS = 400

/** One call. On a terminal a long one says how far it is, and Ctrl-C gives it up: it has no later effect. */
export async function callWhileWaiting(
  work: Work,
  sessionId: string,
  request: ToolRequest,
): Promise<Envelope | Pending> {
  const stop = new AbortController()
  const tool = findTool(request.tool)
  const label = tool ? labelOf(tool.declaration, request.arguments) : request.tool
  const line = startWaiting(label, {
    onLong: () =>
      void follow(work, sessionId, { signal: stop.signal, say: text => line.say(text) }),
  })
  let sent: string | undefined
  const giveUp = () => {
    line.end()
    setTimeout(leave, GIVING_UP_MS)
    cancelCall(work, sessionId, sent).finally(leave)
  }
  process.once('SIGINT', giveUp)
  try {
    return await callTool(work, sessionId, request, id => {
      sent = id
    })
  } finally {
    process.off('SIGINT', giveUp)
    stop.abort()
    line.end()
  }
}

/** Where this process owns the state, its end is the end of the call. */
async function cancelCall(
  { connection, params }: Work,
  sessionId: string,
  toolCallId: string | undefined,
): Promise<void> {
  if (toolCallId === undefined) return
  await connection.call('cancelCall', { params: { ...params, sessionId, toolCallId } })
}

function leave(): void {
  process.exit(EXIT_CODES.cancelled)
}

interface Follow {
  readonly signal: AbortSignal
  readonly say: (text: string) => void
}

/** What the session's tools say from now on. Whoever waits can do without it, so trouble here is none. */
async function follow(work: Work, sessionId: string, { signal, say }: Follow): Promise<void> {
  const { connection, params } = work
  try {
    const after = await lastCursor(work, sessionId)
    if (!after.ok) return
    const response = await connection.listen('events', {
      params: { ...params, sessionId },
      query: { after: after.value },
      signal,
    })
    if (!response.ok || !response.body) return
    for await (const data of eventData(response.body, signal)) {
      const event = JSON.parse(data) as RouteEvents['events']
      if (event.type === 'call-progress') say(event.text)
    }
  } catch {
    return
  }
}
