import type { LinkRequest } from '@filewright/protocol'

/**
 * For a link over a wire, which cannot report later that a call's row is safe: the call is sent once its row is safe,
 * and later requests about it, such as a cancel, stay behind it.
 */
export function sendWhenBegun(
  send: (request: LinkRequest) => void,
): (request: LinkRequest) => void {
  const held = new Map<string, Promise<void>>()

  function hold(request: LinkRequest, toolCallId: string, begun: Promise<void>) {
    const sent = begun.then(
      () => send(toWire(request)),
      () => {}, // the call's row was lost, and the run with it: no one waits for an answer
    )
    held.set(toolCallId, sent)
    sent.then(() => held.get(toolCallId) === sent && held.delete(toolCallId))
  }

  return request => {
    const toolCallId = callOf(request)
    const begun = toolCallId && (held.get(toolCallId) ?? beginningOf(request))
    if (toolCallId && begun) hold(request, toolCallId, begun)
    else send(toWire(request))
  }
}

function callOf(request: LinkRequest): string | undefined {
  if (request.method === 'tool-call') return request.params.turn.toolCalls[0]?.toolCallId
  if (request.method === 'tool-cancel' || request.method === 'tool-state')
    return request.params.toolCallId
  return undefined
}

function beginningOf(request: LinkRequest): Promise<void> | undefined {
  return request.method === 'tool-call' ? request.params.begun : undefined
}

function toWire(request: LinkRequest): LinkRequest {
  if (request.method !== 'tool-call') return request
  const { begun: _, input: __, ...params } = request.params
  return { ...request, params }
}
