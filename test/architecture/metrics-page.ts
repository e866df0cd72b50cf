import {
  exportedName,
  INSTRUMENTS,
  type Instrument,
  type InstrumentName,
} from '../../packages/server/src/telemetry/instruments.ts'

/** docs/metrics.md, from the one declaration. */
export function toMetricsPage(): string {
  const rows = (Object.keys(INSTRUMENTS) as InstrumentName[]).map(name => {
    const { type, help, labels }: Instrument = INSTRUMENTS[name]
    const named = labels.map(label => `\`${label}\``).join(', ')
    return `| \`${exportedName(name)}\` | ${type} | ${named} | ${help} |`
  })
  return `# Metrics

Generated from \`packages/server/src/telemetry/instruments.ts\`. [Hosting](hosting.md#figures-spans-and-the-log) says where they go. Over OTLP
their names are \`filewright.NAME\`, without the ending. Durations are in seconds. No label holds a name or a word of a person,
a model or a file.

| name | type | labels | is |
| --- | --- | --- | --- |
${rows.join('\n')}
`
}
