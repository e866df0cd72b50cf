/** Looked at in this order, where no language is named. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'pl', 'cs', 'fi']

export interface WordList {
  readonly language: string
  readonly kind: 'months' | 'days'
  readonly words: readonly string[]
}

/** The lists that have all of these words, a full stop or its lack aside. */
export function listsWith(words: readonly string[], locale: string | undefined): WordList[] {
  const languages = locale === undefined ? LANGUAGES : [locale]
  return languages
    .flatMap(language => listsOf(language))
    .filter(list => words.every(word => indexIn(list, word) >= 0))
}

export function indexIn({ words }: WordList, word: string): number {
  return words.findIndex(own => plain(own) === plain(word))
}

function plain(word: string): string {
  return word.toLowerCase().replace(/\.$/, '')
}

/** In the letters of the word that began: JAN, Jan, jan; with its full stop or without. */
export function likeWord(word: string, first: string): string {
  const own = first.endsWith('.') || !word.endsWith('.') ? word : word.slice(0, -1)
  if (first === first.toLowerCase()) return own.toLowerCase()
  if (first === first.toUpperCase() && first.length > 1) return own.toUpperCase()
  return own.slice(0, 1).toUpperCase() + own.slice(1)
}

function listsOf(language: string): WordList[] {
  const made = (['long', 'short'] as const).flatMap(width => [
    list(language, 'months', { month: width }, 12, at => Date.UTC(2024, at, 1)),
    list(language, 'days', { weekday: width }, 7, at => Date.UTC(2024, 0, 1 + at)), // a Monday
  ])
  return made.filter(({ words }) => new Set(words.map(plain)).size === words.length)
}

function list(
  language: string,
  kind: WordList['kind'],
  options: Intl.DateTimeFormatOptions,
  count: number,
  at: (index: number) => number,
): WordList {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  return {
    language,
    kind,
    words: Array.from({ length: count }, (_, index) => format.format(at(index))),
  }
}
