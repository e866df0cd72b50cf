import { LOCAL_FUNCTIONS } from './local-functions.ts'

/**
 * A formula as a program in another language shows it, in the form that files store: `SUMME(C2;D2)` as `SUM(C2,D2)`,
 * `1,5*C2` as `1.5*C2`. The same text where nothing is of another language.
 */
export function englishFormula(formula: string, isOwnName: (name: string) => boolean): string {
  const hasSemicolons = scan(formula).some(piece => piece.text === ';')
  const calls: boolean[] = [] // of the open parentheses: whether a function is called
  let isCalled = false
  let english = ''
  for (const { kind, text } of scan(formula)) {
    if (text === '(') calls.push(isCalled)
    else if (text === ')') calls.pop()
    if (kind !== 'space') isCalled = kind === 'function'
    const isList = !hasSemicolons && calls.includes(true) // there a comma divides arguments
    english += kind === 'decimal' && isList ? text : toEnglish(kind, text, isOwnName)
  }
  return english
}

type Kind = 'quoted' | 'function' | 'word' | 'decimal' | 'space' | 'other'

function toEnglish(kind: Kind, text: string, isOwnName: (name: string) => boolean): string {
  if (kind === 'decimal') return text.replace(',', '.')
  if (kind === 'other' && text === ';') return ','
  const english = LOCAL_FUNCTIONS.get(text.toUpperCase())
  if (english === undefined || isOwnName(text)) return text
  if (kind === 'function') return english
  return kind === 'word' && TRUTHS.includes(english) ? english : text
}

const TRUTHS = ['TRUE', 'FALSE']

interface Piece {
  readonly kind: Kind
  readonly text: string
}

/** Strings, sheet names, table columns and lists in braces are passed over: nothing in them is translated. */
const PIECES = new RegExp(
  [
    /(?<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*'|\{[^}]*\}|\[[^\][]*(?:\[[^\][]*\][^\][]*)*\])/u,
    /(?<function>[\p{L}_][\p{L}\p{N}_.]*(?=\s*\())/u,
    /(?<word>\$?[\p{L}_\\][\p{L}\p{N}_.$]*!?)/u,
    /(?<decimal>(?<![\p{L}\p{N}$,.])\d+,\d+(?![\p{L}\p{N},:]))/u,
    /(?<space>\s+)/u,
    /(?<other>\$?\d[\d.]*(?:E[+-]?\d+)?|.)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gsu',
)

function scan(formula: string): Piece[] {
  return [...formula.matchAll(PIECES)].map(({ 0: text, groups = {} }) => {
    const [kind = 'other'] = Object.entries(groups).find(([, found]) => found !== undefined) ?? []
    return { kind: kind as Kind, text }
  })
}
