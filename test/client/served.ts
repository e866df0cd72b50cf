import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { listen } from '@filewright/host'
import { fail, RIGHTS, type RouteName, routeMethod, routePath, unwrap } from '@filewright/protocol'
import { createLogger, createServer, openMemoryStores, type Stores } from '@filewright/server'
import { onTestFinished } from 'vitest'
import type { Answer, Logged } from '../embedded.ts'

/** A server on a real port, and a proxy to it that a test can break. */
export interface Served {
  /** The proxy's address; clients get this one. */
  readonly origin: string
  readonly token: string
  readonly logged: readonly Logged[]
  /** Requests that clients sent through the proxy, as `PUT /api/…`. */
  readonly requests: readonly string[]
  /** Directly, not through the proxy. */
  readonly direct: string
  /** Without the proxy. */
  ask(route: RouteName, options?: Asking): Promise<{ status: number; value: Answer }>
  issueToken(workspaceId: string): Promise<string>
  /** Cuts every connection of the proxy. */
  cut(): void
  /** Cuts the nth matching request before it arrives, and every stream with it. */
  cutAfter(matches: (request: string) => boolean, number: number): void
}

export interface Asking {
  readonly token?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const TOKEN = 'owner-token'

export async function served(options: { stores?: Stores } = {}): Promise<Served> {
  const logged: Logged[] = []
  const stores = options.stores ?? (await openMemoryStores())
  const server = await createServer({
    stores,
    logger: createLogger(
      line => logged.push(JSON.parse(line)),
      () => new Date(),
    ),
    version: 'test',
    ownerToken: TOKEN,
    resolveModel: async () => fail('NOT_FOUND', 'No model in this test.'),
  })
  const listening = await listen(server.fetch, { host: '127.0.0.1', port: 0 })
  const way = await breakableWay(listening.port!)
  onTestFinished(async () => {
    way.close()
    await listening.close()
    await server.close()
    await stores.close()
  })
  return {
    ...way,
    direct: `http://127.0.0.1:${listening.port}`,
    token: TOKEN,
    logged,
    async issueToken(workspaceId) {
      const given = { name: 'test', rights: RIGHTS, workspaces: [workspaceId] }
      return unwrap(await server.tokens.create(given, server.tokens.owner)).token
    },
    async ask(route, { token = TOKEN, params = {}, query = {}, body, headers } = {}) {
      const url = new URL(`http://127.0.0.1:${listening.port}${routePath(route, params)}`)
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
      const method = routeMethod(route)
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...((method === 'POST' || method === 'PUT') && { body: JSON.stringify(body ?? {}) }),
      })
      return { status: response.status, value: await response.json() }
    },
  }
}

async function breakableWay(port: number) {
  const requests: string[] = []
  let isCutting: ((request: string) => boolean) | undefined
  const way = http.createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (isCutting?.(requests.at(-1)!)) {
      isCutting = undefined
      way.closeAllConnections()
      return
    }
    const { method, url, headers } = request
    // each on its own connection: a kept one may be dropped at the moment of its next use
    const to = { host: '127.0.0.1', port, method, path: url, headers, agent: false as const }
    const passed = http.request(to, answer => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
      response.flushHeaders()
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  })
  way.keepAliveTimeout = 0
  await new Promise<void>(resolve => way.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(way.address() as AddressInfo).port}`,
    requests,
    cut: () => way.closeAllConnections(),
    cutAfter(matches: (request: string) => boolean, number: number) {
      let left = number
      isCutting = request => matches(request) && --left === 0
    },
    close() {
      way.closeAllConnections()
      way.close()
    },
  }
}
