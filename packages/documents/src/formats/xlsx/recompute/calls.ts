/** A function or an operator with the shape of its arguments, such as `VLOOKUP(s,r,s,0)`. */
export interface Call {
  readonly name: string
  readonly shape: string
}

/** A node of the parser's tree; only the fields used here. */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly raw?: string
  readonly operator?: string
  readonly name?: string
  readonly callee?: Node
  readonly arguments?: readonly (Node | null | undefined)[]
}

/** One value, a range, a list of values that is no range, or an argument that was left out. */
type Shape = 's' | 'r' | 'a' | 'o'

export function callsIn(tree: unknown): Call[] {
  const calls: Call[] = []
  shapeOf(tree as Node, calls)
  return calls
}

function shapeOf(node: Node | null | undefined, calls: Call[]): Shape {
  if (!node) return 'o'
  if (node.type === 'ReferenceIdentifier') return isRange(String(node.value)) ? 'r' : 's'
  if (node.type === 'ArrayExpression') return 'a'
  const given = node.arguments ?? []
  if (node.type === 'UnaryExpression' || node.type === 'BinaryExpression') {
    const shapes = given.map(own => shapeOf(own, calls))
    const isMany = shapes.some(shape => shape === 'r' || shape === 'a')
    const spread = shapes.map(shape => (shape === 'r' ? 'a' : shape))
    calls.push({ name: node.operator ?? '', shape: spread.join(',') })
    return isMany ? 'a' : 's'
  }
  if (node.type !== 'CallExpression') return 's'
  const name = String(node.callee?.name ?? '').toUpperCase()
  const shapes = given.map((own, index) => {
    const shape = shapeOf(own, calls)
    return MODES[name]?.includes(index) ? (literalOf(own) ?? shape) : shape
  })
  calls.push({ name, shape: normal(name, shapes).join(',') })
  return givesMany(name, shapes) ? 'a' : 's'
}

function isRange(text: string): boolean {
  const [from, to] = text.slice(text.lastIndexOf('!') + 1).split(':')
  return to !== undefined && from !== to
}

function literalOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') return String(node.raw ?? node.value).toUpperCase()
  const [own] =
    node?.type === 'UnaryExpression' && node.operator === '-' ? (node.arguments ?? []) : []
  return own?.type === 'Literal' ? `-${own.raw ?? own.value}` : undefined
}

/** Functions take lists elementwise; those that reduce a list to one value say so. */
function givesMany(name: string, shapes: readonly string[]): boolean {
  if (REDUCING.has(name)) return false
  const places = RANGE_ARGUMENTS[name]
  return shapes.some((shape, index) => {
    if (shape !== 'a' && shape !== 'r') return false
    return places === undefined || !(places.includes(index) || places.includes(-1))
  })
}

/** Of a function that takes any number of arguments, how often a kind of argument is repeated does not matter. */
function normal(name: string, shapes: readonly string[]): string[] {
  if (VARIADIC.has(name)) return [...new Set(shapes)].sort()
  const group = GROUPS[name]
  if (!group) return [...shapes]
  const head = shapes.slice(0, group.from)
  const groups = new Set<string>()
  let rest: string[] = []
  for (let at = group.from; at < shapes.length; at += group.size) {
    const own = shapes.slice(at, at + group.size)
    if (own.length < group.size) rest = own
    else groups.add(own.join(','))
  }
  return [...head, ...[...groups].sort(), ...rest]
}

const words = (text: string) => new Set(text.split(' '))

/** Every argument means the same. */
export const VARIADIC = words(
  'SUM PRODUCT AVERAGE AVERAGEA COUNT COUNTA MAX MAXA MIN MINA AND OR XOR CONCATENATE CONCAT MEDIAN STDEV STDEV.S STDEVP STDEV.P STDEVA STDEVPA VAR VAR.S VARP VAR.P VARA VARPA SUMSQ GCD LCM GEOMEAN HARMEAN MODE MODE.SNGL DEVSQ AVEDEV SKEW SKEW.P KURT SUMPRODUCT MULTINOMIAL',
)

/** Arguments that repeat in groups after the first ones. */
const GROUPS: Readonly<Record<string, { readonly from: number; readonly size: number }>> = {
  SUMIFS: { from: 1, size: 2 },
  AVERAGEIFS: { from: 1, size: 2 },
  MAXIFS: { from: 1, size: 2 },
  MINIFS: { from: 1, size: 2 },
  COUNTIFS: { from: 0, size: 2 },
  IFS: { from: 0, size: 2 },
  SWITCH: { from: 1, size: 2 },
  CHOOSE: { from: 1, size: 1 },
  TEXTJOIN: { from: 2, size: 1 },
  SUBTOTAL: { from: 1, size: 1 },
  NPV: { from: 1, size: 1 },
}

/** These give one value for any list. */
const REDUCING = new Set([
  ...VARIADIC,
  ...'SUMIFS AVERAGEIFS MAXIFS MINIFS COUNTIFS TEXTJOIN SUBTOTAL NPV IRR XIRR XNPV ROWS COLUMNS COUNTBLANK CORREL PEARSON COVAR COVARIANCE.P COVARIANCE.S SLOPE INTERCEPT RSQ STEYX FORECAST FORECAST.LINEAR LARGE SMALL PERCENTILE PERCENTILE.INC PERCENTILE.EXC QUARTILE QUARTILE.INC QUARTILE.EXC RANK RANK.EQ RANK.AVG PERCENTRANK PERCENTRANK.INC TRIMMEAN SUMX2MY2 SUMX2PY2 SUMXMY2 MDETERM ISREF MIRR SERIESSUM DSUM DAVERAGE DCOUNT DCOUNTA DGET DMAX DMIN DPRODUCT AGGREGATE NETWORKDAYS WORKDAY'.split(
    ' ',
  ),
])

/** The arguments that are ranges by nature; -1: all. */
const RANGE_ARGUMENTS: Readonly<Record<string, readonly number[]>> = {
  SUMIF: [0, 2],
  COUNTIF: [0],
  AVERAGEIF: [0, 2],
  VLOOKUP: [1],
  HLOOKUP: [1],
  MATCH: [1],
  XMATCH: [1],
  XLOOKUP: [1, 2],
  LOOKUP: [1, 2],
  INDEX: [0],
  ROW: [],
  COLUMN: [],
}

/** Arguments that choose what a function does: their value is part of the shape. */
const MODES: Readonly<Record<string, readonly number[]>> = {
  MATCH: [2],
  XMATCH: [2, 3],
  VLOOKUP: [3],
  HLOOKUP: [3],
  XLOOKUP: [4, 5],
  SUBTOTAL: [0],
  AGGREGATE: [0, 1],
  WEEKDAY: [1],
  WEEKNUM: [1],
  'NETWORKDAYS.INTL': [2],
  'WORKDAY.INTL': [2],
  RANK: [2],
  'RANK.EQ': [2],
  'RANK.AVG': [2],
  YEARFRAC: [2],
  DAYS360: [2],
  DATEDIF: [2],
  TEXT: [1],
  CONVERT: [1, 2],
  TEXTJOIN: [1],
  FIXED: [2],
  ADDRESS: [2, 3],
  'NORM.DIST': [3],
  NORMDIST: [3],
  'NORM.S.DIST': [1],
  'BINOM.DIST': [3],
  BINOMDIST: [3],
  'POISSON.DIST': [2],
  POISSON: [2],
  'EXPON.DIST': [2],
  'T.DIST': [2],
  'F.DIST': [3],
  'CHISQ.DIST': [2],
  PMT: [4],
  PV: [4],
  FV: [4],
  IPMT: [5],
  PPMT: [5],
  NPER: [4],
  CUMIPMT: [5],
  CUMPRINC: [5],
  'CEILING.MATH': [2],
  'FLOOR.MATH': [2],
}
