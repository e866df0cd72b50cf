import { hostname, networkInterfaces } from 'node:os'
import { LOOPBACK, PROBES, refuseStrangeHost, serveStatic } from '@filewright/server'
import type { Fetch } from '../link/caller.ts'
import type { PeerFetch } from '../link/local-socket.ts'
import { type FaceRoute, isAtOrBelow } from '../owner/face-routes.ts'
import type { TrustsPeer } from '../settings/trusted-proxies.ts'

export interface PortFaceOptions {
  /** In addition to the names of this machine itself. */
  readonly hosts: readonly string[]
  readonly webRoot?: string
  readonly routes: readonly FaceRoute[]
  /** Other origins whose pages may ask the API, such as `https://app.example`; none by default. */
  readonly origins?: readonly string[]
  /** Where people reach this server: pages from there are its own. */
  readonly publicUrl?: URL
  /** Proxies that are believed about the host that was asked; by default none. */
  readonly trustsPeer?: TrustsPeer
}

/**
 * The answers of a port, regardless of the state's owner: the page, the routes of the faces, and the API except what
 * only processes of this machine may ask; folders are opened by their path on loopback alone. The owner treats a request
 * from its socket as local, so the host name is checked here.
 */
export function portFace(
  fetch: Fetch,
  { hosts, webRoot, routes, origins = [], publicUrl, trustsPeer = () => false }: PortFaceOptions,
): PeerFetch {
  const allowed = [...LOOPBACK, ...hosts, ...(publicUrl ? [publicUrl.hostname] : [])]
  const paths = ['/api', ...routes.map(({ path }) => path)]
  const page = webRoot === undefined ? undefined : serveStatic(webRoot)
  const answer = async (request: Request, isAllowedPage = false): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const foreign = refuseForeignPage(request, pathname)
    if (foreign) return foreign
    const isPage = !paths.some(path => isAtOrBelow(pathname, path))
    if (isPage && page && ['GET', 'HEAD'].includes(request.method)) return page(pathname)
    const isOwn = pathname.startsWith('/api/local')
    const isOutside = hosts.length > 0 || publicUrl !== undefined || isAllowedPage
    const isFolder = isOutside && isAtOrBelow(pathname, '/api/folders')
    if (isFolder) return refuseFolders(await fetch(toNowhere(request)))
    return fetch(isOwn ? toNowhere(request) : request)
  }
  return async (sent, peer) => {
    if (isProbe(sent)) return fetch(sent)
    const request = trustsPeer(peer) ? withForwardedHost(sent) : sent
    const strange = refuseStrangeHost(request, allowed)
    if (strange) return strange
    const origin = request.headers.get('origin')
    const isApi = isAtOrBelow(new URL(request.url).pathname, '/api')
    if (isApi && origin !== null && origin === publicUrl?.origin) return answer(asOwn(request))
    if (!isApi || origin === null || !origins.includes(origin)) return answer(request)
    if (request.method === 'OPTIONS')
      return allowOrigin(new Response(null, { status: 204 }), origin)
    return allowOrigin(await answer(asOwn(request), true), origin)
  }
}

/** A load balancer calls by address, whatever the hosts are. */
function isProbe({ method, url }: Request): boolean {
  const { pathname } = new URL(url)
  return method === 'GET' && (pathname === PROBES.health || pathname === PROBES.ready)
}

/** The host that was asked before the proxy, as it says; of several proxies, the first. */
function withForwardedHost(request: Request): Request {
  const [host] = request.headers.get('x-forwarded-host')?.split(',') ?? []
  return host === undefined
    ? request
    : withHeaders(request, headers => headers.set('host', host.trim()))
}

/** Of a page that was allowed: nobody after us asks again where it comes from. */
function asOwn(request: Request): Request {
  return withHeaders(request, headers => {
    for (const name of ['origin', 'sec-fetch-site']) headers.delete(name)
  })
}

function withHeaders(request: Request, change: (headers: Headers) => void): Request {
  const headers = new Headers(request.headers)
  change(headers)
  const { method, body, signal } = request
  const init = { method, headers, signal, ...(body && { body, duplex: 'half' }) }
  return new Request(request.url, init as RequestInit)
}

/** A token is sent as a header, so no cookies and no credentials of the browser are let in. */
function allowOrigin(response: Response, origin: string): Response {
  const headers = new Headers(response.headers)
  headers.set('access-control-allow-origin', origin)
  headers.append('vary', 'origin')
  headers.set('access-control-allow-methods', 'GET, HEAD, POST, PUT, DELETE')
  headers.set(
    'access-control-allow-headers',
    'authorization, content-type, last-event-id, range, upload-offset, upload-complete',
  )
  headers.set(
    'access-control-expose-headers',
    'x-content-sha256, x-content-drafted, upload-offset, content-range',
  )
  headers.set('access-control-max-age', '600')
  return new Response(response.body, { status: response.status, headers })
}

/**
 * A page of another origin, and be it another port of this machine, asks nothing here: browsers say where a request
 * comes from. A program that is no browser says nothing, and shows its token.
 */
function refuseForeignPage({ headers }: Request, pathname: string): Response | undefined {
  if (!isAtOrBelow(pathname, '/api')) return undefined
  const origin = headers.get('origin')
  const isOther = origin !== null && hostOf(origin) !== headers.get('host')?.toLowerCase()
  const site = headers.get('sec-fetch-site')
  if (!isOther && (site === null || site === 'same-origin' || site === 'none')) return undefined
  const message = `Requests from ${origin ?? 'another page'} are not allowed.`
  return Response.json(
    { success: false, errorCode: 'DENIED', kind: 'denied', message, errors: [message] },
    { status: 403 },
  )
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/** The names a browser may use for the address that is listened on: all of this machine for "every address". */
export function hostsFor(host: string): string[] {
  if (!isEveryAddress(host)) return [inUrl(host)]
  return [hostname().toLowerCase(), ...outwardAddresses().map(inUrl)]
}

/** The address to show: a browser cannot open "every address". */
export function addressFor(host: string): string {
  return inUrl(isEveryAddress(host) ? (outwardAddresses()[0] ?? '127.0.0.1') : host)
}

/** Who has no token hears only that. */
function refuseFolders(answered: Response): Response {
  if (answered.status !== 404) return answered
  const message =
    'No folder was opened: folders are opened by their path only on the machine itself, at a server that listens on loopback. Make a new workspace, or attach a folder with "filewright attach".'
  return Response.json(
    { success: false, errorCode: 'DENIED', kind: 'denied', message, errors: [message] },
    { status: 403 },
  )
}

/** Answered like any path that does not exist: 401 without a token, then 404. */
function toNowhere({ url, headers }: Request): Request {
  return new Request(new URL('/api/local', url), { headers })
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function outwardAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ internal }) => !internal)
    .sort((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => address)
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase()
}
