import { fail, type SessionId } from '@filewright/protocol'
import type { Lease } from './log.ts'

export function noSession(sessionId: SessionId) {
  return fail('NOT_FOUND', `There is no session ${sessionId}. List the sessions to find one.`)
}

export function sessionExists(sessionId: SessionId) {
  return fail('CONFLICT', `Cannot create session ${sessionId}: there is one with this id.`)
}

export function leaseLost(lease: Lease) {
  return fail(
    'LEASE_LOST',
    `Nothing was appended: ${lease.holder} no longer holds session ${lease.sessionId} (epoch ${lease.epoch} is over). Read the log and claim the session again.`,
    { kind: 'unavailable' },
  )
}

export function heldBy(sessionId: SessionId, holder: string, expiresInMs: number) {
  return fail(
    'LOCKED',
    `Cannot claim session ${sessionId}: ${holder} holds it for ${expiresInMs} ms more. Send what you have to its inbox, or try again then.`,
    { details: { holder, expiresInMs } },
  )
}

export function consumedBefore(sessionId: SessionId, ids: readonly string[]) {
  return fail(
    'CONFLICT',
    `Nothing was appended: ${ids.join(', ')} no longer waits in the inbox of session ${sessionId}. Read the log and the inbox again.`,
    { details: { consumed: ids } },
  )
}
