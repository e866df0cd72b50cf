/** A piece of a line, and whether the other side lacks it. */
export interface WordPiece {
  readonly text: string
  readonly isOwn: boolean
}

export interface WordDiff {
  readonly before: readonly WordPiece[]
  readonly after: readonly WordPiece[]
}

/** A piece of both sides at once. */
export interface MergedPiece {
  readonly text: string
  readonly kind: 'same' | 'removed' | 'added'
}

const MOST_WORDS = 600 // of one side: the table of a longer comparison would be too large

/** Which words of two lines differ; where hardly anything is common, everything does. */
export function diffWords(before: string, after: string): WordDiff {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > MOST_WORDS || now.length > MOST_WORDS) return wholly(before, after)
  const common = commonWords(old, now)
  const shared = common.reduce((sum, [at]) => sum + old[at]!.trim().length, 0)
  if (shared * 4 < Math.min(before.length, after.length)) return wholly(before, after)
  return {
    before: toPieces(old, new Set(common.map(([at]) => at))),
    after: toPieces(now, new Set(common.map(([, at]) => at))),
  }
}

/** One text in which words are taken out and put in; undefined where too little is common to be read as one. */
export function mergeWords(before: string, after: string): readonly MergedPiece[] | undefined {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > MOST_WORDS || now.length > MOST_WORDS) return undefined
  const common = commonWords(old, now)
  const shared = common.reduce((sum, [at]) => sum + old[at]!.trim().length, 0)
  if (shared * 2 < Math.min(before.length, after.length)) return undefined
  const pieces: { text: string; kind: MergedPiece['kind'] }[] = []
  const add = (kind: MergedPiece['kind'], text: string) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += text
    else if (text !== '') pieces.push({ text, kind })
  }
  let [i, j] = [0, 0]
  for (const [at, to] of [...common, [old.length, now.length] as const]) {
    add('removed', old.slice(i, at).join(''))
    add('added', now.slice(j, to).join(''))
    add('same', old[at] ?? '')
    ;[i, j] = [at + 1, to + 1]
  }
  return pieces
}

function wholly(before: string, after: string): WordDiff {
  return { before: [{ text: before, isOwn: true }], after: [{ text: after, isOwn: true }] }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

/** The longest common subsequence, as pairs of places. */
function commonWords(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
  const pairs: [number, number][] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++
    else j++
  }
  return pairs
}

function toPieces(words: readonly string[], common: ReadonlySet<number>): WordPiece[] {
  const pieces: { text: string; isOwn: boolean }[] = []
  for (const [at, text] of words.entries()) {
    const isOwn = !common.has(at)
    const last = pieces.at(-1)
    if (last?.isOwn === isOwn) last.text += text
    else pieces.push({ text, isOwn })
  }
  return pieces
}
