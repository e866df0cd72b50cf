import { type Fields, isFields, takeField } from '@filewright/protocol'
import { namesFor } from './synonyms.ts'

const FIRST = namesFor('line_start')
const COUNT = namesFor('line_count')
const LAST = ['line_end', 'end_line', 'last_line', 'to_line', 'end']
const RANGE = ['line_range', 'lines', 'line_numbers']

/** Turns lines that are named in another way into a first line and a count, as the tool takes them. */
export function meantLines(start: string, count: string): (given: unknown) => unknown {
  return given => {
    if (!isFields(given)) return given
    const { first, many, last, rest } = inRange(given) ?? byName(given, start, count)
    const from = first === undefined ? undefined : Math.max(1, first) // 0: counted from 0
    const to = many === undefined ? last && last - (from ?? 1) + 1 : many
    if ((many !== undefined && last !== undefined) || (to !== undefined && to < 1)) return given
    if (from === undefined && to === undefined) return given
    return {
      ...rest,
      ...(from !== undefined && { [start]: from }),
      ...(to !== undefined && { ...(from === undefined && { [start]: 1 }), [count]: to }),
    }
  }
}

interface Lines {
  readonly first?: number
  readonly many?: number
  readonly last?: number
  readonly rest: Fields
}

/** `lines: "3-7"`, `line_range: [3, 7]` */
function inRange(given: Fields): Lines | undefined {
  const [range, rest] = takeField(given, RANGE)
  const parts = typeof range === 'string' ? range.split(/\s*[-:–]\s*/) : range
  const [first, last] = Array.isArray(parts) && parts.length === 2 ? parts.map(asNumber) : []
  return first === undefined || last === undefined ? undefined : { first, last, rest }
}

function byName(given: Fields, start: string, count: string): Lines {
  const [first, a] = takeField(given, [start, ...FIRST])
  const [many, b] = takeField(a, [count, ...COUNT])
  const [last, rest] = takeField(b, LAST)
  const [from, number, to] = [first, many, last].map(asNumber)
  const isRead = [from, number, to].every((own, i) => own !== undefined || ![first, many, last][i])
  if (!isRead) return { rest: given }
  return {
    ...(from !== undefined && { first: from }),
    ...(number !== undefined && { many: number }),
    ...(to !== undefined && { last: to }),
    rest,
  }
}

function asNumber(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^\d+$/.test(value)
  const number = isText || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isInteger(number) && number >= 0 ? number : undefined
}
