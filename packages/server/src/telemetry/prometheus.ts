import { BOUNDS, exportedName, INSTRUMENTS, type InstrumentName } from './instruments.ts'
import type { Series } from './registry.ts'

/** In the text format of Prometheus. */
export function toPrometheus(all: readonly Series[]): string {
  const lines = (Object.keys(INSTRUMENTS) as InstrumentName[]).flatMap(name => {
    const own = all.filter(series => series.name === name)
    if (own.length === 0) return []
    const { help, type } = INSTRUMENTS[name]
    const exported = exportedName(name)
    return [
      `# HELP ${exported} ${help}.`,
      `# TYPE ${exported} ${type}`,
      ...own.flatMap(series => toLines(exported, series)),
    ]
  })
  return `${lines.join('\n')}\n`
}

function toLines(name: string, { labels, value, buckets }: Series): string[] {
  if (!buckets) return [`${name}${inBraces(labels)} ${value}`]
  let below = 0
  const ranges = buckets.map((count, i) => {
    below += count
    return `${name}_bucket${inBraces({ ...labels, le: String(BOUNDS[i] ?? '+Inf') })} ${below}`
  })
  return [
    ...ranges,
    `${name}_sum${inBraces(labels)} ${value}`,
    `${name}_count${inBraces(labels)} ${below}`,
  ]
}

function inBraces(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}
