import {
  BOUNDS,
  type CounterName,
  type GaugeName,
  type HistogramName,
  INSTRUMENTS,
  type InstrumentName,
  type LabelsOf,
} from './instruments.ts'

/** The figures of this process since it started. */
export interface Registry {
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void
  /** @param seconds how long it took */
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void
  set(name: GaugeName, value: number): void
  series(): readonly Series[]
}

/** One instrument with one set of labels. */
export interface Series {
  readonly name: InstrumentName
  readonly labels: Readonly<Record<string, string>>
  /** Of a counter or a gauge; of a histogram the sum of its seconds. */
  readonly value: number
  /** Of a histogram: how many lie in each range of `BOUNDS`, the last beyond all of them. */
  readonly buckets?: readonly number[]
}

interface Kept extends Series {
  value: number
  readonly buckets?: number[]
}

export function createRegistry(): Registry {
  const all = new Map<string, Kept>()

  function find(name: InstrumentName, labels: Readonly<Record<string, string>>): Kept {
    const values = INSTRUMENTS[name].labels.map(label => labels[label]!)
    const key = [name, ...values].join('\0')
    const found = all.get(key)
    if (found) return found
    const isHistogram = INSTRUMENTS[name].type === 'histogram'
    const buckets = isHistogram ? { buckets: new Array(BOUNDS.length + 1).fill(0) } : {}
    const kept: Kept = { name, labels: { ...labels }, value: 0, ...buckets }
    all.set(key, kept)
    return kept
  }

  return {
    count(name, labels, by = 1) {
      find(name, labels).value += by
    },
    observe(name, labels, seconds) {
      const kept = find(name, labels)
      kept.value += seconds
      const place = BOUNDS.findIndex(bound => seconds <= bound)
      kept.buckets![place < 0 ? BOUNDS.length : place]!++
    },
    set(name, value) {
      find(name, {}).value = value
    },
    series: () => [...all.values()],
  }
}
