import type { AnswerOf, Result } from '@filewright/protocol'
import type { OnAnswer } from '../http/app.ts'
import type { Stores } from '../stores/stores.ts'
import { type Resource, toOtlpMetrics, toOtlpSpans } from './otlp.ts'
import { toPrometheus } from './prometheus.ts'
import { createRegistry } from './registry.ts'
import { createRowFigures, type RowFiguresOptions } from './row-figures.ts'
import type { TraceSpan } from './spans.ts'
import { timedStores } from './timed-stores.ts'
import { watchedLog } from './watched-log.ts'

/** Figures and spans of one process: what its stores and its routes do. Nothing of it is kept. */
export interface Telemetry {
  /** To be used instead of those that were given. */
  readonly stores: Stores
  readonly onAnswer: OnAnswer
  /** The figures of now. */
  prometheus(): Promise<string>
  /** Bodies for a collector of OpenTelemetry; spans are handed out once. */
  otlpMetrics(resource: Resource): Promise<object>
  otlpSpans(resource: Resource): object | undefined
}

export interface TelemetryOptions {
  readonly onEvent?: RowFiguresOptions['onEvent']
  readonly now?: () => number
}

const MOST_SPANS = 4_096

export function createTelemetry(
  given: Stores,
  { onEvent = () => {}, now = Date.now }: TelemetryOptions = {},
): Telemetry {
  const since = now()
  const registry = createRegistry()
  let spans: TraceSpan[] = []
  const rows = createRowFigures({
    registry,
    log: given.log,
    onEvent,
    onSpan(span) {
      if (spans.length < MOST_SPANS) spans.push(span)
      else registry.count('spans_dropped', {})
    },
  })
  const timed = timedStores(given, registry)

  /** Of the whole installation; without its database the last ones stay. */
  async function tally(): Promise<void> {
    const found = await given.log.tally().catch(() => undefined)
    if (!found) return
    registry.set('runs_under_way', found.running)
    registry.set('runs_waiting', found.waiting)
    registry.set('queue_depth', found.mail)
  }

  function notePublished({ files, rebased }: AnswerOf<'publish'>) {
    registry.count('published_files', { how: 'rebased' }, rebased.length)
    registry.count('published_files', { how: 'as reviewed' }, files.length - rebased.length)
  }

  return {
    stores: { ...timed, log: watchedLog(timed.log, rows.noteRows) },
    onAnswer(route, answer, milliseconds) {
      const outcome = outcomeOf(answer)
      registry.observe('requests_duration', { route, outcome }, milliseconds / 1000)
      if (route !== 'publish' || answer instanceof Response) return
      if (answer.ok) notePublished(answer.value as AnswerOf<'publish'>)
      else if (outcome === 'conflict') registry.count('conflicts', { where: 'publish' })
    },
    async prometheus() {
      await tally()
      return toPrometheus(registry.series())
    },
    async otlpMetrics(resource) {
      await tally()
      return toOtlpMetrics(registry.series(), resource, { since, now: now() })
    },
    otlpSpans(resource) {
      if (spans.length === 0) return undefined
      const taken = spans
      spans = []
      return toOtlpSpans(taken, resource)
    },
  }
}

function outcomeOf(answer: Result<unknown> | Response): string {
  if (answer instanceof Response) return answer.ok ? 'ok' : 'failed'
  return answer.ok ? 'ok' : answer.failure.kind
}
