import { Refusal } from '../refusal.ts'
import { TOKEN } from './token.ts'

/** What to look for: the selector of text that all operations share. */
export interface TextQuery {
  readonly search?: string
  readonly regex?: string
  readonly matchCase: boolean
  readonly wholeWord: boolean
}

export interface TextRange {
  readonly start: number
  readonly end: number
  /** The groups of a regular expression. */
  readonly groups?: readonly (string | undefined)[]
}

export type TextFinder = (text: string) => readonly TextRange[]

const MAX_MATCHES = 10_000 // in one paragraph
const BARRIER = new RegExp(`[${TOKEN}\t\n]`)

/** Finds the matches in the text of a paragraph, left to right, none overlapping. They cross no tab, break or token. */
export function finderOf(query: TextQuery): TextFinder {
  const pattern = patternOf(query)
  return text => rangesOf(text, pattern, query.wholeWord)
}

/** The same after the declared folding: no-break spaces and hyphens, curly quotes and soft hyphens. */
export function foldedFinderOf(query: TextQuery): TextFinder | undefined {
  if (query.search === undefined) return undefined
  const folded = fold(query.search)
  const pattern = patternOf({ ...query, search: folded.text })
  return text => {
    const own = fold(text)
    return rangesOf(own.text, pattern, query.wholeWord).map(({ start, end }) => ({
      start: own.at[start]!,
      end: own.at[end - 1]! + 1,
    }))
  }
}

function patternOf({ search, regex, matchCase }: TextQuery): RegExp {
  const flags = matchCase ? 'gu' : 'giu'
  if (regex === undefined) return new RegExp(escapePattern(search ?? ''), flags)
  try {
    return new RegExp(regex, flags)
  } catch (error) {
    throw new Refusal(
      'INVALID_ARGUMENT',
      `regex ${JSON.stringify(regex)} is no regular expression: ${(error as Error).message}`,
    )
  }
}

function rangesOf(text: string, pattern: RegExp, wholeWord: boolean): TextRange[] {
  const found: TextRange[] = []
  for (const match of text.matchAll(pattern)) {
    const start = match.index
    const end = start + match[0].length
    if (start === end || BARRIER.test(match[0])) continue
    if (wholeWord && !isWhole(text, start, end)) continue
    found.push({ start, end, groups: match.slice(1) })
    if (found.length >= MAX_MATCHES) break
  }
  return found
}

const WORD = /[\p{L}\p{N}\p{M}_]/u

function isWhole(text: string, start: number, end: number): boolean {
  const before = [...text.slice(Math.max(0, start - 2), start)].at(-1) ?? ''
  const after = [...text.slice(end, end + 2)][0] ?? ''
  const [first] = text.slice(start)
  const last = [...text.slice(start, end)].at(-1) ?? ''
  const cutsLeft = WORD.test(before) && WORD.test(first ?? '')
  return !cutsLeft && !(WORD.test(after) && WORD.test(last))
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\\-', '\\x2d')
}

const FOLDED: Readonly<Record<string, string>> = {
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2007': ' ',
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u2011': '-',
  '\u2010': '-',
  '\u00ad': '',
}

/** The text with look-alikes folded, and where each of its characters comes from. */
function fold(text: string): { readonly text: string; readonly at: readonly number[] } {
  let folded = ''
  const at: number[] = []
  for (let index = 0; index < text.length; index++) {
    const char = FOLDED[text[index]!] ?? text[index]!
    if (char === '') continue
    folded += char
    at.push(index)
  }
  return { text: folded, at }
}
