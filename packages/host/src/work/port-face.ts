import { hostname, networkInterfaces } from 'node:os'
import { LOOPBACK, refuseStrangeHost, serveStatic } from '@filewright/server'
import type { Fetch } from '../link/caller.ts'
import { type FaceRoute, isAtOrBelow } from '../owner/face-routes.ts'

export interface PortFaceOptions {
  /** In addition to the names of this machine itself. */
  readonly hosts: readonly string[]
  readonly webRoot?: string
  readonly routes: readonly FaceRoute[]
}

/**
 * The answers of a port, regardless of the state's owner: the page, the routes of the faces, and the API except what
 * only processes of this machine may ask. The owner treats a request from its socket as local, so the host name is
 * checked here.
 */
export function portFace(fetch: Fetch, { hosts, webRoot, routes }: PortFaceOptions): Fetch {
  const allowed = [...LOOPBACK, ...hosts]
  const paths = ['/api', ...routes.map(({ path }) => path)]
  const page = webRoot === undefined ? undefined : serveStatic(webRoot)
  return async request => {
    const strange = refuseStrangeHost(request, allowed)
    if (strange) return strange
    const { pathname } = new URL(request.url)
    const isPage = !paths.some(path => isAtOrBelow(pathname, path))
    if (isPage && page && ['GET', 'HEAD'].includes(request.method)) return page(pathname)
    return fetch(pathname.startsWith('/api/local') ? toNowhere(request) : request)
  }
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
