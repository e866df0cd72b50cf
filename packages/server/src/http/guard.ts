import { HTTP_STATUS, type Kind } from '@filewright/protocol'
import type { Scope } from './scope.ts'
import type { Tokens } from './tokens.ts'

export interface GuardOptions {
  readonly tokens: Tokens
  /** Host names a request may carry; any other means a page was tricked into calling us. */
  readonly hosts: readonly string[]
}

/** Who sent a request, and what they may reach. */
export interface Asker {
  readonly token: string
  readonly scope: Scope
}

/**
 * Runs before any route and checks the sender and origin. Everything under /api needs a token, and so do routes of
 * faces.
 */
export async function guard(
  request: Request,
  { tokens, hosts: allowed }: GuardOptions,
): Promise<Asker | Response> {
  const strange = refuseStrangeHost(request, allowed)
  if (strange) return strange
  const origin = request.headers.get('origin')
  if (origin !== null && !isAllowedOrigin(origin, allowed))
    return toResponse('denied', `Requests from ${origin} are not allowed.`, 403)
  const token = tokenOf(request)
  if (token === undefined)
    return toResponse(
      'denied',
      'A token is required: send it as "Authorization: Bearer TOKEN".',
      401,
    )
  const found = await tokens.scopeOf(token)
  return found.ok ? { token, scope: found.value } : toResponse('denied', found.failure.message, 401)
}

/** A page of another site that was pointed at this machine still names its own host. */
export function refuseStrangeHost(
  request: Request,
  allowed: readonly string[],
): Response | undefined {
  const host = request.headers.get('host')
  if (host === null || allowed.includes(hostName(host))) return undefined
  return toResponse('denied', `This server does not answer for the host "${host}".`, 403)
}

/** From the header alone: an address ends up in histories and logs. */
function tokenOf(request: Request): string | undefined {
  const header = request.headers.get('authorization')
  return header && /^Bearer /i.test(header) ? header.slice(7) : undefined
}

function hostName(host: string): string {
  return host.startsWith('[')
    ? host.slice(0, host.indexOf(']') + 1)
    : host.split(':')[0]!.toLowerCase()
}

function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  try {
    return allowed.includes(new URL(origin).hostname)
  } catch {
    return false
  }
}

export function toResponse(
  kind: Kind,
  message: string,
  status: number = HTTP_STATUS[kind],
): Response {
  return Response.json(
    { success: false, errorCode: 'DENIED', kind, message, errors: [message] },
    { status },
  )
}
