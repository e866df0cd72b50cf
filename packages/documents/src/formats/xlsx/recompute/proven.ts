import { type Call, VARIADIC } from './calls.ts'
import { DOUBTFUL_KINDS } from './doubtful-kinds.ts'
import type { PlainFormula } from './plain-formula.ts'
import { PROVEN_CALLS } from './proven-calls.ts'

const proven: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(PROVEN_CALLS).map(([name, shapes]) => [name, new Set(shapes)]),
)

/** Whether a function with arguments of these shapes was computed and compared with another program's result. */
export function isProven({ name, shape }: Call): boolean {
  const shapes = proven.get(name)
  if (!shapes) return false
  if (shapes.has(shape)) return true
  // each kind of argument was proven, with others or alone
  return (
    VARIADIC.has(name) &&
    shape.split(',').every(own => [...shapes].some(known => known.split(',').includes(own)))
  )
}

const DOUBTFUL = Object.entries(DOUBTFUL_KINDS).flatMap(([name, kinds]) =>
  kinds.map(kind => `${name} ${kind}`),
)

/** Over a range with a text in it, operators differ from what they do with one value. */
const OVER_TEXTS = ['PLUS', 'MINUS', 'MULTIPLY', 'DIVIDED', 'POWER'].flatMap(name => [
  `${name} 0 texts`,
  `${name} 1 texts`,
])

/** What an evaluator is to look for: kinds of values without a proof, and all of them in functions that have none at all. */
export function watchedKinds(formulas: readonly Pick<PlainFormula, 'calls'>[]): readonly string[] {
  const names = new Set(formulas.flatMap(({ calls }) => calls.map(({ name }) => name)))
  const unproven = [...names].filter(name => /^[A-Z]/.test(name) && !proven.has(name))
  return [...DOUBTFUL, ...OVER_TEXTS, ...unproven]
}
