import { createLineNumbering, diffLines } from '../formats/text/diff/line-diff.ts'

/** Characters [start, end) of the old text become `text`. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
  /** true: the text joins no link that it stands next to; false: it does. */
  readonly isApart?: boolean
}

const WORDS = /[\p{L}\p{N}\p{M}_]+|\s+|[\s\S]/gu
const WORD = /[\p{L}\p{N}]/u

/**
 * The edits that turn one text into another, tight around the changed words, in order. Edits with no whole word between
 * them are one. `keyAt` tells characters apart that look alike, such as tokens.
 */
export function alignText(
  before: string,
  after: string,
  keyAt: {
    readonly before: (at: number) => string
    readonly after: (at: number) => string
  } = PLAIN,
): readonly TextEdit[] {
  const old = wordsOf(before)
  const now = wordsOf(after)
  const numberOf = createLineNumbering()
  const ids = (list: readonly Word[], key: (at: number) => string) =>
    Int32Array.from(list, ({ text, start }) => numberOf(text + key(start)))
  const hunks = diffLines(ids(old, keyAt.before), ids(now, keyAt.after))
  const edits: TextEdit[] = []
  let lastNew = 0
  for (const { aStart, aEnd, bStart, bEnd } of hunks) {
    const start = old[aStart]?.start ?? before.length
    const end = old[aEnd]?.start ?? before.length
    const newStart = now[bStart]?.start ?? after.length
    const newEnd = now[bEnd]?.start ?? after.length
    const last = edits.at(-1)
    const between = last ? before.slice(last.end, start) : ''
    if (last && !WORD.test(between) && !between.includes('\ufffc'))
      edits[edits.length - 1] = {
        start: last.start,
        end,
        text: last.text + after.slice(lastNew, newEnd),
      }
    else edits.push({ start, end, text: after.slice(newStart, newEnd) })
    lastNew = newEnd
  }
  return edits
}

const PLAIN = { before: () => '', after: () => '' }

interface Word {
  readonly text: string
  readonly start: number
}

function wordsOf(text: string): readonly Word[] {
  return Array.from(text.matchAll(WORDS), match => ({ text: match[0], start: match.index }))
}
