import { isFields, isSameName } from '@filewright/protocol'
import { namesFor } from './repair-arguments.ts'

const FIRST = namesFor('line_start')
const LAST = ['line_end', 'end_line', 'last_line', 'to_line', 'end']

/** Turns a request that names the last line into one with a line count, as the tool takes it. */
export function meantLines(start: string, count: string): (given: unknown) => unknown {
  return given => {
    if (!isFields(given)) return given
    const last = numberIn(given, LAST)
    const first = numberIn(given, FIRST) ?? { name: start, value: 1 }
    if (!last || last.value < first.value || count in given) return given
    const { [first.name]: _, [last.name]: __, ...rest } = given
    return { ...rest, [start]: first.value, [count]: last.value - first.value + 1 }
  }
}

function numberIn(
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
): { readonly name: string; readonly value: number } | undefined {
  const name = Object.keys(given).find(sent => names.some(known => isSameName(known, sent)))
  const value = name === undefined ? Number.NaN : Number(given[name])
  return name !== undefined && Number.isInteger(value) && value >= 1 ? { name, value } : undefined
}
