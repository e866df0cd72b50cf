import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { fail, ok, type Result } from '@filewright/protocol'
import type { MetricsPlace } from '../settings/telemetry-settings.ts'

export interface MetricsPort {
  readonly port: number
  close(): Promise<void>
}

const TEXT = 'text/plain; version=0.0.4; charset=utf-8'
const OWN_NAMES = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/** Answers `GET /metrics` and nothing else. */
export function serveMetrics(
  read: () => Promise<string>,
  { host, port, token }: MetricsPlace,
): Promise<Result<MetricsPort>> {
  const server = createServer(async (incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const end = (status: number, text: string) =>
      outgoing.writeHead(status, { 'content-type': TEXT }).end(text)
    if (method !== 'GET' || url.split('?')[0] !== '/metrics')
      return end(404, 'Only GET /metrics is answered here.\n')
    // a page that was pointed at this machine still names its own host
    if (token === undefined && !OWN_NAMES.test(headers.host ?? ''))
      return end(403, 'This address does not answer for that host.\n')
    if (token !== undefined && !isSame(headers.authorization, `Bearer ${token}`))
      return end(401, 'A token is required: send FILEWRIGHT_METRICS_TOKEN as a bearer token.\n')
    return read().then(
      text => end(200, text),
      () => end(500, 'The figures could not be read.\n'),
    )
  })
  server.requestTimeout = 10_000
  return new Promise(resolve => {
    server.once('error', ({ message }) =>
      resolve(
        fail('INVALID_ARGUMENT', `Cannot answer for figures at ${host}:${port}: ${message}.`, {
          kind: 'unavailable',
        }),
      ),
    )
    server.listen(port, host, () => {
      server.unref()
      const address = server.address() as { port: number }
      resolve(
        ok({
          port: address.port,
          close: () =>
            new Promise(done => {
              server.close(() => done())
              server.closeAllConnections()
            }),
        }),
      )
    })
  })
}

/** In the same time, whatever differs. */
function isSame(given: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return given !== undefined && timingSafeEqual(digest(given), digest(expected))
}
