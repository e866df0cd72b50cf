/** One line of a rule file, as git reads it. Matching takes time in proportion to pattern times path, whatever they hold. */
export interface IgnorePattern {
  readonly isTakingBack: boolean
  readonly isForFolders: boolean
  /** Without a `/` before its end it matches the last name of a path; else the whole path from the rules' folder. */
  readonly isAnchored: boolean
  readonly segments: readonly Segment[]
}

/** `**` between slashes matches any number of folders. */
type Segment = readonly Token[] | '**'

type Token =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'any' } // `?`
  | { readonly type: 'many' } // `*`
  | { readonly type: 'class'; readonly isNegated: boolean; readonly has: (char: string) => boolean }

/** Undefined for a remark, an empty line and a pattern that can match nothing. */
export function parseIgnorePattern(given: string, ignoreCase: boolean): IgnorePattern | undefined {
  if (given.startsWith('#')) return undefined
  let line = withoutFinalSpaces(given)
  const isTakingBack = line.startsWith('!')
  if (isTakingBack) line = line.slice(1)
  const isForFolders = line.endsWith('/')
  if (isForFolders) line = line.slice(0, -1)
  const isAnchored = line.includes('/')
  if (line.startsWith('/')) line = line.slice(1)
  if (line === '') return undefined
  const segments: Segment[] = []
  for (const part of withPlainSlashes(line).split('/')) {
    const segment = part === '**' && isAnchored ? part : parseSegment(part, ignoreCase)
    if (segment === undefined || segment.length === 0) return undefined
    segments.push(segment)
  }
  return { isTakingBack, isForFolders, isAnchored, segments }
}

/** `path`: the names from the rules' folder to the entry, in lower case where case does not count. */
export function matchesPattern(
  { isForFolders, isAnchored, segments }: IgnorePattern,
  path: readonly string[],
  isFolder: boolean,
): boolean {
  if (isForFolders && !isFolder) return false
  if (!isAnchored) return matchesName(segments[0] as readonly Token[], path.at(-1)!)
  return matchesPath(segments, path)
}

/** Goes back to the last `**` only: what an earlier one could take, the last one can too. */
function matchesPath(segments: readonly Segment[], path: readonly string[]): boolean {
  let [at, name, wild, from] = [0, 0, -1, 0]
  while (name < path.length) {
    const segment = segments[at]
    if (segment === '**') {
      wild = at++
      from = name
      if (at === segments.length) return true // at its end it takes what is left, which is not nothing
    } else if (segment !== undefined && matchesName(segment, path[name]!)) {
      at++
      name++
    } else if (wild >= 0) {
      at = wild + 1
      name = ++from
    } else return false
  }
  return at === segments.length
}

function matchesName(tokens: readonly Token[], name: string): boolean {
  let [at, char, wild, from] = [0, 0, -1, 0]
  while (char < name.length) {
    const token = tokens[at]
    const length = token === undefined || token.type === 'many' ? 0 : lengthAt(token, name, char)
    if (token?.type === 'many') {
      wild = at++
      from = char
    } else if (length > 0) {
      at++
      char += length
    } else if (wild >= 0) {
      at = wild + 1
      char = ++from
    } else return false
  }
  while (tokens[at]?.type === 'many') at++
  return at === tokens.length
}

/** How many units of the name the token takes; 0: it does not match there. */
function lengthAt(token: Exclude<Token, { type: 'many' }>, name: string, at: number): number {
  if (token.type === 'text') return name.startsWith(token.text, at) ? token.text.length : 0
  const char = String.fromCodePoint(name.codePointAt(at)!)
  if (token.type === 'class' && token.has(char) === token.isNegated) return 0
  return char.length
}

/** Undefined when it is broken, and so matches nothing. */
function parseSegment(part: string, ignoreCase: boolean): readonly Token[] | undefined {
  const tokens: Token[] = []
  let text = ''
  const endText = () => {
    if (text !== '') tokens.push({ type: 'text', text: ignoreCase ? text.toLowerCase() : text })
    text = ''
  }
  for (let at = 0; at < part.length; at++) {
    const char = part[at]!
    if (char === '\\') {
      if (++at === part.length) return undefined
      text += part[at]
    } else if (char === '*' || char === '?') {
      endText()
      const isRepeated = char === '*' && tokens.at(-1)?.type === 'many'
      if (!isRepeated) tokens.push({ type: char === '*' ? 'many' : 'any' })
    } else if (char === '[') {
      endText()
      const found = parseClass(part, at + 1, ignoreCase)
      if (!found) return undefined
      tokens.push(found.token)
      at = found.end
    } else text += char
  }
  endText()
  return tokens
}

function parseClass(part: string, from: number, ignoreCase: boolean) {
  let at = from
  const isNegated = part[at] === '!' || part[at] === '^'
  if (isNegated) at++
  const tests: ((char: string) => boolean)[] = []
  for (let isFirst = true; isFirst || part[at] !== ']'; isFirst = false) {
    if (at >= part.length) return undefined
    const named = /^\[:(\w+):\]/.exec(part.slice(at, at + 12))
    if (named) {
      const kind = CLASSES[named[1]!]
      if (!kind) return undefined
      tests.push(char => kind.test(char))
      at += named[0].length
      continue
    }
    const low = charAt(part, at)
    at = low.end
    const high = part[at] === '-' && part[at + 1] !== ']' ? charAt(part, at + 1) : low
    at = high.end
    tests.push(char => char >= low.char && char <= high.char)
  }
  const has = (char: string) => {
    const forms = ignoreCase ? [char.toLowerCase(), char.toUpperCase()] : [char]
    return tests.some(test => forms.some(test))
  }
  return { token: { type: 'class', isNegated, has } as const, end: at }
}

function charAt(part: string, at: number): { char: string; end: number } {
  const start = part[at] === '\\' ? at + 1 : at
  const char = start < part.length ? String.fromCodePoint(part.codePointAt(start)!) : ''
  return { char, end: start + Math.max(char.length, 1) }
}

const CLASSES: Readonly<Record<string, RegExp | undefined>> = {
  alnum: /^[a-z0-9]$/i,
  alpha: /^[a-z]$/i,
  blank: /^[ \t]$/,
  digit: /^\d$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9a-f]$/i,
}

/** A quoted slash separates as a plain one does. */
function withPlainSlashes(line: string): string {
  return line.replace(/\\(.)/gs, (quoted, char) => (char === '/' ? '/' : quoted))
}

/** Git drops spaces at the end, unless a backslash quotes them. */
function withoutFinalSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--
  return line.slice(0, end)
}
