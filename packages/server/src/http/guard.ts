import { type Failure, HTTP_STATUS, type Kind } from '@filewright/protocol'
import type { Rates } from './rates.ts'
import type { Scope } from './scope.ts'
import type { Tokens } from './tokens.ts'

export interface GuardOptions {
  readonly tokens: Tokens
  readonly rates: Rates
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
  { tokens, rates, hosts: allowed }: GuardOptions,
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
  if (!found.ok) return toResponse('denied', found.failure.message, 401)
  const tooOften = rates.take(found.value)
  return tooOften ? toAnswer(tooOften) : { token, scope: found.value }
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

/** A limit that passes by itself says when, as proxies and programs read it. */
export function toAnswer({ code, kind, message, errors, details }: Failure): Response {
  const wait = details?.retryAfterSeconds
  return Response.json(
    { success: false, errorCode: code, kind, message, errors, ...details },
    wait === undefined
      ? { status: HTTP_STATUS[kind] }
      : { status: TOO_MANY, headers: { 'retry-after': String(wait) } },
  )
}

const TOO_MANY = 429

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
