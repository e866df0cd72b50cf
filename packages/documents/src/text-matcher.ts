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
  const own = plainSpaces(text ?? '')
  if (caseSensitive) return candidate => plainSpaces(candidate).includes(own)
  const folded = own.toLowerCase()
  return candidate => plainSpaces(candidate).toLowerCase().includes(folded)
}

/** A no-break space looks like any other. */
function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ')
}
