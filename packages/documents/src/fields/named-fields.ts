import { z } from 'zod'

/** Fields by their names, each with its kind and its words. */
export type NamedFields = Readonly<Record<string, z.ZodType>>

export type OptionalFields<Own extends NamedFields> = {
  readonly [Name in keyof Own]: z.ZodOptional<Own[Name]>
}

/** The same fields, none of them needed. */
export function optional<const Own extends NamedFields>(fields: Own): OptionalFields<Own> {
  const made = Object.entries(fields).map(([name, field]) => [name, field.optional()])
  return Object.fromEntries(made) as OptionalFields<Own>
}

export function isRequired(field: z.ZodType): boolean {
  return !field.isOptional()
}

/** The field without what says that it may be absent. */
export function bare(field: z.ZodType): z.ZodType {
  const isWrapped =
    field instanceof z.ZodOptional ||
    field instanceof z.ZodDefault ||
    field instanceof z.ZodNullable
  if (field instanceof z.ZodPipe) return bare(field.out as z.ZodType)
  return isWrapped ? bare(field.unwrap() as z.ZodType) : field
}

/** Its words, wherever they were said. */
export function wordsOf(field: z.ZodType): string {
  return field.description ?? bare(field).description ?? ''
}

/**
 * A line for each field: `hidden? true or false (true unless given): false shows the slide`. What lists and objects
 * hold follows them: `cells[].value`.
 */
export function fieldLines(fields: NamedFields, prefix = ''): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const usual =
      field instanceof z.ZodDefault
        ? ` (${JSON.stringify(field.def.defaultValue)} unless given)`
        : ''
    const words = wordsOf(field)
    const own = `${prefix}${name}${isRequired(field) ? '' : '?'} ${kindOf(field)}${usual}${words && `: ${words}`}`
    return [own, ...innerLines(field, `${prefix}${name}`)]
  })
}

function innerLines(field: z.ZodType, place: string): readonly string[] {
  const own = bare(field)
  if (own instanceof z.ZodObject) return fieldLines(own.shape as NamedFields, `${place}.`)
  if (own instanceof z.ZodArray) return innerLines(own.element as z.ZodType, `${place}[]`)
  if (!(own instanceof z.ZodUnion)) return []
  return (own.options as z.ZodType[]).flatMap(option => innerLines(option, place))
}

/** What a list or an object holds, in brief: `[{row, column, value}]`; nothing for plain values. */
export function shapeIn(field: z.ZodType): string {
  const own = bare(field)
  const shape = own instanceof z.ZodUnion ? '' : shapeOf(own)
  const isChoice = own instanceof z.ZodArray && own.element instanceof z.ZodEnum
  return isChoice || shape.includes('{') ? shape : ''
}

const MOST_KEYS = 6

function shapeOf(field: z.ZodType): string {
  const own = bare(field)
  if (own instanceof z.ZodArray) return `[${shapeOf(own.element as z.ZodType)}]`
  if (own instanceof z.ZodEnum) return own.options.join(', ')
  if (own instanceof z.ZodUnion) return (own.options as z.ZodType[]).map(shapeOf).join(' | ')
  if (own instanceof z.ZodRecord) return '{name: value}'
  if (own instanceof z.ZodString) return 'text'
  if (own instanceof z.ZodNumber) return 'number'
  if (own instanceof z.ZodBoolean) return 'true | false'
  if (!(own instanceof z.ZodObject)) return ''
  const names = Object.entries(own.shape).map(
    ([name, inner]) => `${name}${isRequired(inner as z.ZodType) ? '' : '?'}`,
  )
  const areAllOptional = names.every(name => name.endsWith('?'))
  const shown = areAllOptional ? names.map(name => name.slice(0, -1)) : names
  return `{${shown.slice(0, MOST_KEYS).join(', ')}${names.length > MOST_KEYS ? ', …' : ''}}`
}

/** What a field may be, in words: "a whole number from 1", "a list of texts or {text, level?}". */
export function kindOf(field: z.ZodType): string {
  if (field instanceof z.ZodNullable) return `${kindOf(bare(field))} or null`
  const own = bare(field)
  if (own instanceof z.ZodArray)
    return `a list of ${lengthWords(own)}${many(own.element as z.ZodType)}`
  if (own instanceof z.ZodUnion) return joined((own.options as z.ZodType[]).map(kindOf))
  if (own instanceof z.ZodEnum) return joined(own.options.map(option => JSON.stringify(option)))
  if (own instanceof z.ZodLiteral)
    return joined([...own.values].map(value => JSON.stringify(value)))
  if (own instanceof z.ZodNumber) return `a ${numberWords(own)}`
  if (own instanceof z.ZodString) return own.minLength ? 'a text that is not empty' : 'a text'
  if (own instanceof z.ZodBoolean) return 'true or false'
  if (own instanceof z.ZodNull) return 'null'
  return shapeOf(own) || 'any value'
}

function lengthWords({ def }: z.ZodArray): string {
  const bounds = (def.checks ?? []).map(
    ({ _zod }) => _zod.def as { minimum?: number; maximum?: number },
  )
  const least = bounds.find(({ minimum }) => minimum !== undefined)?.minimum
  const most = bounds.find(({ maximum }) => maximum !== undefined)?.maximum
  if (most !== undefined) return `${least ?? 0} to ${most} `
  return least === 1 ? 'one or more ' : ''
}

function many(element: z.ZodType): string {
  if (element instanceof z.ZodNullable) return `${many(bare(element))} or null`
  const own = bare(element)
  if (own instanceof z.ZodUnion) return joined((own.options as z.ZodType[]).map(many))
  if (own instanceof z.ZodNumber) return numberWords(own).replace('number', 'numbers')
  if (own instanceof z.ZodString) return 'texts'
  return own instanceof z.ZodArray ? `lists of ${many(own.element as z.ZodType)}` : kindOf(own)
}

function joined(words: readonly string[]): string {
  const all = [...new Set(words)]
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}

function numberWords({ isInt, minValue, maxValue, def }: z.ZodNumber): string {
  const least = minValue !== null && minValue > Number.MIN_SAFE_INTEGER ? minValue : undefined
  const most = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER ? maxValue : undefined
  const isMore = def.checks?.some(
    ({ _zod: { def: own } }) =>
      own.check === 'greater_than' && !(own as { inclusive?: boolean }).inclusive,
  )
  const from = least === undefined ? '' : isMore ? ` of more than ${least}` : ` from ${least}`
  const to = most === undefined ? '' : ` ${from === '' || isMore ? 'up to' : 'to'} ${most}`
  return `${isInt ? 'whole number' : 'number'}${from}${to}`
}
