/** Rows of a table in text; quotes may hold separators and line ends. */
export function parseTable(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length) {
    const quoted = text[at] === '"'
    const end = quoted ? endOfQuoted(text, at) : endOfPlain(text, at, separator)
    row.push(quoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, end))
    at = quoted ? endOfPlain(text, end + 1, separator) : end
    if (text[at] === separator) {
      at++
      if (at === text.length) row.push('')
      continue
    }
    rows.push(row)
    row = []
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** The one that the first lines have most often, outside of quotes. */
export function separatorOf(text: string, ending: string): string {
  if (ending === 'tsv') return '\t'
  const first = text.slice(0, 4000).replace(/"[^"]*"/g, '')
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/** At the closing quote; a doubled one is a character. */
function endOfQuoted(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at
  return text.length
}

function endOfPlain(text: string, start: number, separator: string): number {
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === separator || character === '\n' || character === '\r') return at
  }
  return text.length
}
