/** What is measured: declared here once, and every face of it (Prometheus, OTLP, docs/hosting.md) is derived. */
export interface Instrument {
  readonly type: 'counter' | 'histogram' | 'gauge'
  readonly help: string
  /** Each has few values, known beforehand: never a name or a content that a person or a model wrote. */
  readonly labels: readonly string[]
  /** Of the number, where it is none of things: `s` for seconds. */
  readonly unit?: 's'
}

export const INSTRUMENTS = {
  runs_started: {
    type: 'counter',
    help: 'Runs that began here',
    labels: [],
  },
  runs_ended: {
    type: 'counter',
    help: 'Runs that ended here: final, cancelled, limit, failed, or waiting for a person',
    labels: ['reason'],
  },
  run_duration: {
    type: 'histogram',
    help: 'From the start of a run to its end',
    labels: ['reason'],
    unit: 's',
  },
  turns: {
    type: 'counter',
    help: 'Answers of models, each with its calls',
    labels: [],
  },
  tokens: {
    type: 'counter',
    help: 'Tokens as the providers count them: input (cached ones are part of it), cached, output',
    labels: ['direction'],
  },
  retries: {
    type: 'counter',
    help: 'Requests to models that were sent again',
    labels: [],
  },
  tool_duration: {
    type: 'histogram',
    help: 'From the start of a tool call to its result; the outcome is ok, or the kind of its failure. Tools of MCP servers are "outside"',
    labels: ['tool', 'outcome'],
    unit: 's',
  },
  conflicts: {
    type: 'counter',
    help: 'What was refused because something had changed: of calls and of publishes',
    labels: ['where'],
  },
  published_files: {
    type: 'counter',
    help: 'Files that were written when a draft was published; rebased: it had changed on disk, and the draft moved along',
    labels: ['how'],
  },
  requests_duration: {
    type: 'histogram',
    help: 'Until a route has its answer, or the first byte of a stream; the outcome is ok, or the kind of the failure',
    labels: ['route', 'outcome'],
    unit: 's',
  },
  store_duration: {
    type: 'histogram',
    help: 'What each method of each store takes; failed: it threw, as it does when the database is away',
    labels: ['store', 'method', 'outcome'],
    unit: 's',
  },
  runs_under_way: {
    type: 'gauge',
    help: 'Runs under way in the whole installation: every instance says the same',
    labels: [],
  },
  runs_waiting: {
    type: 'gauge',
    help: 'Runs that wait for an approval or an answer of a person, in the whole installation',
    labels: [],
  },
  queue_depth: {
    type: 'gauge',
    help: 'Messages, answers and cancels that wait in inboxes, in the whole installation',
    labels: [],
  },
  spans_dropped: {
    type: 'counter',
    help: 'Spans that were not sent, because the collector did not take them in time',
    labels: [],
  },
} as const satisfies Readonly<Record<string, Instrument>>

export type InstrumentName = keyof typeof INSTRUMENTS
type NamesOf<Type extends Instrument['type']> = {
  [Name in InstrumentName]: (typeof INSTRUMENTS)[Name]['type'] extends Type ? Name : never
}[InstrumentName]
export type CounterName = NamesOf<'counter'>
export type HistogramName = NamesOf<'histogram'>
export type GaugeName = NamesOf<'gauge'>
export type LabelsOf<Name extends InstrumentName> = Readonly<
  Record<(typeof INSTRUMENTS)[Name]['labels'][number], string>
>

/** Upper ends, in seconds: from a read of a local database to a run of half an hour. */
export const BOUNDS = [
  ...[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5],
  ...[1, 2.5, 5, 10, 30, 60, 300, 1800],
]

/** As Prometheus writes it. */
export function exportedName(name: InstrumentName): string {
  const { type, unit }: Instrument = INSTRUMENTS[name]
  const ending = type === 'counter' ? '_total' : unit === 's' ? '_seconds' : ''
  return `filewright_${name}${ending}`
}
