import { counted, type Effect } from '@filewright/protocol'
import type { RunState } from './loop-state.ts'

/** The last line of every run, computed from what the tools recorded and never from what the model says (CONTRACT §7). */
export function closingLine({
  effects,
  reviewed,
  outside,
}: Pick<RunState, 'effects' | 'reviewed' | 'outside'>): string {
  const written = part(effects, 'workspace', 'written')
  const drafted = part(effects, 'draft', 'in the draft')
  const parts = [written, drafted].filter(text => text !== '')
  if (parts.length === 0) parts.push('No file was changed')
  const { refused, takenBack } = reviewed
  if (refused > 0) parts.push(`${counted(refused, 'change')} refused by the person`)
  if (takenBack > 0) parts.push(`${counted(takenBack, 'file')} taken back by the person`)
  if (outside > 0)
    parts.push(`${counted(outside, 'call')} to MCP servers, whose own changes are not counted`)
  return parts.join('; ')
}

/** The net effect of the run on one file. */
interface FileFate {
  readonly path: string
  readonly action: Effect['action']
  /** By unit. */
  readonly counts: ReadonlyMap<Effect['unit'], number>
}

const NONE: FileFate['counts'] = new Map()

const MOST_NAMED = 10

function part(effects: readonly Effect[], where: Effect['where'], words: string): string {
  const fates = [...fatesOf(effects.filter(effect => effect.where === where)).values()]
  if (fates.length === 0) return ''
  const named = fates.slice(0, MOST_NAMED).map(describeFate)
  const more = fates.length > MOST_NAMED ? `, and ${fates.length - MOST_NAMED} more` : ''
  return `${counted(fates.length, 'file')} ${words}: ${named.join(', ')}${more}`
}

/** "prices.xlsx (14 cells)", "new.md (created, 9 lines)" */
function describeFate({ path, action, counts }: FileFate): string {
  const details = [...(action === 'changed' ? [] : [action]), ...describeCounts(counts)]
  return details.length === 0 ? path : `${path} (${details.join(', ')})`
}

/** Cells before lines; changes that are neither come last. */
function describeCounts(counts: FileFate['counts']): string[] {
  return [...counts]
    .filter(([, number]) => number > 0)
    .sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
    .map(([unit, number]) => counted(number, unit.slice(0, -1)))
}

function rankOf(unit: Effect['unit']): number {
  return unit === 'changes' ? 1 : 0
}

/** A file that was edited and moved is one file; one that was created and deleted again does not count. */
function fatesOf(effects: readonly Effect[]): Map<string, FileFate> {
  const fates = new Map<string, FileFate>()
  for (const { docPath, path, from, action, count: number, unit } of effects) {
    const before = fates.get(from ?? docPath)
    if (from !== undefined) fates.delete(from)
    if (action === 'deleted') {
      if (before?.action === 'created') fates.delete(docPath)
      else fates.set(docPath, { path, action, counts: NONE })
      continue
    }
    const counts = before?.counts ?? NONE
    fates.set(docPath, {
      path,
      action: before ? actionAfter(before.action, action) : action,
      counts:
        unit === 'files' ? counts : new Map(counts).set(unit, (counts.get(unit) ?? 0) + number),
    })
  }
  return fates
}

function actionAfter(before: Effect['action'], action: Effect['action']): Effect['action'] {
  if (before === 'deleted') return 'changed'
  return before === 'changed' ? action : before
}
