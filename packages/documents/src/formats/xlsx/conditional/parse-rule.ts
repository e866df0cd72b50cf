import { type Fields, isFields } from '@filewright/protocol'
import { encodeAttribute, encodeText } from '../../../opc/index.ts'
import { colorAttributes, type Palette, parseColor } from '../looks/color.ts'
import { fixedColor } from '../looks/fixed-colors.ts'
import { UnknownLook } from '../looks/unknown-look.ts'
import { whyNotRuleFormula } from './rule-formula.ts'
import { OPERATORS, TEXT_WORDS } from './rule-words.ts'

/** A rule as it is written: its attributes, and what is inside. */
export interface RuleXml {
  readonly attributes: Readonly<Record<string, string>>
  readonly inner: string
  /** It says itself how cells look, so it takes no style. */
  readonly isScale: boolean
}

type RuleReader = (rule: Fields, at: RulePlace) => RuleXml

export interface RulePlace {
  /** The first cell of the range, which formulas of text rules name. */
  readonly first: string
  readonly prefix: string
  /** Where theme colours have to be written as fixed ones. */
  readonly palette?: Palette | undefined
}

/** What `conditional_format` takes as `rule`. Throws `UnknownLook`. */
export function parseRule(given: unknown, at: RulePlace): RuleXml {
  const rule = isFields(given) ? given : undefined
  const kind = rule && Object.keys(READERS).find(key => rule[key] !== undefined)
  if (!rule || !kind) throw new UnknownLook(`rule is one of ${EXAMPLES.join(', ')}`)
  const strange = Object.keys(rule).filter(key => key !== kind && !EXTRAS[kind]?.includes(key))
  if (strange.length > 0)
    throw new UnknownLook(
      `a rule with ${kind} has no ${strange.join(', ')}${EXTRAS[kind] ? `; it may have ${EXTRAS[kind].join(', ')}` : ''}`,
    )
  return READERS[kind]!(rule, at)
}

const EXAMPLES = [
  ...['{"cell": ">", "value": 5}', '{"between": [1, 5]}', '{"formula": "=$C2>5"}', '{"top": 10}'],
  ...['{"bottom": 10, "percent": true}', '{"average": "above"}', '{"duplicates": true}'],
  ...['{"contains": "late"}', '{"begins_with": "A"}', '{"blank": true}', '{"error": true}'],
  ...['{"period": "last7Days"}', '{"scale": ["F8696B", "FFEB84", "63BE7B"]}', '{"bar": "638EC6"}'],
  '{"icons": "3Arrows"}',
]

const EXTRAS: Readonly<Record<string, readonly string[]>> = {
  cell: ['value'],
  top: ['percent'],
  bottom: ['percent'],
  average: ['deviations'],
  bar: ['min', 'max', 'show_value'],
  icons: ['at', 'reverse', 'show_value'],
}

const READERS: Readonly<Record<string, RuleReader>> = {
  cell(rule, { prefix }) {
    const operator = lookUpIn(OPERATORS, rule.cell, 'cell')
    return plain({ type: 'cellIs', operator }, [operand(rule.value, 'value')], prefix)
  },
  between: (rule, { prefix }) =>
    plain({ type: 'cellIs', operator: 'between' }, pair(rule.between, 'between'), prefix),
  not_between: (rule, { prefix }) =>
    plain(
      { type: 'cellIs', operator: 'notBetween' },
      pair(rule.not_between, 'not_between'),
      prefix,
    ),
  formula(rule, { prefix }) {
    const text = String(rule.formula).replace(/^=/, '')
    return plain({ type: 'expression' }, [checked(text)], prefix)
  },
  top: rule => ranked(rule.top, rule, {}),
  bottom: rule => ranked(rule.bottom, rule, { bottom: '1' }),
  average(rule) {
    const [, way, equal] = /^(above|below)( or equal)?$/.exec(String(rule.average)) ?? []
    if (!way)
      throw new UnknownLook('average is "above", "below", "above or equal" or "below or equal"')
    const deviations =
      rule.deviations === undefined ? undefined : integer(rule.deviations, 'deviations', 0, 3)
    return bare({
      type: 'aboveAverage',
      ...(way === 'below' && { aboveAverage: '0' }),
      ...(equal && { equalAverage: '1' }),
      ...(deviations !== undefined && { stdDev: String(deviations) }),
    })
  },
  duplicates: rule =>
    bare({ type: rule.duplicates === false ? 'uniqueValues' : 'duplicateValues' }),
  blank: (rule, { first, prefix }) =>
    rule.blank === false
      ? plain({ type: 'notContainsBlanks' }, [`LEN(TRIM(${first}))>0`], prefix)
      : plain({ type: 'containsBlanks' }, [`LEN(TRIM(${first}))=0`], prefix),
  error: (rule, { first, prefix }) =>
    rule.error === false
      ? plain({ type: 'notContainsErrors' }, [`NOT(ISERROR(${first}))`], prefix)
      : plain({ type: 'containsErrors' }, [`ISERROR(${first})`], prefix),
  period(rule, { first, prefix }) {
    const period = String(rule.period)
    const formula = Object.hasOwn(PERIODS, period) ? PERIODS[period] : undefined
    if (!formula) throw new UnknownLook(`period is one of ${Object.keys(PERIODS).join(', ')}`)
    const formulas = [formula.replaceAll('#', first)]
    return plain({ type: 'timePeriod', timePeriod: period }, formulas, prefix)
  },
  scale: scaleRule,
  bar: barRule,
  icons: iconRule,
  ...Object.fromEntries(
    Object.entries(TEXT_WORDS).map(([type, word]) => [
      word,
      (rule: Fields, at: RulePlace) => textRule(type, String(rule[word]), at),
    ]),
  ),
}

const TEXT_FORMULAS: Readonly<Record<string, (text: string, cell: string) => string>> = {
  containsText: (text, cell) => `NOT(ISERROR(SEARCH(${text},${cell})))`,
  notContainsText: (text, cell) => `ISERROR(SEARCH(${text},${cell}))`,
  beginsWith: (text, cell) => `LEFT(${cell},LEN(${text}))=${text}`,
  endsWith: (text, cell) => `RIGHT(${cell},LEN(${text}))=${text}`,
}

function textRule(type: string, text: string, { first, prefix }: RulePlace): RuleXml {
  if (text === '' || text.length > 255)
    throw new UnknownLook('the text of a rule has 1 to 255 characters')
  const operator = type === 'notContainsText' ? 'notContains' : type
  const quoted = `"${text.replaceAll('"', '""')}"`
  return plain({ type, operator, text }, [TEXT_FORMULAS[type]!(quoted, first)], prefix)
}

const PERIODS: Readonly<Record<string, string>> = {
  today: 'FLOOR(#,1)=TODAY()',
  yesterday: 'FLOOR(#,1)=TODAY()-1',
  tomorrow: 'FLOOR(#,1)=TODAY()+1',
  last7Days: 'AND(TODAY()-FLOOR(#,1)<=6,FLOOR(#,1)<=TODAY())',
  lastWeek:
    'AND(TODAY()-ROUNDDOWN(#,0)>=(WEEKDAY(TODAY())),TODAY()-ROUNDDOWN(#,0)<(WEEKDAY(TODAY())+7))',
  thisWeek:
    'AND(TODAY()-ROUNDDOWN(#,0)<=WEEKDAY(TODAY())-1,ROUNDDOWN(#,0)-TODAY()<=7-WEEKDAY(TODAY()))',
  nextWeek:
    'AND(ROUNDDOWN(#,0)-TODAY()>(7-WEEKDAY(TODAY())),ROUNDDOWN(#,0)-TODAY()<(15-WEEKDAY(TODAY())))',
  lastMonth: 'AND(MONTH(#)=MONTH(EDATE(TODAY(),0-1)),YEAR(#)=YEAR(EDATE(TODAY(),0-1)))',
  thisMonth: 'AND(MONTH(#)=MONTH(TODAY()),YEAR(#)=YEAR(TODAY()))',
  nextMonth: 'AND(MONTH(#)=MONTH(EDATE(TODAY(),0+1)),YEAR(#)=YEAR(EDATE(TODAY(),0+1)))',
}

function bare(attributes: RuleXml['attributes']): RuleXml {
  return { attributes, inner: '', isScale: false }
}

function plain(
  attributes: RuleXml['attributes'],
  formulas: readonly string[],
  prefix: string,
): RuleXml {
  const inner = formulas.map(text => `<${prefix}formula>${encodeText(text)}</${prefix}formula>`)
  return { attributes, inner: inner.join(''), isScale: false }
}

function ranked(
  value: unknown,
  { percent }: Fields,
  more: Readonly<Record<string, string>>,
): RuleXml {
  const most = percent === true ? 100 : 1000
  const rank = String(integer(value, 'top or bottom', 1, most))
  return bare({ type: 'top10', ...more, ...(percent === true && { percent: '1' }), rank })
}

function integer(value: unknown, name: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most)
    return value
  throw new UnknownLook(`${name} is a whole number from ${least} to ${most}`)
}

function lookUpIn(words: Readonly<Record<string, string>>, value: unknown, name: string): string {
  const found = Object.hasOwn(words, String(value)) ? words[String(value)] : undefined
  if (found) return found
  throw new UnknownLook(`${name} is one of ${Object.keys(words).join(' ')}`)
}

function pair(value: unknown, name: string): string[] {
  if (Array.isArray(value) && value.length === 2) return value.map(own => operand(own, name))
  throw new UnknownLook(`${name} is a list of two values, such as [1, 5]`)
}

/** A number, a text, or a formula that starts with `=`. */
function operand(value: unknown, name: string): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value !== 'string')
    throw new UnknownLook(`${name} is a number, a text or a formula such as "=$B$1"`)
  return value.startsWith('=') ? checked(value.slice(1)) : `"${value.replaceAll('"', '""')}"`
}

function checked(formula: string): string {
  const why = whyNotRuleFormula(formula)
  if (why) throw new UnknownLook(`the formula ${JSON.stringify(`=${formula}`)} ${why}`)
  return formula
}

/** `5`, `"min"`, `"33%"`, `"percentile 50"`, `"=B1"`. */
function threshold(value: unknown, prefix: string): string {
  const cfvo = (type: string, val?: string) =>
    `<${prefix}cfvo type="${type}"${val === undefined ? '' : ` val="${encodeAttribute(val)}"`}/>`
  if (typeof value === 'number' && Number.isFinite(value)) return cfvo('num', String(value))
  const text = String(value).trim()
  if (text === 'min' || text === 'max') return cfvo(text)
  const percent = /^(-?[\d.]+)%$/.exec(text)
  if (percent) return cfvo('percent', percent[1])
  const percentile = /^percentile ([\d.]+)$/.exec(text)
  if (percentile) return cfvo('percentile', percentile[1])
  if (text.startsWith('=')) return cfvo('formula', checked(text.slice(1)))
  throw new UnknownLook(
    `a limit is a number, "min", "max", "33%", "percentile 50" or a formula, not ${JSON.stringify(value)}`,
  )
}

function colorXml(value: unknown, { prefix, palette }: RulePlace): string {
  const given = typeof value === 'string' ? parseColor(value) : undefined
  const color = given && palette ? fixedColor(given, palette) : given
  if (!color) throw new UnknownLook(`${JSON.stringify(value)} is no colour such as "63BE7B"`)
  return `<${prefix}color${colorAttributes(color)}/>`
}

function scaleRule({ scale }: Fields, at: RulePlace): RuleXml {
  const { prefix } = at
  const given = Array.isArray(scale) ? scale : []
  if (given.length < 2 || given.length > 3)
    throw new UnknownLook('scale is a list of two or three colours, or of {at, color}')
  const ways = given.length === 2 ? ['min', 'max'] : ['min', 'percentile 50', 'max']
  const stops = given.map((own, index) => (isFields(own) ? own : { at: ways[index], color: own }))
  const inner = [
    ...stops.map(own => threshold(own.at, prefix)),
    ...stops.map(({ color }) => colorXml(color, at)),
  ].join('')
  return scaled('colorScale', `<${prefix}colorScale>${inner}</${prefix}colorScale>`)
}

function barRule(rule: Fields, at: RulePlace): RuleXml {
  const { prefix } = at
  const limits = [rule.min ?? 'min', rule.max ?? 'max'].map(own => threshold(own, prefix))
  const hides = rule.show_value === false ? ' showValue="0"' : ''
  const color = colorXml(rule.bar === true ? '638EC6' : rule.bar, at)
  return scaled(
    'dataBar',
    `<${prefix}dataBar${hides}>${limits.join('')}${color}</${prefix}dataBar>`,
  )
}

const ICON_SETS = [
  ...['3Arrows', '3ArrowsGray', '3Flags', '3TrafficLights1', '3TrafficLights2', '3Signs'],
  ...['3Symbols', '3Symbols2', '4Arrows', '4ArrowsGray', '4RedToBlack', '4Rating'],
  ...['4TrafficLights', '5Arrows', '5ArrowsGray', '5Rating', '5Quarters'],
]

function iconRule(rule: Fields, { prefix }: RulePlace): RuleXml {
  const set = ICON_SETS.find(own => own.toLowerCase() === String(rule.icons).toLowerCase())
  if (!set) throw new UnknownLook(`icons is one of ${ICON_SETS.join(', ')}`)
  const count = Number(set[0])
  const even = Array.from({ length: count }, (_, index) => `${Math.round((index * 100) / count)}%`)
  const at = rule.at === undefined ? even : rule.at
  if (!Array.isArray(at) || at.length !== count)
    throw new UnknownLook(
      `at is a list of ${count} limits for ${set}, such as ${JSON.stringify(even)}`,
    )
  const flags = `${rule.reverse === true ? ' reverse="1"' : ''}${rule.show_value === false ? ' showValue="0"' : ''}`
  const limits = at.map(own => threshold(own, prefix)).join('')
  return scaled(
    'iconSet',
    `<${prefix}iconSet iconSet="${set}"${flags}>${limits}</${prefix}iconSet>`,
  )
}

function scaled(type: string, inner: string): RuleXml {
  return { attributes: { type }, inner, isScale: true }
}
