import { parse, tokenize } from '@borgar/fx/xlsx'
import type { Box } from '@filewright/protocol'
import { parseBox } from '../cell/address.ts'

/** What a formula of a conditional format may read. */
export interface FormulaCells {
  readonly row: number
  readonly column: number
  /** Undefined: not this sheet, or not known. */
  valueAt(sheet: string | undefined, row: number, column: number): SmallValue | undefined
  /** The cells of an area that hold something. */
  valuesIn(sheet: string | undefined, box: Box): readonly SmallValue[] | undefined
}

export type SmallValue = number | string | boolean | null | { readonly error: string }

interface Node {
  readonly type: string
  readonly value?: unknown
  readonly operator?: string
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly (Node | null | undefined)[]
}

class Unknown extends Error {}

/**
 * The result of a simple formula: comparisons, sums, texts and the functions that rules use most. Undefined for any other,
 * which is then not drawn.
 */
export function evaluateSmall(formula: string, cells: FormulaCells): SmallValue | undefined {
  try {
    const tree = parse(tokenize(formula.replace(/^=/, ''), { mergeRefs: true })) as unknown as Node
    return new Small(cells).value(tree)
  } catch {
    return undefined // a formula that cannot be read, or says more than is known here
  }
}

class Small {
  readonly #cells: FormulaCells

  constructor(cells: FormulaCells) {
    this.#cells = cells
  }

  value(node: Node | null | undefined): SmallValue {
    if (!node) throw new Unknown()
    if (node.type === 'Literal') return literal(node.value)
    if (node.type === 'ReferenceIdentifier') return this.#reference(node)
    if (node.type === 'UnaryExpression') return this.#unary(node)
    if (node.type === 'BinaryExpression') return this.#binary(node)
    if (node.type === 'CallExpression') return this.#call(node)
    throw new Unknown()
  }

  #area(node: Node | null | undefined): { sheet: string | undefined; box: Box } {
    if (node?.type !== 'ReferenceIdentifier') throw new Unknown()
    const [, sheet, address] = /^(?:'?([^'[\]]+)'?!)?([$A-Z0-9:]+)$/i.exec(String(node.value)) ?? []
    const box = parseBox((address ?? '').replaceAll('$', ''))
    if (!box) throw new Unknown()
    return { sheet, box }
  }

  #reference(node: Node): SmallValue {
    const { sheet, box } = this.#area(node)
    if (box.top !== box.bottom || box.left !== box.right) throw new Unknown()
    const value = this.#cells.valueAt(sheet, box.top, box.left)
    if (value === undefined) throw new Unknown()
    return value
  }

  #values(node: Node | null | undefined): readonly SmallValue[] {
    if (node?.type !== 'ReferenceIdentifier') return [this.value(node)]
    const { sheet, box } = this.#area(node)
    const values = this.#cells.valuesIn(sheet, box)
    if (!values) throw new Unknown()
    return values
  }

  #unary(node: Node): SmallValue {
    const value = toNumber(this.value(node.arguments?.[0]))
    if (node.operator === '-') return -value
    if (node.operator === '+') return value
    if (node.operator === '%') return value / 100
    throw new Unknown()
  }

  #binary(node: Node): SmallValue {
    const [left, right] = [this.value(node.arguments?.[0]), this.value(node.arguments?.[1])]
    const compared = COMPARISONS[node.operator ?? '']
    if (compared) return compared(compareValues(noError(left), noError(right)))
    if (node.operator === '&') return toText(left) + toText(right)
    const computed = ARITHMETIC[node.operator ?? '']
    const value = computed?.(toNumber(left), toNumber(right))
    if (value === undefined || !Number.isFinite(value)) throw new Unknown()
    return value
  }

  #call(node: Node): SmallValue {
    const name = String(node.callee?.name ?? '').toUpperCase()
    const given = node.arguments ?? []
    if (name === 'ROW' || name === 'COLUMN') return this.#position(name, given[0])
    if (name === 'IF') return this.value(toBoolean(this.value(given[0])) ? given[1] : given[2])
    const overAreas = AREA_FUNCTIONS[name]
    if (overAreas) return overAreas(given.map(own => this.#values(own)))
    const own = FUNCTIONS[name]
    if (!own) throw new Unknown()
    return own(...given.map(each => this.value(each)))
  }

  #position(name: 'ROW' | 'COLUMN', given: Node | null | undefined): number {
    const { row, column } = this.#cells
    if (!given) return name === 'ROW' ? row : column
    const { box } = this.#area(given)
    return name === 'ROW' ? box.top : box.left
  }
}

function literal(value: unknown): SmallValue {
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean')
    return value
  throw new Unknown()
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '^': (a, b) => a ** b,
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': order => order === 0,
  '<>': order => order !== 0,
  '<': order => order < 0,
  '>': order => order > 0,
  '<=': order => order <= 0,
  '>=': order => order >= 0,
}

/** Numbers before text before true and false, text without case; an empty cell is like either. */
export function compareValues(a: SmallValue, b: SmallValue): number {
  const left = a === null ? emptyLike(b) : a
  const right = b === null ? emptyLike(a) : b
  const [kindA, kindB] = [kindOf(left), kindOf(right)]
  if (kindA !== kindB) return kindA - kindB
  if (typeof left === 'string' && typeof right === 'string') {
    const [x, y] = [left.toLowerCase(), right.toLowerCase()]
    return x < y ? -1 : x > y ? 1 : 0
  }
  return Number(left) - Number(right)
}

function emptyLike(other: SmallValue): SmallValue {
  return typeof other === 'string' ? '' : typeof other === 'boolean' ? false : 0
}

function kindOf(value: SmallValue): number {
  return typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2
}

function noError(value: SmallValue): SmallValue {
  if (typeof value === 'object' && value !== null) throw new Unknown()
  return value
}

function toNumber(value: SmallValue): number {
  if (typeof value === 'number') return value
  if (value === null) return 0
  if (typeof value === 'boolean') return Number(value)
  throw new Unknown()
}

function toText(value: SmallValue): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw new Unknown()
}

export function toBoolean(value: SmallValue): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  if (value === null) return false
  throw new Unknown()
}

type SmallFunction = (...values: readonly SmallValue[]) => SmallValue

const FUNCTIONS: Readonly<Record<string, SmallFunction>> = {
  NOT: value => !toBoolean(value!),
  MOD: (a, b) => {
    const by = toNumber(b!)
    if (by === 0) throw new Unknown()
    return toNumber(a!) - by * Math.floor(toNumber(a!) / by)
  },
  ABS: value => Math.abs(toNumber(value!)),
  INT: value => Math.floor(toNumber(value!)),
  LEN: value => toText(value!).length,
  LEFT: (text, count = 1) => toText(text!).slice(0, toNumber(count)),
  RIGHT: (text, count = 1) => (toNumber(count) === 0 ? '' : toText(text!).slice(-toNumber(count))),
  UPPER: value => toText(value!).toUpperCase(),
  LOWER: value => toText(value!).toLowerCase(),
  TRIM: value => toText(value!).trim().replace(/ {2,}/g, ' '),
  ISBLANK: value => value === null,
  ISNUMBER: value => typeof value === 'number',
  ISTEXT: value => typeof value === 'string',
  ISERROR: value => typeof value === 'object' && value !== null,
  TRUE: () => true,
  FALSE: () => false,
}

type AreaFunction = (areas: readonly (readonly SmallValue[])[]) => SmallValue

function numbersIn(areas: readonly (readonly SmallValue[])[]): number[] {
  const values = areas.flat()
  for (const value of values) noError(value)
  return values.filter(value => typeof value === 'number')
}

function extreme(
  areas: readonly (readonly SmallValue[])[],
  better: (a: number, b: number) => number,
): number {
  const numbers = numbersIn(areas)
  return numbers.length === 0 ? 0 : numbers.reduce(better)
}

const AREA_FUNCTIONS: Readonly<Record<string, AreaFunction>> = {
  AND: areas => areas.flat().every(toBoolean),
  OR: areas => areas.flat().some(toBoolean),
  SUM: areas => numbersIn(areas).reduce((sum, value) => sum + value, 0),
  COUNT: areas => areas.flat().filter(value => typeof value === 'number').length,
  COUNTA: areas => areas.flat().filter(value => value !== null).length,
  MAX: areas => extreme(areas, (a, b) => Math.max(a, b)),
  MIN: areas => extreme(areas, (a, b) => Math.min(a, b)),
  AVERAGE: areas => {
    const numbers = numbersIn(areas)
    if (numbers.length === 0) throw new Unknown()
    return numbers.reduce((sum, value) => sum + value, 0) / numbers.length
  },
  COUNTIF: ([values = [], [wanted = null] = []]) => {
    if (wanted === null || (typeof wanted === 'string' && /^[<>=]|[*?~]/.test(wanted)))
      throw new Unknown()
    return values.filter(value => value !== null && isEqual(value, wanted)).length
  },
}

function isEqual(a: SmallValue, b: SmallValue): boolean {
  return kindOf(a) === kindOf(b) && compareValues(noError(a), noError(b)) === 0
}
