import type { SearchHits, SearchQuery } from '../../../format.ts'
import type { TextDocument } from '../decode/text.ts'

/** Characters shown around a hit. */
const AROUND = 120
const BLOCK = 1024 * 1024

/** Every line that contains the text or matches the expression, with its number; each line is one hit. */
export function searchText(doc: TextDocument, query: SearchQuery): SearchHits {
  const pattern = patternOf(query)
  const hits: SearchHits['hits'][number][] = []
  for (const { line, text, at, length } of matches(doc, pattern)) {
    if (hits.length === query.maxHits) return { hits, isTruncated: true }
    hits.push({
      region: { line_start: line, line_count: 1 },
      place: `line ${line}`,
      text: excerpt(text, at, length),
    })
  }
  return { hits, isTruncated: false }
}

function patternOf({ text, regex, caseSensitive }: SearchQuery): RegExp {
  if (regex) return new RegExp(regex.source, regex.flags.replace(/[gy]/g, ''))
  const escaped = (text ?? '').replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\r?\n[\s\S]*/, '')
  return new RegExp(escaped, caseSensitive ? 'u' : 'iu')
}

function* matches(doc: TextDocument, pattern: RegExp) {
  if (pattern.source === '(?:)') return // an empty search would match every line
  for (let first = 1; first <= doc.lineCount; ) {
    const last = Math.max(
      first,
      doc.lineAt(Math.min(doc.sizeBytes, doc.startOf(first) + BLOCK)) - 1,
    )
    const end = doc.startOf(first) + BLOCK >= doc.sizeBytes ? doc.lineCount : last
    const lines = doc.slice(first, end - first + 1).content.split(/\r?\n/)
    for (let i = 0; i <= end - first; i++) {
      const found = pattern.exec(lines[i]!)
      if (found)
        yield { line: first + i, text: lines[i]!, at: found.index, length: found[0].length }
    }
    first = end + 1
  }
}

function excerpt(line: string, at: number, length: number): string {
  const start = Math.max(0, at - AROUND)
  const end = Math.min(line.length, at + Math.min(length, AROUND) + AROUND)
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`
}
