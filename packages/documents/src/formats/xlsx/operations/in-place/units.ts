/** How many of the first unit of its kind one of each is; by definition, none is rounded. */
const KINDS: readonly Readonly<Record<string, number>>[] = [
  { m: 1, mm: 0.001, cm: 0.01, km: 1000, in: 0.0254, ft: 0.3048, yd: 0.9144, mi: 1609.344 },
  { kg: 1, mg: 0.000001, g: 0.001, t: 1000, oz: 0.028349523125, lb: 0.45359237 },
  { l: 1, ml: 0.001, cl: 0.01, hl: 100, m3: 1000, gal: 3.785411784 },
  { m2: 1, cm2: 0.0001, ha: 10_000, km2: 1_000_000, ft2: 0.09290304, acre: 4046.8564224 },
  { s: 1, min: 60, h: 3600, d: 86_400 },
  { J: 1, kJ: 1000, Wh: 3600, kWh: 3_600_000, MWh: 3_600_000_000 },
]

/** Kelvin: the value times the first, plus the second. */
const TEMPERATURES: Readonly<Record<string, readonly [number, number]>> = {
  K: [1, 0],
  C: [1, 273.15],
  F: [5 / 9, 273.15 - (32 * 5) / 9],
}

export const UNITS: readonly string[] = [...KINDS, TEMPERATURES].flatMap(kind => Object.keys(kind))

/** Undefined where one unit is not known, or they measure different things. */
export function converter(from: string, to: string): ((value: number) => number) | undefined {
  const kind = KINDS.find(own => Object.hasOwn(own, from) && Object.hasOwn(own, to))
  if (kind) return value => (value * kind[from]!) / kind[to]!
  const [one, other] = [from, to].map(name =>
    Object.hasOwn(TEMPERATURES, name) ? TEMPERATURES[name] : undefined,
  )
  if (!one || !other) return undefined
  return value => (value * one[0] + one[1] - other[1]) / other[0]
}
