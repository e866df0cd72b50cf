import { BOUNDS, INSTRUMENTS, type Instrument, type InstrumentName } from './instruments.ts'
import type { Series } from './registry.ts'
import type { TraceSpan } from './spans.ts'

/** What tells this process from others, such as `service.name`. */
export type Resource = Readonly<Record<string, string>>

/** The body for `/v1/metrics`: OTLP in JSON. Times are in ms since 1970. */
export function toOtlpMetrics(
  all: readonly Series[],
  resource: Resource,
  { since, now }: { readonly since: number; readonly now: number },
) {
  const times = { startTimeUnixNano: nanos(since), timeUnixNano: nanos(now) }
  const metrics = (Object.keys(INSTRUMENTS) as InstrumentName[]).flatMap(name => {
    const own = all.filter(series => series.name === name)
    if (own.length === 0) return []
    const { help: description, type, unit }: Instrument = INSTRUMENTS[name]
    const data = own.map(series => toPoint(series, times))
    return [{ name: `filewright.${name}`, description, unit: unit ?? '1', ...asType(type, data) }]
  })
  return {
    resourceMetrics: [
      { resource: toResource(resource), scopeMetrics: [{ scope: SCOPE, metrics }] },
    ],
  }
}

/** The body for `/v1/traces`. */
export function toOtlpSpans(spans: readonly TraceSpan[], resource: Resource) {
  return {
    resourceSpans: [
      {
        resource: toResource(resource),
        scopeSpans: [{ scope: SCOPE, spans: spans.map(toOtlpSpan) }],
      },
    ],
  }
}

const SCOPE = { name: 'filewright' }
/** Of the protocol: sums since the process started. */
const CUMULATIVE = 2
const INTERNAL = 1
const FAILED = { code: 2 }

function asType(type: Instrument['type'], dataPoints: readonly object[]) {
  if (type === 'gauge') return { gauge: { dataPoints } }
  if (type === 'counter')
    return { sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } }
  return { histogram: { dataPoints, aggregationTemporality: CUMULATIVE } }
}

function toPoint({ labels, value, buckets }: Series, times: object) {
  const attributes = toAttributes(labels)
  if (!buckets) return { attributes, ...times, asDouble: value }
  return {
    attributes,
    ...times,
    count: String(buckets.reduce((sum, count) => sum + count, 0)),
    sum: value,
    bucketCounts: buckets.map(String),
    explicitBounds: BOUNDS,
  }
}

function toOtlpSpan({
  traceId,
  spanId,
  parentId,
  name,
  start,
  end,
  attributes,
  isFailure,
}: TraceSpan) {
  return {
    traceId,
    spanId,
    ...(parentId && { parentSpanId: parentId }),
    name,
    kind: INTERNAL,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(end),
    attributes: toAttributes(attributes),
    ...(isFailure && { status: FAILED }),
  }
}

function toResource(resource: Resource) {
  return { attributes: toAttributes(resource) }
}

function toAttributes(given: Readonly<Record<string, string>>) {
  return Object.entries(given).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

/** As the protocol wants it: a number that JSON cannot hold is a string. */
function nanos(ms: number): string {
  return `${Math.round(ms)}000000`
}
