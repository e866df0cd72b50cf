import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '@filewright/server'
import type { Telemetry } from '@filewright/server/telemetry'
import type { OtlpTarget } from '../settings/telemetry-settings.ts'

const PATIENCE_MS = 10_000
/** At the end the last figures have so long. */
const LAST_MS = 1_000

/** Sends what there is again and again. A collector that is away costs its figures and nothing else. */
export function exportOtlp(
  telemetry: Pick<Telemetry, 'otlpMetrics' | 'otlpSpans'>,
  { endpoint, headers, resource, everyMs }: OtlpTarget,
  logger: Logger,
): { close(): Promise<void> } {
  const ending = new AbortController()
  let isTaken = true

  async function post(path: string, body: object, signal: AbortSignal) {
    const response = await fetch(`${endpoint}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
      redirect: 'error', // its headers hold a key
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`It answered ${response.status}`)
  }

  async function send(patienceMs: number): Promise<void> {
    const signal = AbortSignal.timeout(patienceMs)
    try {
      const spans = telemetry.otlpSpans(resource)
      if (spans) await post('/v1/traces', spans, signal)
      await post('/v1/metrics', await telemetry.otlpMetrics(resource), signal)
      if (!isTaken) logger.event('Telemetry.TakenAgain')
      isTaken = true
    } catch (error) {
      if (isTaken) logger.event('Telemetry.NotTaken', { reason: (error as Error).message })
      isTaken = false
    }
  }

  async function go() {
    const { signal } = ending
    while (!signal.aborted) {
      await wait(everyMs, undefined, { signal, ref: false }).catch(() => {})
      if (!signal.aborted) await send(PATIENCE_MS)
    }
    await send(LAST_MS)
  }

  const going = go()
  return {
    close() {
      ending.abort()
      return going
    },
  }
}
