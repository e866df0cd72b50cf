import { type Token, tokenize } from '@borgar/fx/xlsx'

/**
 * Turns a formula as a person types it into the form that the file stores: Excel writes functions newer than the format
 * with a prefix, and would show #NAME? or repair the file for the typed form. Formulas already in stored form stay
 * unchanged.
 */
export function storedFormula(formula: string): string {
  const tokens = tokenize(formula, { mergeRefs: true }).map(token => ({ ...token }))
  prefixVariables(tokens)
  for (const token of tokens) {
    if (token.type === 'func') token.value = storedFunction(token.value)
    if (token.type === 'structured') token.value = storedRow(token.value)
  }
  return joined(wrapOperators(tokens))
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
function prefixVariables(tokens: Token[]): void {
  for (const [index, { type, value }] of tokens.entries()) {
    const word = type === 'func' ? value.replace(/^_xlfn\./i, '').toUpperCase() : ''
    if (word !== 'LET' && word !== 'LAMBDA') continue
    const parts = argumentsAt(tokens, index + 1)
    const named = parts
      .slice(0, -1)
      .filter((_, position) => word === 'LAMBDA' || position % 2 === 0)
      .flatMap(part => nameOf(tokens, part) ?? [])
    const end = parts.at(-1)?.to ?? index
    for (const token of tokens.slice(index, end + 1))
      if (
        (token.type === 'range_named' || token.type === 'func') &&
        named.includes(token.value.toLowerCase())
      )
        token.value = `${VARIABLE}${token.value}`
  }
}

/** For an argument that is a bare name. */
function nameOf(tokens: readonly Token[], { from, to }: Part): string | undefined {
  const own = tokens.slice(from, to).filter(({ type }) => type !== 'whitespace')
  const [only] = own
  return own.length === 1 && only!.type === 'range_named' && !only!.value.startsWith(VARIABLE)
    ? only!.value.toLowerCase()
    : undefined
}

interface Part {
  readonly from: number
  /** The comma or bracket after it. */
  readonly to: number
}

/** The arguments of the call whose bracket opens at that token. */
function argumentsAt(tokens: readonly Token[], open: number): Part[] {
  const parts: Part[] = []
  let depth = 0
  let from = open + 1
  for (let index = open; index < tokens.length; index++) {
    const { value, type } = tokens[index]!
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
function wrapOperators(tokens: readonly Token[]): readonly Token[] {
  const done: Token[] = []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.type === 'operator' && token.value === '@') {
      const end = endOfOperand(tokens, index + 1)
      const operand = wrapOperators(tokens.slice(index + 1, end))
      done.push({ ...token, value: `_xlfn.SINGLE(${joined(operand)})` })
      index = end - 1
    } else if (token.type === 'operator' && token.value === '#' && done.length > 0) {
      const anchor = done.splice(startOfOperand(done))
      done.push({ ...token, value: `_xlfn.ANCHORARRAY(${joined(anchor)})` })
    } else done.push(token)
  }
  return done
}

function endOfOperand(tokens: readonly Token[], start: number): number {
  const open = tokens[start]?.type === 'func' ? start + 1 : start
  const isCall = tokens[open]?.value === '('
  const end = isCall ? (argumentsAt(tokens, open).at(-1)?.to ?? open) + 1 : start + 1
  return tokens[end]?.value === '#' ? end + 1 : end
}

function startOfOperand(tokens: readonly Token[]): number {
  let depth = 0
  for (let index = tokens.length - 1; index > 0; index--) {
    const { value, type } = tokens[index]!
    if (type === 'operator' && value === ')') depth++
    if (type === 'operator' && value === '(') depth--
    if (depth === 0) return tokens[index - 1]!.type === 'func' && value === '(' ? index - 1 : index
  }
  return 0
}

function joined(tokens: readonly Token[]): string {
  return tokens.map(({ value }) => value).join('')
}

const FUTURE_WS = new Set(['FILTER', 'SORT'])
const FUTURE = new Set(
  'ACOT ACOTH AGGREGATE ARABIC ARRAYTOTEXT BASE BETA.DIST BETA.INV BINOM.DIST BINOM.DIST.RANGE BINOM.INV BITAND BITLSHIFT BITOR BITRSHIFT BITXOR BYCOL BYROW CEILING.MATH CEILING.PRECISE CHISQ.DIST CHISQ.DIST.RT CHISQ.INV CHISQ.INV.RT CHISQ.TEST CHOOSECOLS CHOOSEROWS COMBINA CONCAT CONFIDENCE.NORM CONFIDENCE.T COT COTH COVARIANCE.P COVARIANCE.S CSC CSCH DAYS DECIMAL DETECTLANGUAGE DROP ENCODEURL ERF.PRECISE ERFC.PRECISE EXPAND EXPON.DIST F.DIST F.DIST.RT F.INV F.INV.RT F.TEST FIELDVALUE FILTERXML FLOOR.MATH FLOOR.PRECISE FORECAST.ETS FORECAST.ETS.CONFINT FORECAST.ETS.SEASONALITY FORECAST.ETS.STAT FORECAST.LINEAR FORMULATEXT GAMMA GAMMA.DIST GAMMA.INV GAMMALN.PRECISE GAUSS GROUPBY HSTACK HYPGEOM.DIST IFNA IFS IMAGE IMCOSH IMCOT IMCSC IMCSCH IMSEC IMSECH IMSINH IMTAN ISFORMULA ISOMITTED ISOWEEKNUM LAMBDA LET LOGNORM.DIST LOGNORM.INV MAKEARRAY MAP MAXIFS MINIFS MODE.MULT MODE.SNGL MUNIT NEGBINOM.DIST NORM.DIST NORM.INV NORM.S.DIST NORM.S.INV NUMBERVALUE PDURATION PERCENTILE.EXC PERCENTILE.INC PERCENTOF PERCENTRANK.EXC PERCENTRANK.INC PERMUTATIONA PHI PIVOTBY POISSON.DIST QUARTILE.EXC QUARTILE.INC RANDARRAY RANK.AVG RANK.EQ REDUCE REGEXEXTRACT REGEXREPLACE REGEXTEST RRI SCAN SEC SECH SEQUENCE SHEET SHEETS SINGLE SKEW.P SORTBY STDEV.P STDEV.S STOCKHISTORY SWITCH T.DIST T.DIST.2T T.DIST.RT T.INV T.INV.2T T.TEST TAKE TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TOCOL TOROW TRANSLATE TRIMRANGE UNICHAR UNICODE UNIQUE VALUETOTEXT VAR.P VAR.S VSTACK WEBSERVICE WEIBULL.DIST WRAPCOLS WRAPROWS XLOOKUP XMATCH XOR Z.TEST'.split(
    ' ',
  ),
)
