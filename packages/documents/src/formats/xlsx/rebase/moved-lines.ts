import { doubtOfAttached, doubtOfReferring } from './attached.ts'
import { Frame } from './frame.ts'
import { Places, type SheetPair } from './places.ts'
import { type Doubt, doubtOfSheet } from './prove.ts'
import { isFilled, type SheetContent, wordOf } from './sheet-content.ts'

/**
 * A difference is written cell by cell, so what others attached to a line stays where it is while a line that the
 * difference moves goes. A sheet with such lines must be as it was.
 */
export function doubtOfMovedLines(base: Uint8Array, made: Uint8Array, current: Uint8Array): Doubt {
  const own = Places.open(base, made)
  const others = Places.open(base, current)
  if (!own.ok || !others.ok) return undefined // the replay says why
  const origin = new Frame(others.value, others.value.old, others.value.now)
  for (const pair of own.value.pairs.values()) {
    const { rows, columns, oldSheet } = pair
    if (rows.isSteady && columns.isSteady && !movesCells(pair)) continue
    const sheet = others.value.old.sheets[oldSheet.id]!
    const framed = origin.find(sheet)
    const doubt = framed
      ? (doubtOfSheet(origin, framed) ??
        doubtOfAttached(origin, framed) ??
        doubtOfReferring(origin, framed))
      : 'it is gone or renamed'
    if (doubt) return `rows or columns of ${JSON.stringify(sheet.name)} move, and there ${doubt}`
  }
  return undefined
}

/** What one of its cells held stands in another cell now. */
function movesCells({ old, now }: SheetPair): boolean {
  const [taken, put] = [new Set<string>(), new Set<string>()]
  for (const key of new Set([...old.cells.keys(), ...now.cells.keys()])) {
    const [before, after] = [wordAt(old, key), wordAt(now, key)]
    if (before === after) continue
    if (before !== undefined) taken.add(before)
    if (after !== undefined) put.add(after)
  }
  return [...taken].some(word => put.has(word))
}

/** One formula is as good as another: its text changes when it moves. */
function wordAt({ cells }: SheetContent, key: number): string | undefined {
  const cell = cells.get(key)
  if (!cell || !isFilled(cell)) return undefined
  return cell.formula ? '=' : wordOf(cell.content)
}
