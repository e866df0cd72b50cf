import { fail, LIMITS, type Result } from '@filewright/protocol'

export function timedOut(tool: string): Result<never> {
  return fail(
    'TIMEOUT',
    `Nothing was changed: ${tool} took longer than ${LIMITS.toolTimeoutMs / 1000} s and was abandoned. Ask for less in one call.`,
  )
}
