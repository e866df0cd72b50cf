import { ok, type Result } from '@filewright/protocol'
import type { Logger, Stores } from '@filewright/server'
import { createTelemetry, type Telemetry } from '@filewright/server/telemetry'
import type { TelemetrySettings } from '../settings/telemetry-settings.ts'
import { exportOtlp } from './export-otlp.ts'
import { serveMetrics } from './metrics-port.ts'

export interface RunningTelemetry extends Pick<Telemetry, 'stores' | 'onAnswer'> {
  close(): Promise<void>
}

/** Loaded only where something of it is set. */
export async function startTelemetry(
  { metrics, otlp, isLogged }: TelemetrySettings,
  stores: Stores,
  logger: Logger,
): Promise<Result<RunningTelemetry>> {
  const onEvent = isLogged ? logger.event : undefined
  const telemetry = createTelemetry(stores, { ...(onEvent && { onEvent }) })
  const port = metrics && (await serveMetrics(telemetry.prometheus, metrics))
  if (port && !port.ok) return port
  if (port) logger.event('Metrics.Served', { port: port.value.port })
  const exporting = otlp && exportOtlp(telemetry, otlp, logger)
  return ok({
    stores: telemetry.stores,
    onAnswer: telemetry.onAnswer,
    async close() {
      await Promise.all([port?.value.close(), exporting?.close()])
    },
  })
}
