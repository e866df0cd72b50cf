import { fail, type Result } from '@filewright/protocol'

/** Why nothing new can begin in a session whose last run is not over. */
export function notEnded(state: 'waiting' | 'running'): Result<never> {
  const found = state === 'waiting' ? 'waits for a person' : 'was cut off'
  return fail(
    'CONFLICT',
    `The last run of this session ${found}. Answer its approvals, or resume or cancel it first.`,
  )
}
