const WORD = /[\p{L}\p{N}_$]+/gu
const STOP_WORDS = new Set(
  'a an and are as at be by do does for from how i if in is it its of on or that the this to was we what when where which who why will with'.split(
    ' ',
  ),
)
const MOST_WORDS = 32

/** The words of a question, each once, with the parts of identifiers; without the words that every text has. */
export function wordsOf(query: string): string[] {
  const all = [...query.matchAll(WORD)].flatMap(([word]) => [word, ...partsOf(word)])
  const words = [...new Set(all.map(word => word.toLowerCase()))]
  const telling = words.filter(word => !STOP_WORDS.has(word))
  return (telling.length > 0 ? telling : words).slice(0, MOST_WORDS)
}

/** `CalculateTaxes`, `calculate_taxes` and `HTTPServer2` as the words they are made of; nothing for a plain word. */
export function partsOf(identifier: string): string[] {
  const parts = identifier
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_$]+/)
    .filter(Boolean)
  return parts.length > 1 ? parts : []
}

const MOST_PARTS = 4_000 // of one chunk

/** The parts of all identifiers of a text, so that `taxes` finds `CalculateTaxes`. */
export function partsIn(text: string): string {
  const seen = new Set<string>()
  for (const [word] of text.matchAll(WORD)) {
    if (seen.size >= MOST_PARTS) break
    for (const part of partsOf(word)) seen.add(part.toLowerCase())
  }
  return [...seen].join(' ')
}
