/** A node of the parser's tree; only the fields used here. */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly kind?: string
  readonly operator?: string
  readonly name?: string
  readonly callee?: Node
  readonly arguments?: readonly (Node | undefined)[]
  readonly declarations?: readonly { readonly id: Node; readonly init: Node }[]
  readonly body?: Node
}

/** How many values a part of a formula gives. Whole rows and columns are distinguished: nobody means to fill one. */
const ONE = 0
const MANY = 1
const WHOLE = 2
/** From `{1,2,3}`, over which any formula computes. */
const LISTED = 3
type Count = typeof ONE | typeof MANY | typeof WHOLE | typeof LISTED

/**
 * How a formula must be stored so that Excel computes it as if a person had typed it: `many` fills the cells next to
 * it, `one` computes over ranges and gives one value, such as `SUM((A1:A9="x")*B1:B9)`. Stored as a plain formula,
 * Excel would take one cell of each such range. Undefined when a plain formula is right.
 */
export function arrayNeed(tree: unknown): 'one' | 'many' | undefined {
  const walk = new Walk()
  const count = walk.count(tree as Node)
  if (count === WHOLE) return undefined
  if (count !== ONE) return 'many'
  return walk.liftsRanges ? 'one' : undefined
}

class Walk {
  /** A function that takes single values is given a range. */
  liftsRanges = false
  #isNative = false
  #variables: ReadonlyMap<string, Count> = new Map()

  count(node: Node | undefined): Count {
    if (!node) return ONE
    if (node.type === 'ReferenceIdentifier') return this.#ofReference(node)
    if (node.type === 'UnaryExpression') return this.#ofUnary(node)
    if (node.type === 'BinaryExpression') return this.#ofBinary(node)
    if (node.type === 'CallExpression') return this.#ofCall(node)
    if (node.type === 'LetExpression') return this.#ofLet(node)
    return node.type === 'ArrayExpression' ? LISTED : ONE
  }

  #ofReference({ value, kind }: Node): Count {
    const text = String(value)
    if (kind === 'name') return this.#variables.get(text.toLowerCase()) ?? ONE
    if (kind === 'beam') return WHOLE
    if (kind === 'table') return /[[\s,]#(?:This Row|Headers|Totals)|\[@/i.test(text) ? ONE : MANY
    const [from, to] = text.slice(text.lastIndexOf('!') + 1).split(':')
    if (to === undefined || from === to) return ONE
    return /\d/.test(from!) && /\d/.test(to) ? MANY : WHOLE
  }

  #ofUnary({ operator, arguments: [only] = [] }: Node): Count {
    const count = this.count(only)
    if (operator === '@') return ONE
    if (operator === '#') return this.#dynamic()
    return this.#lifted([count])
  }

  #ofBinary({ operator, arguments: operands = [] }: Node): Count {
    const counts = operands.map(own => this.count(own))
    if (operator === ':') return MANY
    return operator === ',' || operator === ' ' ? ONE : this.#lifted(counts)
  }

  #ofCall({ callee, arguments: given = [] }: Node): Count {
    const name = String(callee?.name ?? '')
      .replace(/^_xlfn\.(_xlws\.)?/i, '')
      .toUpperCase()
    if (NATIVE.has(name)) {
      const before = this.#isNative
      this.#isNative = true
      for (const own of given) this.count(own)
      this.#isNative = before
      return name === 'MMULT' || name === 'MINVERSE' ? MANY : ONE
    }
    const counts = given.map(own => this.count(own))
    if (callee?.type === 'LambdaExpression') return this.count(callee.body)
    if (DYNAMIC.has(name)) return this.#dynamic()
    if (FILLING.has(name)) return MANY
    if (name === 'TREND' || name === 'GROWTH') return given[2] ? counts[2]! : MANY // one value for each new x
    if (CHOOSING.has(name)) {
      const many = counts.find(count => count !== ONE && count !== LISTED)
      if (many !== undefined) this.liftsRanges = true
      return many ?? (counts.includes(LISTED) ? LISTED : ONE)
    }
    if (name === 'XLOOKUP' && isBlock(given[2])) return MANY
    return this.#lifted(counts.filter((_, index) => takesOne(name, index)))
  }

  /** Excel stores a formula that calls one of these as an array, also where another function takes its values. */
  #dynamic(): Count {
    this.liftsRanges = true
    return MANY
  }

  #ofLet({ declarations = [], body }: Node): Count {
    const before = this.#variables
    for (const { id, init } of declarations) {
      const count = this.count(init)
      this.#variables = new Map([...this.#variables, [String(id.name).toLowerCase(), count]])
    }
    const count = this.count(body)
    this.#variables = before
    return count
  }

  #lifted(counts: readonly Count[]): Count {
    const many = counts.filter(count => count !== ONE)
    if (many.length === 0) return ONE
    if (many.every(count => count === LISTED)) return LISTED
    if (!this.#isNative) this.liftsRanges = true
    return many.includes(MANY) ? MANY : WHOLE
  }
}

/** A range of several rows and columns: looking up a row in it gives several values. */
function isBlock(node: Node | undefined): boolean {
  if (node?.type !== 'ReferenceIdentifier' || node.kind === 'table') return false
  const text = String(node.value)
  const [from, to] = text
    .slice(text.lastIndexOf('!') + 1)
    .replaceAll('$', '')
    .split(':')
  const match = [from, to].map(corner => /^([A-Z]*)(\d*)$/i.exec(corner ?? ''))
  const [first, last] = match
  return !!first && !!last && first[1] !== last[1] && (first[2] !== last[2] || first[2] === '')
}

/** Whether that argument of the function is always a single value. */
function takesOne(name: string, index: number): boolean {
  if (SCALAR.has(name)) return true
  const places = SINGLE_ARGUMENTS[name]
  if (places === undefined) return false
  return places.includes(index) || (places.includes(-1) && index % 2 === 0 && index > 0)
}

const words = (text: string) => new Set(text.split(' '))

/** These compute over ranges in any formula. */
const NATIVE = words('SUMPRODUCT LOOKUP MMULT MDETERM MINVERSE')

/** These fill cells when outermost. */
const FILLING = words('FREQUENCY LINEST LOGEST MODE.MULT MUNIT TRANSPOSE')

/** Those that came with formulas that fill cells. */
const DYNAMIC = words(
  'ANCHORARRAY BYCOL BYROW CHOOSECOLS CHOOSEROWS DROP EXPAND FILTER GROUPBY HSTACK MAKEARRAY MAP PIVOTBY RANDARRAY SCAN SEQUENCE SORT SORTBY TAKE TEXTSPLIT TOCOL TOROW TRIMRANGE UNIQUE VSTACK WRAPCOLS WRAPROWS',
)

/** These return what they choose, and choose once per value only in an array formula. */
const CHOOSING = words('IF IFERROR IFNA IFS SWITCH CHOOSE')

const SCALAR = words(
  'ABS ACOS ASIN ATAN ATAN2 CEILING CEILING.MATH CHAR CLEAN CODE COS DATE DATEVALUE DAY DEGREES EDATE EOMONTH EVEN EXACT EXP FACT FIND FIXED FLOOR FLOOR.MATH HOUR INT ISBLANK ISERR ISERROR ISEVEN ISLOGICAL ISNA ISNONTEXT ISNUMBER ISODD ISOWEEKNUM ISTEXT LEFT LEN LN LOG LOG10 LOWER MID MINUTE MOD MONTH MROUND N NOT NUMBERVALUE ODD PI POWER PROPER QUOTIENT RADIANS REPLACE REPT RIGHT ROUND ROUNDDOWN ROUNDUP SEARCH SECOND SIGN SIN SQRT SUBSTITUTE T TAN TEXT TEXTAFTER TEXTBEFORE TIME TIMEVALUE TRIM TRUNC UNICHAR UNICODE UPPER VALUE WEEKDAY WEEKNUM YEAR YEARFRAC',
)

/** The positions of criteria and lookup values; -1 for the second of each pair after the first argument. */
const SINGLE_ARGUMENTS: Readonly<Record<string, readonly number[]>> = {
  AVERAGEIF: [1],
  AVERAGEIFS: [-1],
  COUNTIF: [1],
  COUNTIFS: [1, 3, 5, 7, 9, 11],
  HLOOKUP: [0, 2, 3],
  INDEX: [1, 2],
  LARGE: [1],
  MATCH: [0],
  MAXIFS: [-1],
  MINIFS: [-1],
  SMALL: [1],
  SUMIF: [1],
  SUMIFS: [-1],
  VLOOKUP: [0, 2, 3],
  XLOOKUP: [0],
  XMATCH: [0],
}
