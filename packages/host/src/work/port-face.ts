import { hostname, networkInterfaces } from 'node:os'
import { LOOPBACK, refuseStrangeHost, serveStatic } from '@filewright/server'
import type { Fetch } from '../link/caller.ts'
import { type FaceRoute, isAtOrBelow } from '../owner/face-routes.ts'

export interface PortFaceOptions {
  /** Beside those of this machine itself. */
  readonly hosts: readonly string[]
  readonly webRoot?: string
  readonly routes: readonly FaceRoute[]
}

/**
 * What a port answers, whoever owns the state: the page, what the faces add, and the API without what is for processes of this machine
 * alone. The owner sees a request from its socket as local, so the host it was sent to is checked here.
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

/** The address to show: "every address" is none that a browser could open. */
export function addressFor(host: string): string {
  return inUrl(isEveryAddress(host) ? (outwardAddresses()[0] ?? '127.0.0.1') : host)
}

/** Answered like any path that is not there: with 401 before 404. */
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
