import { doubtOfAttached } from './attached.ts'
import { Frame } from './frame.ts'
import { Places } from './places.ts'
import { type Doubt, doubtOfSheet } from './prove.ts'

/**
 * A difference is written cell by cell, so what others attached to a line stays where it is while a line that the
 * difference moves goes. A sheet with such lines must be as it was.
 */
export function doubtOfMovedLines(base: Uint8Array, made: Uint8Array, current: Uint8Array): Doubt {
  const own = Places.open(base, made)
  const others = Places.open(base, current)
  if (!own.ok || !others.ok) return undefined // the replay says why
  const origin = new Frame(others.value, others.value.old, others.value.now)
  for (const { rows, columns, oldSheet } of own.value.pairs.values()) {
    if (rows.isSteady && columns.isSteady) continue
    const sheet = others.value.old.sheets[oldSheet.id]!
    const framed = origin.find(sheet)
    const doubt = framed
      ? (doubtOfSheet(origin, framed) ?? doubtOfAttached(origin, framed))
      : 'it is gone or renamed'
    if (doubt) return `rows or columns of ${JSON.stringify(sheet.name)} move, and there ${doubt}`
  }
  return undefined
}
