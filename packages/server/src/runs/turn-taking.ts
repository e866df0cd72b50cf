import { type SessionId, serialise } from '@filewright/protocol'

/** What begins or resumes a run of one session waits for what does so before it: two at once would be two loops. */
export type InTurn = <Given, Value>(
  work: (sessionId: SessionId, given: Given) => Promise<Value>,
) => (sessionId: SessionId, given: Given) => Promise<Value>

export function turnTaking(): InTurn {
  const oneAtATime = serialise()
  return work => (sessionId, given) => oneAtATime(sessionId, () => work(sessionId, given))
}
