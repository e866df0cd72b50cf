import { createRouteClient } from '@filewright/protocol'
import type { Asker, Mount, Server } from '@filewright/server'
import type { Caller } from '../link/caller.ts'

/** What a face answers on the owner's server, whichever process that is. */
export interface FaceRoute {
  /** As `/mcp`: there and below it; nothing under /api. */
  readonly path: `/${string}`
  /** What follows the path names a workspace: among instances, the home of that workspace answers. */
  readonly isOfWorkspace?: boolean
  /** Imports its code, so that it loads with the first use. The guard has checked the token by then. */
  answer(request: Request, caller: FaceCaller): Promise<Response>
}

/** The way to the server with the asker's own token: a face reaches what the asker may reach. */
export interface FaceCaller extends Caller {
  readonly scope: Asker['scope']
}

/** @param server asked for with each request: the server is created with these mounts, so it does not exist yet */
export function toMounts(
  routes: readonly FaceRoute[],
  server: () => Pick<Server, 'fetch' | 'handle'>,
): Mount[] {
  return routes.map(route => ({
    path: route.path,
    isOfWorkspace: route.isOfWorkspace,
    handle: (request, asker) => route.answer(request, callerFor(asker, server())),
  }))
}

function callerFor(
  { token, scope }: Asker,
  { fetch, handle }: Pick<Server, 'fetch' | 'handle'>,
): FaceCaller {
  return {
    ...createRouteClient({ fetch, token, origin: 'http://filewright.local' }),
    token,
    scope,
    fetch,
    isOwner: () => true,
    call: (name, ...call) => handle(token, name, ...call),
  }
}

export function isAtOrBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`)
}
