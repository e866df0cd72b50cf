import { type Palette, toRgb } from '../looks/color.ts'
import type { Drawn } from './drawn.ts'
import type { CellRule, Threshold } from './rule.ts'

/** A colour scale, bar or set of icons over the numbers of its range. */
export class ScaleValues {
  readonly #rule: CellRule
  readonly #sorted: readonly number[]
  readonly #palette: Palette
  readonly #limits: readonly (number | undefined)[]

  constructor(rule: CellRule, numbers: readonly number[], palette: Palette) {
    this.#rule = rule
    this.#sorted = [...numbers].sort((a, b) => a - b)
    this.#palette = palette
    const { scale, bar, icons } = rule
    const thresholds = scale ?? (bar ? [bar.least, bar.most] : (icons?.stops ?? []))
    this.#limits = thresholds.map(own => this.#limit(own))
  }

  /** False where a threshold is a formula. */
  get isKnown(): boolean {
    return this.#sorted.length === 0 || this.#limits.every(limit => limit !== undefined)
  }

  at(value: number | undefined): Drawn | undefined {
    if (value === undefined) return undefined
    const { scale, bar, icons } = this.#rule
    if (scale) return { over: { fill: this.#colorAt(value) } }
    if (bar) {
      const color = toRgb(bar.color, this.#palette) ?? '638EC6'
      const [least = 0, most = 0] = this.#limits as readonly number[]
      const part = most > least ? Math.min(Math.max((value - least) / (most - least), 0), 1) : 1
      return {
        bar: { color, from: 0, to: round(part) },
        ...(!bar.showsValue && { hidesText: true }),
      }
    }
    if (!icons) return undefined
    const count = icons.stops.length
    let index = 0
    for (const [position, stop] of icons.stops.entries()) {
      const limit = this.#limits[position]!
      if (position > 0 && (stop.isAfter ? value > limit : value >= limit)) index = position
    }
    const shown = icons.isReversed ? count - 1 - index : index
    return {
      icon: { set: icons.set, index: shown, of: count },
      ...(!icons.showsValue && { hidesText: true }),
    }
  }

  #limit({ type, value }: Threshold): number | undefined {
    const sorted = this.#sorted
    if (sorted.length === 0) return 0
    const [least, most] = [sorted[0]!, sorted.at(-1)!]
    const number = value.trim() === '' ? Number.NaN : Number(value)
    if (type === 'min' || type === 'autoMin') return least
    if (type === 'max' || type === 'autoMax') return most
    if (!Number.isFinite(number)) return undefined
    if (type === 'num') return number
    if (type === 'percent') return least + ((most - least) * number) / 100
    return type === 'percentile' ? percentile(sorted, number / 100) : undefined
  }

  #colorAt(value: number): string {
    const stops = this.#rule.scale!
    const limits = this.#limits as readonly number[]
    const colorOf = (index: number) => toRgb(stops[index]?.color, this.#palette) ?? 'FFFFFF'
    const next = limits.findIndex(limit => value <= limit)
    if (next <= 0) return colorOf(next < 0 ? stops.length - 1 : 0)
    const [low, high] = [limits[next - 1]!, limits[next]!]
    return mix(colorOf(next - 1), colorOf(next), high > low ? (value - low) / (high - low) : 1)
  }
}

function percentile(sorted: readonly number[], part: number): number {
  const at = Math.min(Math.max(part, 0), 1) * (sorted.length - 1)
  const low = sorted[Math.floor(at)]!
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at))
}

function mix(from: string, to: string, part: number): string {
  const channel = (at: number) => {
    const [a, b] = [from, to].map(color => Number.parseInt(color.slice(at, at + 2), 16))
    return Math.round(a! + (b! - a!) * part)
      .toString(16)
      .padStart(2, '0')
  }
  return [0, 2, 4].map(channel).join('').toUpperCase()
}

function round(part: number): number {
  return Math.round(part * 1000) / 1000
}
