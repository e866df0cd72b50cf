import type { ClientOptions } from '@filewright/client'
import { listen } from '@filewright/host'
import {
  HTTP_STATUS,
  type JsonRoute,
  type Result,
  routeMethod,
  routePath,
} from '@filewright/protocol'
import type { Server } from '@filewright/server'
import { inject } from 'vitest'

/**
 * How server, client and caller reach each other: by function calls, as in the command that owns the state; by requests
 * that the server answers without a port; or over a real port, as `attach` and the page do.
 */
export type LinkName = 'direct' | 'http' | 'socket'

/** The owner's way to one server. */
export interface TestLink {
  /** For the client that offers a folder. */
  readonly client: Pick<ClientOptions, 'fetch' | 'server' | 'origin' | 'token'>
  ask(route: JsonRoute, options: AskOptions): Promise<Asked>
  close(): Promise<void>
}

export interface AskOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface Asked {
  readonly status: number
  readonly value: unknown
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Each project of vitest.config.ts has its own; see test/suites-by-link.ts. */
    link: LinkName
  }
}

/** Over the link of the project that runs this test, unless the test is about another. */
export function openTestLink(
  server: Server,
  token: string,
  name: LinkName = inject('link'),
): Promise<TestLink> {
  return LINKS[name](server, token)
}

const LINKS: Record<LinkName, (server: Server, token: string) => Promise<TestLink>> = {
  direct: async (server, token) => ({
    client: {
      fetch: server.fetch,
      server: {
        handle: (name, ...call) => server.handle(token, name, ...call),
        attach: (...given) => server.attach(token, ...given),
      },
      origin: 'http://localhost',
      token,
    },
    // a test may send what the route does not accept
    ask: async (route, options) => toAsked(await server.handle(token, route, options as never)),
    close: async () => {},
  }),

  http: async (server, token) => {
    const client = { fetch: server.fetch, origin: 'http://localhost', token }
    return { client, ask: overHttp(client), close: async () => {} }
  },

  socket: async (server, token) => {
    const listening = await listen(server.fetch, { host: '127.0.0.1', port: 0 })
    const client = { fetch, origin: `http://127.0.0.1:${listening.port}`, token }
    const close = async () => {
      listening.server.closeAllConnections() // the client is gone; closing would wait for idle connections
      await listening.close()
    }
    return { client, ask: overHttp(client), close }
  },
}

function overHttp({ fetch, origin, token }: TestLink['client']): TestLink['ask'] {
  return async (route, { params, query, body }) => {
    const url = new URL(origin + routePath(route, params))
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value)
    const method = routeMethod(route)
    const sends = method === 'POST' || method === 'PUT'
    const request = new Request(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(sends && { body: JSON.stringify(body ?? {}) }),
    })
    const response = await fetch(request)
    return { status: response.status, value: await response.json() }
  }
}

/** As the HTTP face would answer. */
function toAsked(result: Result<unknown>): Asked {
  if (result.ok) return { status: 200, value: result.value ?? null }
  const { code, kind, message, errors, details } = result.failure
  return {
    status: HTTP_STATUS[kind],
    value: { success: false, errorCode: code, kind, message, errors, ...details },
  }
}
