import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'

/** A collector of OpenTelemetry, as far as ours talks to one: OTLP over HTTP in JSON. */
export interface OtlpReceiver {
  readonly endpoint: string
  readonly spans: readonly ReceivedSpan[]
  /** The newest export. */
  metrics(): readonly ReceivedMetric[]
  readonly headers: readonly IncomingHttpHeaders[]
  /** Everything that came, as it came. */
  text(): string
  /** From now on it answers 503. */
  refuse(isRefusing: boolean): void
}

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status?: { readonly code: number }
}

export interface ReceivedMetric {
  readonly name: string
  readonly unit: string
  // biome-ignore lint/suspicious/noExplicitAny: each type of metric has data of its own
  readonly [type: string]: any
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const spans: ReceivedSpan[] = []
  let metrics: readonly ReceivedMetric[] = []
  let isRefusing = false

  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece as Buffer)
    if (isRefusing) return outgoing.writeHead(503).end()
    const text = Buffer.concat(pieces).toString()
    bodies.push(text)
    headers.push(incoming.headers)
    const body = JSON.parse(text)
    if (incoming.url === '/v1/traces') spans.push(...body.resourceSpans[0].scopeSpans[0].spans)
    else if (incoming.url === '/v1/metrics')
      metrics = body.resourceMetrics[0].scopeMetrics[0].metrics
    else return outgoing.writeHead(404).end()
    return outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as { port: number }
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    headers,
    metrics: () => metrics,
    text: () => bodies.join('\n'),
    refuse(refusing) {
      isRefusing = refusing
    },
  }
}
