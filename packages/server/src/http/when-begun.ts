import type { LinkRequest } from '@filewright/protocol'

/**
 * For a link over a wire, where nobody can be told later that a call's row is safe: the call is sent when it is, and
 * what is asked meanwhile, its cancel perhaps, stays behind it.
 */
export function sendWhenBegun(
  send: (request: LinkRequest) => void,
): (request: LinkRequest) => void {
  let last: Promise<void> | undefined

  return request => {
    const begun = beginningOf(request)
    if (!begun && !last) return send(withoutBegun(request))
    const turn = Promise.all([last, begun]).then(
      () => send(withoutBegun(request)),
      () => {}, // the call's row was not kept, and the run with it: nobody waits for an answer
    )
    last = turn
    turn.then(() => {
      if (last === turn) last = undefined
    })
  }
}

function beginningOf(request: LinkRequest): Promise<void> | undefined {
  return request.method === 'tool-call' ? request.params.begun : undefined
}

function withoutBegun(request: LinkRequest): LinkRequest {
  if (request.method !== 'tool-call') return request
  const { begun: _, ...params } = request.params
  return { ...request, params }
}
