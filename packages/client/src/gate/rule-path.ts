import { fail, ok, type Result, toDocPath } from '@filewright/protocol'

/** The stored path of a rule: relative, `/` separated; a folder's name with a slash covers everything in it. */
export function parseRulePath(given: string): Result<string, 'INVALID_ARGUMENT'> {
  const segments = given.trim().replaceAll('\\', '/').split('/')
  const isFolder = segments.length > 1 && segments.at(-1) === ''
  const named = segments.filter(segment => segment !== '' && segment !== '.')
  const problem = named.length === 0 ? 'is empty' : named.includes('..') ? 'climbs out' : undefined
  if (problem === undefined) return ok([...named, ...(isFolder ? ['**'] : [])].join('/'))
  return fail(
    'INVALID_ARGUMENT',
    `No rule was made: the path ${JSON.stringify(given)} ${problem}, and no file could match it. Name paths from the root of the folder, such as "src/**"; omit the path to match every file.`,
  )
}

/**
 * `*` stays within a folder, `**` crosses folders, `?` is one character, `{a,b}` is either; ignores case and Unicode
 * form. A path without a wildcard at its end is a file, or a folder with everything in it.
 */
export function matchesRulePath(rulePath: string, docPath: string): boolean {
  return toRegExp(foldRulePath(rulePath)).test(docPath)
}

/** Folded like docPaths, so that a rule typed on another system means the same file. */
export function foldRulePath(rulePath: string): string {
  return toDocPath(rulePath as Parameters<typeof toDocPath>[0])
}

/** How many characters of the name it fixes: the shortest alternative counts, since any of them matches. */
export function exactLength(rulePath: string): number {
  const shortest = (alternatives: string) =>
    alternatives
      .slice(1, -1)
      .split(',')
      .map(withoutWild)
      .reduce((a, b) => (b.length < a.length ? b : a))
  return withoutWild(rulePath.replace(ALTERNATIVES, shortest)).length
}

function withoutWild(text: string): string {
  return text.replace(/[*?]/g, '')
}

const ALTERNATIVES = /\{[^{}]*,[^{}]*\}/gu
const PARTS = /\*\*\/|\*\*|\*|\?|\{[^{}]*,[^{}]*\}|[\s\S]/gu

function toRegExp(glob: string): RegExp {
  const source = glob.replace(PARTS, part => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    if (part.length < 3) return literal(part)
    return `(?:${part.slice(1, -1).split(',').map(withinFolder).join('|')})`
  })
  return new RegExp(`^${source}${/[*?]$/u.test(glob) ? '' : '(?:/.*)?'}$`, 'su')
}

/** Wildcards within one name: an alternative may contain no others. */
function withinFolder(alternative: string): string {
  return alternative.replace(/\*+|\?|[\s\S]/gu, part =>
    part[0] === '*' ? '[^/]*' : part === '?' ? '[^/]' : literal(part),
  )
}

function literal(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')
}
