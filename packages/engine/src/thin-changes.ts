import { type Change, type ChangeSide, changedLines } from '@filewright/protocol'

const TOLD = 1_000 // more than an answer names, changes and lines of one

/**
 * The changes of one call as its caller needs them: beyond the first thousand, changes and lines of a change are only
 * counted, so their content stays where it is. A review lists all of them.
 */
export function thinChanges(changes: readonly Change[]): readonly Change[] {
  if (changes.length <= TOLD && !changes.some(isLong)) return changes
  return changes.map((change, i) => {
    if (i >= TOLD) return countedOnly(change)
    return isLong(change) ? shortened(change) : change
  })
}

function isLong({ before, after }: Change): boolean {
  return (before?.lines?.length ?? 0) > TOLD || (after?.lines?.length ?? 0) > TOLD
}

function countedOnly(change: Change): Change {
  const lineCount = changedLines(change.before, change.after)
  return { ...change, before: null, after: lineCount > 1 ? { lineCount } : null }
}

function shortened(change: Change): Change {
  const { before, after } = change
  const lineCount = changedLines(before, after)
  return {
    ...change,
    before: before && cut(before),
    after: { ...(after && cut(after)), lineCount },
  }
}

function cut(side: ChangeSide): ChangeSide {
  return { ...side, ...(side.lines && { lines: side.lines.slice(0, TOLD) }) }
}
