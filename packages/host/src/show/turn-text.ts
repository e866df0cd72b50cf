import type { SessionEvent } from '@filewright/protocol'

type TextEvent = Extract<SessionEvent, { type: 'text-delta' | 'text-so-far' }>

/** What to print next. `isAnew`: the answer takes another turn here, so it starts on a line of its own. */
interface Piece {
  readonly text: string
  readonly isAnew?: true
}

/**
 * The text of a turn that was not printed yet. An answer whose stream broke comes again from its beginning, and perhaps
 * in other words: lines that were printed are not printed twice.
 */
export function createTurnText() {
  let turnId = ''
  let printed = ''
  /** The answer so far, of the attempt that is under way. */
  let text = ''

  const continues = () => printed.startsWith(text) || text.startsWith(printed)

  return {
    /** The stream broke: the next text of this turn begins again. */
    restart() {
      text = ''
    },
    take(event: TextEvent): Piece[] {
      if (event.turnId !== turnId) {
        turnId = event.turnId
        printed = ''
        text = ''
      }
      text = event.type === 'text-so-far' ? event.text : text + event.text
      if (text.length <= printed.length && continues()) return []
      const before = printed
      printed = text
      if (text.startsWith(before)) return [{ text: text.slice(before.length) }]
      return [{ text: text.slice(sameLines(before, text)), isAnew: true }]
    },
  }
}

/** How many characters both begin with, in whole lines. */
function sameLines(one: string, other: string): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return one.lastIndexOf('\n', same - 1) + 1
}
