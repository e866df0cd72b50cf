import type { SheetContent } from './sheet-content.ts'

/**
 * Which sheet each old sheet is now: the one of its name, unless another has more of its content; or, when the name is
 * gone, the only new name with half of its content at least.
 */
export function pairSheets(
  old: readonly SheetContent[],
  now: readonly SheetContent[],
): ReadonlyMap<SheetContent, SheetContent> {
  const pairs = new Map<SheetContent, SheetContent>()
  const named = new Map(now.map(sheet => [fold(sheet.name), sheet]))
  const oldNames = new Set(old.map(({ name }) => fold(name)))
  const gone = old.filter(({ name }) => !named.has(fold(name)))
  const fresh = now.filter(({ name }) => !oldNames.has(fold(name)))
  const changed = now.filter(sheet => !isSame(old.find(isNamed(sheet.name)), sheet))
  for (const sheet of old) {
    const same = named.get(fold(sheet.name))
    const isKept = same && isBest(sheet, same, changed)
    const renamed = same ? undefined : findRenamed(sheet, fresh, gone)
    if (isKept) pairs.set(sheet, same)
    else if (renamed) pairs.set(sheet, renamed)
  }
  return pairs
}

function fold(name: string): string {
  return name.trim().toLowerCase()
}

function isNamed(name: string): (sheet: SheetContent) => boolean {
  return sheet => fold(sheet.name) === fold(name)
}

/** No other changed sheet has more of its content. */
function isBest(
  sheet: SheetContent,
  found: SheetContent,
  others: readonly SheetContent[],
): boolean {
  if (!others.includes(found)) return true
  const common = inCommon(sheet, found)
  return others.every(other => inCommon(sheet, other) <= common)
}

function findRenamed(
  sheet: SheetContent,
  fresh: readonly SheetContent[],
  gone: readonly SheetContent[],
): SheetContent | undefined {
  const most = countOf(sheet)
  const likely = fresh.filter(other => most > 0 && inCommon(sheet, other) * 2 >= most)
  const [only] = likely
  if (!only || likely.length > 1) return undefined
  const common = inCommon(sheet, only)
  return gone.every(other => other === sheet || inCommon(other, only) < common) ? only : undefined
}

function isSame(old: SheetContent | undefined, now: SheetContent): boolean {
  if (!old || old.rows.size !== now.rows.size) return false
  for (const [row, { key }] of old.rows) if (now.rows.get(row)?.key !== key) return false
  return true
}

/** Constants at the same place. */
function inCommon(a: SheetContent, b: SheetContent): number {
  let count = 0
  for (const [row, { constants }] of a.rows) {
    const there = b.rows.get(row)?.constants
    if (!there) continue
    for (const [column, word] of constants) if (there.get(column) === word) count++
  }
  return count
}

function countOf({ rows }: SheetContent): number {
  let count = 0
  for (const { constants } of rows.values()) count += constants.size
  return count
}
