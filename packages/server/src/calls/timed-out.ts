import { fail, LIMITS, type Result } from '@filewright/protocol'

export function timedOut(tool: string): Result<never> {
  return fail(
    'TIMEOUT',
    `Nothing was changed: ${tool} took longer than ${LIMITS.toolTimeoutMs / 1000} s and was given up. Ask for less at once.`,
  )
}
