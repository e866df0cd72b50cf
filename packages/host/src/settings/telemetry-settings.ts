import { EXIT_CODES } from '@filewright/protocol'
import { Exit } from '../exit/exit.ts'

/** What the environment says about figures, spans and the log; undefined where it says nothing. */
export interface TelemetrySettings {
  readonly metrics?: MetricsPlace
  readonly otlp?: OtlpTarget
  /** The log goes to stderr too, as lines of JSON, with the events of runs and calls. */
  readonly isLogged: boolean
}

/** An address of its own for figures, so that nobody who reaches the service reaches them. */
export interface MetricsPlace {
  readonly host: string
  readonly port: number
  /** Whoever reads must show it; only on loopback there need not be one. */
  readonly token?: string
}

/** A collector of OpenTelemetry. */
export interface OtlpTarget {
  /** Without `/v1/…`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Readonly<Record<string, string>>
  readonly everyMs: number
}

export const TELEMETRY_VARIABLES = {
  metrics: 'FILEWRIGHT_METRICS',
  token: 'FILEWRIGHT_METRICS_TOKEN',
  log: 'FILEWRIGHT_LOG',
  endpoint: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  headers: 'OTEL_EXPORTER_OTLP_HEADERS',
  service: 'OTEL_SERVICE_NAME',
  resource: 'OTEL_RESOURCE_ATTRIBUTES',
  interval: 'OTEL_METRIC_EXPORT_INTERVAL',
} as const

type Values = Readonly<Record<string, string | undefined>>

const NAMES = TELEMETRY_VARIABLES
const SHORTEST_TOKEN = 24
const EVERY_MS = 10_000

export function readTelemetry(env: Values): TelemetrySettings | undefined {
  const metrics = readMetrics(env)
  const otlp = readOtlp(env)
  const isLogged = readLog(env[NAMES.log] || undefined)
  if (!metrics && !otlp && !isLogged) return undefined
  return { isLogged, ...(metrics && { metrics }), ...(otlp && { otlp }) }
}

function readLog(given: string | undefined): boolean {
  if (given === undefined || given === 'json') return given === 'json'
  return refuse(NAMES.log, given, 'the only form is json')
}

function readMetrics(env: Values): TelemetrySettings['metrics'] {
  const given = env[NAMES.metrics] || undefined
  if (given === undefined) return undefined
  const [, host = '', port = ''] = /^(\[[\da-f:]+\]|[^:\s]+):(\d{1,5})$/i.exec(given) ?? []
  if (host === '' || Number(port) > 65_535)
    return refuse(NAMES.metrics, given, 'it is an address and a port, such as 127.0.0.1:9464')
  const token = env[NAMES.token] || undefined
  if (token !== undefined && token.length < SHORTEST_TOKEN)
    throw wrong(`${NAMES.token} has ${token.length} characters; use at least ${SHORTEST_TOKEN}.`)
  if (token === undefined && !/^(localhost|127\.0\.0\.1|\[::1\])$/i.test(host))
    throw wrong(
      `${NAMES.metrics} is "${given}", which other machines may reach: set ${NAMES.token} too, or use 127.0.0.1.`,
    )
  const plain = host.replace(/^\[|\]$/g, '')
  return { host: plain, port: Number(port), ...(token && { token }) }
}

function readOtlp(env: Values): TelemetrySettings['otlp'] {
  const given = env[NAMES.endpoint] || undefined
  if (given === undefined) return undefined
  const isAddress = URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)
  if (!isAddress)
    return refuse(NAMES.endpoint, given, 'it is an address such as http://127.0.0.1:4318')
  const interval = env[NAMES.interval] || String(EVERY_MS)
  if (!/^\d{2,8}$/.test(interval))
    return refuse(NAMES.interval, interval, 'it is a number of milliseconds')
  return {
    endpoint: given.replace(/\/+$/, ''),
    headers: pairsIn(NAMES.headers, env[NAMES.headers]),
    resource: {
      'service.name': env[NAMES.service] || 'filewright',
      ...pairsIn(NAMES.resource, env[NAMES.resource]),
    },
    everyMs: Number(interval),
  }
}

/** `name=value,name=value`, values as in an address. What they hold is in no message. */
function pairsIn(name: string, given = ''): Record<string, string> {
  const pairs = given.split(',').filter(pair => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map(pair => {
      const [, key, value = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? []
      if (key === undefined) throw wrong(`${name} is a list such as name=value,other=value.`)
      return [key, decoded(name, value.trim())]
    }),
  )
}

function decoded(name: string, value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw wrong(`${name} has a value with a % that stands for nothing.`)
  }
}

function refuse(name: string, given: string, rule: string): never {
  throw wrong(`${name} is "${given.slice(0, 60)}"; ${rule}.`)
}

function wrong(message: string): Exit {
  return new Exit(EXIT_CODES.invalid, message)
}
