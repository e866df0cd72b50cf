import { textOf, unitsOf } from '../places/units.ts'

/** A unit and its text in the file. */
interface Piece {
  /** `function`, `name`, `structured`, `operator`, `whitespace` … */
  readonly type: string
  value: string
}

/**
 * Turns a formula as a person types it into the form that the file stores: Excel writes functions newer than the format
 * with a prefix, and would show #NAME? or repair the file for the typed form. Formulas already in stored form stay
 * unchanged.
 */
export function storedFormula(formula: string): string {
  const pieces = unitsOf(formula).map(unit => ({
    type: unit.kind === 'other' ? unit.type : unit.kind,
    value: textOf(unit),
  }))
  prefixVariables(pieces)
  for (const piece of pieces) {
    if (piece.type === 'function') piece.value = storedFunction(piece.value)
    if (piece.type === 'structured') piece.value = storedRow(piece.value)
  }
  return joined(wrapOperators(pieces))
}

function storedFunction(name: string): string {
  const known = name.toUpperCase()
  if (FUTURE_WS.has(known)) return `_xlfn._xlws.${known}`
  return FUTURE.has(known) ? `_xlfn.${known}` : name
}

export function isFutureFunction(upperCase: string): boolean {
  return FUTURE.has(upperCase) || FUTURE_WS.has(upperCase)
}

export function futureFunctions(): readonly string[] {
  return [...FUTURE, ...FUTURE_WS]
}

/** `Sales[@Net]` becomes `Sales[[#This Row],[Net]]`. */
function storedRow(reference: string): string {
  const match = /^([^[]*)\[@(.*)\]$/s.exec(reference)
  if (!match) return reference
  const [, table, column] = match
  if (column === '') return `${table}[#This Row]`
  return `${table}[[#This Row],${column!.startsWith('[') ? column : `[${column}]`}]`
}

const VARIABLE = '_xlpm.'

/** Names declared by LET and LAMBDA are stored with their own prefix throughout the call. */
function prefixVariables(pieces: readonly Piece[]): void {
  for (const [index, { type, value }] of pieces.entries()) {
    const word = type === 'function' ? value.replace(/^_xlfn\./i, '').toUpperCase() : ''
    if (word !== 'LET' && word !== 'LAMBDA') continue
    const parts = argumentsAt(pieces, index + 1)
    const named = parts
      .slice(0, -1)
      .filter((_, position) => word === 'LAMBDA' || position % 2 === 0)
      .flatMap(part => nameOf(pieces, part) ?? [])
    const end = parts.at(-1)?.to ?? index
    for (const piece of pieces.slice(index, end + 1))
      if (
        (piece.type === 'name' || piece.type === 'function') &&
        named.includes(piece.value.toLowerCase())
      )
        piece.value = `${VARIABLE}${piece.value}`
  }
}

/** For an argument that is a bare name. */
function nameOf(pieces: readonly Piece[], { from, to }: Part): string | undefined {
  const own = pieces.slice(from, to).filter(({ type }) => type !== 'whitespace')
  const [only] = own
  return own.length === 1 && only!.type === 'name' && !only!.value.startsWith(VARIABLE)
    ? only!.value.toLowerCase()
    : undefined
}

interface Part {
  readonly from: number
  /** The comma or bracket after it. */
  readonly to: number
}

/** The arguments of the call whose bracket opens at that piece. */
function argumentsAt(pieces: readonly Piece[], open: number): Part[] {
  const parts: Part[] = []
  let depth = 0
  let from = open + 1
  for (let index = open; index < pieces.length; index++) {
    const { value, type } = pieces[index]!
    if (type !== 'operator') continue
    if (value === '(' || value === '{') depth++
    if (value === ')' || value === '}') depth--
    const isEnd = depth === 0
    if (!isEnd && !(depth === 1 && value === ',')) continue
    parts.push({ from, to: index })
    from = index + 1
    if (isEnd) break
  }
  return parts
}

/** `A1#` becomes ANCHORARRAY(A1), and `@A1:A3` becomes SINGLE(A1:A3). */
function wrapOperators(pieces: readonly Piece[]): readonly Piece[] {
  const done: Piece[] = []
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index]!
    if (piece.type === 'operator' && piece.value === '@') {
      const end = endOfOperand(pieces, index + 1)
      const operand = wrapOperators(pieces.slice(index + 1, end))
      done.push({ ...piece, value: `_xlfn.SINGLE(${joined(operand)})` })
      index = end - 1
    } else if (piece.type === 'operator' && piece.value === '#' && done.length > 0) {
      const anchor = done.splice(startOfOperand(done))
      done.push({ ...piece, value: `_xlfn.ANCHORARRAY(${joined(anchor)})` })
    } else done.push(piece)
  }
  return done
}

function endOfOperand(pieces: readonly Piece[], start: number): number {
  const open = pieces[start]?.type === 'function' ? start + 1 : start
  const isCall = pieces[open]?.value === '('
  const end = isCall ? (argumentsAt(pieces, open).at(-1)?.to ?? open) + 1 : start + 1
  return pieces[end]?.value === '#' ? end + 1 : end
}

function startOfOperand(pieces: readonly Piece[]): number {
  let depth = 0
  for (let index = pieces.length - 1; index > 0; index--) {
    const { value, type } = pieces[index]!
    if (type === 'operator' && value === ')') depth++
    if (type === 'operator' && value === '(') depth--
    if (depth === 0)
      return pieces[index - 1]!.type === 'function' && value === '(' ? index - 1 : index
  }
  return 0
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map(({ value }) => value).join('')
}

const FUTURE_WS = new Set(['FILTER', 'SORT'])
const FUTURE = new Set(
  'ACOT ACOTH AGGREGATE ARABIC ARRAYTOTEXT BASE BETA.DIST BETA.INV BINOM.DIST BINOM.DIST.RANGE BINOM.INV BITAND BITLSHIFT BITOR BITRSHIFT BITXOR BYCOL BYROW CEILING.MATH CEILING.PRECISE CHISQ.DIST CHISQ.DIST.RT CHISQ.INV CHISQ.INV.RT CHISQ.TEST CHOOSECOLS CHOOSEROWS COMBINA CONCAT CONFIDENCE.NORM CONFIDENCE.T COT COTH COVARIANCE.P COVARIANCE.S CSC CSCH DAYS DECIMAL DETECTLANGUAGE DROP ENCODEURL ERF.PRECISE ERFC.PRECISE EXPAND EXPON.DIST F.DIST F.DIST.RT F.INV F.INV.RT F.TEST FIELDVALUE FILTERXML FLOOR.MATH FLOOR.PRECISE FORECAST.ETS FORECAST.ETS.CONFINT FORECAST.ETS.SEASONALITY FORECAST.ETS.STAT FORECAST.LINEAR FORMULATEXT GAMMA GAMMA.DIST GAMMA.INV GAMMALN.PRECISE GAUSS GROUPBY HSTACK HYPGEOM.DIST IFNA IFS IMAGE IMCOSH IMCOT IMCSC IMCSCH IMSEC IMSECH IMSINH IMTAN ISFORMULA ISOMITTED ISOWEEKNUM LAMBDA LET LOGNORM.DIST LOGNORM.INV MAKEARRAY MAP MAXIFS MINIFS MODE.MULT MODE.SNGL MUNIT NEGBINOM.DIST NORM.DIST NORM.INV NORM.S.DIST NORM.S.INV NUMBERVALUE PDURATION PERCENTILE.EXC PERCENTILE.INC PERCENTOF PERCENTRANK.EXC PERCENTRANK.INC PERMUTATIONA PHI PIVOTBY POISSON.DIST QUARTILE.EXC QUARTILE.INC RANDARRAY RANK.AVG RANK.EQ REDUCE REGEXEXTRACT REGEXREPLACE REGEXTEST RRI SCAN SEC SECH SEQUENCE SHEET SHEETS SINGLE SKEW.P SORTBY STDEV.P STDEV.S STOCKHISTORY SWITCH T.DIST T.DIST.2T T.DIST.RT T.INV T.INV.2T T.TEST TAKE TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TOCOL TOROW TRANSLATE TRIMRANGE UNICHAR UNICODE UNIQUE VALUETOTEXT VAR.P VAR.S VSTACK WEBSERVICE WEIBULL.DIST WRAPCOLS WRAPROWS XLOOKUP XMATCH XOR Z.TEST'.split(
    ' ',
  ),
)
