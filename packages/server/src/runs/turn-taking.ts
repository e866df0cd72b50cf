import { type SessionId, serialise } from '@filewright/protocol'

/** Starts and resumptions of one session's runs take turns: two at once would be two loops. */
export type InTurn = <Given, Value>(
  work: (sessionId: SessionId, given: Given) => Promise<Value>,
) => (sessionId: SessionId, given: Given) => Promise<Value>

export function turnTaking(): InTurn {
  const oneAtATime = serialise()
  return work => (sessionId, given) => oneAtATime(sessionId, () => work(sessionId, given))
}
