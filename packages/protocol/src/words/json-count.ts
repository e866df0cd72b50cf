import { LIMITS } from './limits.ts'
import { TOO_DEEP, TOO_MANY, TOO_MANY_LISTS } from './nesting.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d]
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d]

/** Counts what a JSON text holds while it arrives, before anybody builds it: one of 60 MB can hold 20 million lists. */
export interface JsonCount {
  /** At least as many as the text so far holds, and at most twice as many. */
  readonly values: number
  /** Objects and lists. */
  readonly lists: number
  /** Of the deepest place so far. */
  readonly depth: number
  /** The next piece, split anywhere. */
  add(text: string): void
}

export function createJsonCount(): JsonCount {
  let values = 1
  let lists = 0
  let at = 0
  let depth = 0
  let isInString = false
  let isEscaped = false

  /** The place after the string that goes on at `from`, or the end of the text. */
  function skipString(text: string, from: number): number {
    let i = from
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (isEscaped) isEscaped = false
      else if (code === BACKSLASH) isEscaped = true
      else if (code === QUOTE) {
        isInString = false
        return i + 1
      }
    }
    return i
  }

  function take(code: number): void {
    if (code === COMMA) values++
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values++
      lists++
      depth = Math.max(depth, ++at)
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) at--
    else if (code === QUOTE) isInString = true
  }

  return {
    get values() {
      return values
    },
    get lists() {
      return lists
    },
    get depth() {
      return depth
    },
    add(text) {
      for (let i = isInString ? skipString(text, 0) : 0; i < text.length; i++) {
        take(text.charCodeAt(i))
        if (isInString) i = skipString(text, i + 1) - 1
      }
    },
  }
}

const PIECE = 64 * 1024

/** What of a JSON text is more than any tool takes, as the end of a sentence; looks no further. */
export function excessIn(json: string): string | undefined {
  const count = createJsonCount()
  for (let i = 0; i < json.length; i += PIECE) {
    count.add(json.slice(i, i + PIECE))
    const excess = excessOf(count)
    if (excess !== undefined) return excess
  }
  return undefined
}

function excessOf({ values, lists, depth }: JsonCount): string | undefined {
  if (depth > LIMITS.argumentDepth) return TOO_DEEP
  if (lists > LIMITS.argumentLists) return TOO_MANY_LISTS
  return values > 2 * LIMITS.argumentValues ? TOO_MANY : undefined
}
