import { type Call, VARIADIC } from './calls.ts'
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
