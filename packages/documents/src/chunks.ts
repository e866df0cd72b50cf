/** A piece of a file that a search finds: a method, a section, a page of a document. */
export interface Chunk {
  /** `method:CalculateTaxes`: the kind and the shortest qualified name that is unique in the file. */
  readonly place: string
  /** The bare name of what it defines; absent for a stretch of lines. */
  readonly symbol?: string
  readonly lineStart: number
  readonly lineEnd: number
  readonly text: string
}

export interface FileChunks {
  /** `csharp`, `markdown`; for a document, what it is. */
  readonly language: string
  readonly chunks: readonly Chunk[]
}

/** Named once it is known what else is in the file. */
export interface UnnamedChunk extends Omit<Chunk, 'place'> {
  readonly kind: string
  /** From the outermost to its own name. */
  readonly names: readonly string[]
}

/** Each place by as few names as tell it from the others of the file; overloads, which share them all, are numbered. */
export function withPlaces(unnamed: readonly UnnamedChunk[]): Chunk[] {
  const wholes = new Map<string, Set<string>>()
  const suffixes = ({ kind, names }: UnnamedChunk) =>
    names.map((_, i) => `${kind}:${names.slice(names.length - 1 - i).join('.')}`)
  for (const chunk of unnamed) {
    const own = suffixes(chunk)
    for (const suffix of own) wholes.set(suffix, (wholes.get(suffix) ?? new Set()).add(own.at(-1)!))
  }
  const numbered = new Map<string, number>()
  return unnamed.map(chunk => {
    const { kind: _, names: __, ...rest } = chunk
    const own = suffixes(chunk)
    const shortest = own.find(suffix => wholes.get(suffix)!.size === 1) ?? own.at(-1)!
    const n = (numbered.get(shortest) ?? 0) + 1
    numbered.set(shortest, n)
    return { place: n === 1 ? shortest : `${shortest}~${n}`, ...rest }
  })
}

const WINDOW = 60 // lines: a screenful of what has no structure

/** The lines of a text, some of which may be in other chunks already. */
export function linesOf(
  lines: readonly string[],
  from: number,
  to: number,
): readonly UnnamedChunk[] {
  const chunks: UnnamedChunk[] = []
  for (let start = from; start <= to; start += WINDOW) {
    const end = Math.min(to, start + WINDOW - 1)
    const text = lines.slice(start - 1, end).join('\n')
    if (!/[\p{L}\p{N}]/u.test(text)) continue // brackets and blank lines
    const names = [`${start}-${end}`]
    chunks.push({ kind: 'lines', names, lineStart: start, lineEnd: end, text })
  }
  return chunks
}

const HEADING = /^(#{1,6})\s+(.+?)\s*#*\s*$/

/** Markdown by its headings, each section up to the next one of any depth. */
export function sectionsOf(lines: readonly string[]): readonly UnnamedChunk[] {
  const starts: { line: number; names: readonly string[] }[] = []
  const above: string[] = []
  let isFenced = false
  for (const [i, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced
    const [, marks, title] = (!isFenced && HEADING.exec(line)) || []
    if (marks === undefined || title === undefined) continue
    above.length = Math.min(above.length, marks.length - 1)
    above.push(title)
    starts.push({ line: i + 1, names: [...above] })
  }
  const first = starts[0]?.line ?? lines.length + 1
  const sections = starts.map(({ line, names }, i): UnnamedChunk => {
    const lineEnd = (starts[i + 1]?.line ?? lines.length + 1) - 1
    const text = lines.slice(line - 1, lineEnd).join('\n')
    return { kind: 'section', names, symbol: names.at(-1), lineStart: line, lineEnd, text }
  })
  return [...linesOf(lines, 1, first - 1), ...sections]
}
