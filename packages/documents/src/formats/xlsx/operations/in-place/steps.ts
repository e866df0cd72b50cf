import { type Fields, isFields } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import { converter, UNITS } from './units.ts'

/** What is done to each cell, in the order in which it is sent. */
export type Step =
  | {
      readonly kind: 'number'
      readonly name: string
      readonly apply: (value: number) => number
      /** Dates take only days that are added. */
      readonly fitsDates: boolean
      /** Around the text of a formula; absent: it cannot be written as one. */
      readonly wrap?: (formula: string) => string
    }
  | {
      readonly kind: 'text'
      readonly name: string
      /** Undefined: the text does not fit. */
      readonly apply: (text: string) => string | undefined
      /** It makes a text of a number as it is shown; others leave numbers as they are. */
      readonly takesNumbers: boolean
      readonly wrap?: (formula: string) => string
    }
  | { readonly kind: 'read'; readonly name: 'number' | 'date' | 'text' }

const CASES: Readonly<Record<string, (text: string) => string>> = {
  trim: text => text.replace(/[\s\u00a0]+/g, ' ').trim(),
  upper: text => text.toUpperCase(),
  lower: text => text.toLowerCase(),
  proper: text => text.toLowerCase().replace(/(?<![\p{L}])\p{L}/gu, letter => letter.toUpperCase()),
}
const READ = ['number', 'date', 'text'] as const
const SIGNS: Readonly<Record<string, string>> = {
  multiply: '*',
  divide: '/',
  add: '+',
  subtract: '-',
}
const SHAPE =
  '{"multiply": 1.05}, {"divide": 2}, {"add": 1}, {"subtract": 1}, {"round": 2}, {"units": ["km", "mi"]}, "trim", "upper", "lower", "proper", {"prefix": "EUR "}, {"suffix": " kg"}, {"extract": "(\\\\d+) kg", "group": 1}, "number", "date" or "text"'

export function stepsOf({ op, steps }: Fields): readonly Step[] {
  const list = Array.isArray(steps) ? steps : steps === undefined ? [] : [steps]
  if (list.length === 0)
    throw new Refusal('INVALID_ARGUMENT', `${op} needs steps, a list of ${SHAPE}`)
  return list.map((sent: unknown, index) => {
    const step = parseStep(sent)
    if (typeof step !== 'string') return step
    throw new Refusal('INVALID_ARGUMENT', `${op}: steps[${index}] ${step}`)
  })
}

/** A string says what is wrong with it. */
function parseStep(sent: unknown): Step | string {
  const fields = typeof sent === 'string' ? { [sent]: true } : isFields(sent) ? sent : {}
  const { group, ...rest } = fields
  const [name, ...others] = Object.keys(rest)
  if (name === undefined || others.length > 0 || (group !== undefined && name !== 'extract'))
    return `${JSON.stringify(sent)} is not one of ${SHAPE}`
  const value = rest[name]
  const read = READ.find(own => own === name)
  if (read) return { kind: 'read', name: read }
  const change = Object.hasOwn(CASES, name) ? CASES[name] : undefined
  if (change) {
    const wrap = (formula: string) => `${name.toUpperCase()}(${formula})`
    return { kind: 'text', name, apply: change, takesNumbers: false, wrap }
  }
  if (name === 'prefix' || name === 'suffix') return affix(name, value)
  if (name === 'extract') return extract(value, group)
  if (name === 'units') return units(value)
  return arithmetic(name, value, sent)
}

function arithmetic(name: string, value: unknown, sent: unknown): Step | string {
  const isKnown = name === 'round' || Object.hasOwn(SIGNS, name)
  if (!isKnown) return `${JSON.stringify(sent)} is not one of ${SHAPE}`
  if (typeof value !== 'number' || !Number.isFinite(value))
    return `${name} takes a number, and ${JSON.stringify(value)} is none`
  if (name === 'round') {
    if (!Number.isInteger(value) || Math.abs(value) > 15)
      return 'round takes the number of digits after the point, from -15 to 15'
    return {
      ...{ kind: 'number', name, fitsDates: false },
      apply: (own: number) => rounded(own, value),
      wrap: (formula: string) => `ROUND(${formula},${value})`,
    }
  }
  if (name === 'divide' && value === 0) return 'divide by 0 has no result'
  const apply: Readonly<Record<string, (own: number) => number>> = {
    multiply: own => own * value,
    divide: own => own / value,
    add: own => own + value,
    subtract: own => own - value,
  }
  return {
    ...{ kind: 'number', name, fitsDates: name === 'add' || name === 'subtract' },
    apply: apply[name]!,
    wrap: (formula: string) => `(${formula})${SIGNS[name]}${value < 0 ? `(${value})` : value}`,
  }
}

/** Half away from zero, by the decimal digits, as ROUND does. */
function rounded(value: number, digits: number): number {
  const [mantissa, exponent = '0'] = String(Number(Math.abs(value).toPrecision(15))).split('e')
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`))
  return Math.sign(value) * Number(`${shifted}e${-digits}`)
}

function affix(name: 'prefix' | 'suffix', value: unknown): Step | string {
  if (typeof value !== 'string' || value === '') return `${name} takes a text, such as "EUR "`
  const quoted = `"${value.replaceAll('"', '""')}"`
  return {
    ...{ kind: 'text', name, takesNumbers: true },
    apply: (text: string) => (name === 'prefix' ? value + text : text + value),
    wrap: (formula: string) =>
      name === 'prefix' ? `${quoted}&(${formula})` : `(${formula})&${quoted}`,
  }
}

function extract(value: unknown, group: unknown): Step | string {
  let pattern: RegExp
  try {
    if (typeof value !== 'string' || value === '') throw new Error('it is no text')
    pattern = new RegExp(value, 'u')
  } catch (thrown) {
    return `extract takes a regular expression, such as "(\\\\d+) kg": ${(thrown as Error).message}`
  }
  const last = (new RegExp(`${pattern.source}|`, 'u').exec('')?.length ?? 1) - 1
  const number = group === undefined ? Math.min(1, last) : Number(group)
  if (!Number.isInteger(number) || number < 0 || number > last)
    return `group is ${JSON.stringify(group)}, and the expression has the groups 0 to ${last} (0 is all of it)`
  return {
    ...{ kind: 'text', name: 'extract', takesNumbers: true },
    apply: (text: string) => pattern.exec(text)?.[number],
  }
}

function units(value: unknown): Step | string {
  const [from, to] = Array.isArray(value) ? (value as unknown[]).map(String) : []
  const convert = from !== undefined && to !== undefined ? converter(from, to) : undefined
  if (!convert)
    return `units takes the unit that the cells have and the new one, such as ["km", "mi"], both for the same kind of measure; known are ${UNITS.join(', ')}; for others send {"multiply": 1.5}`
  return { kind: 'number', name: 'units', fitsDates: false, apply: convert }
}
