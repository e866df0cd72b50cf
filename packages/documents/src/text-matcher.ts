import type { SearchQuery } from './format.ts'

/** Whether a text matches a search: by regular expression, exactly, or whatever its case. */
export function matcherOf(
  query: Pick<SearchQuery, 'text' | 'regex' | 'caseSensitive'>,
): (text: string) => boolean {
  const { text, regex, caseSensitive } = query
  if (regex) {
    const own = new RegExp(regex.source, regex.flags.replace(/[gy]/g, ''))
    return candidate => own.test(candidate)
  }
  if (caseSensitive) return candidate => candidate.includes(text ?? '')
  const folded = (text ?? '').toLowerCase()
  return candidate => candidate.toLowerCase().includes(folded)
}
