import { counted, type Effect } from '@filewright/protocol'
import type { RunState } from './loop-state.ts'

/** The last line of every run, computed from what the tools recorded and never from what the model says (CONTRACT §7). */
export function closingLine({ effects, reviewed }: Pick<RunState, 'effects' | 'reviewed'>): string {
  const written = part(effects, 'workspace', 'written')
  const drafted = part(effects, 'draft', 'in the draft')
  const parts = [written, drafted].filter(text => text !== '')
  if (parts.length === 0) parts.push('No file was changed')
  const { refused, takenBack } = reviewed
  if (refused > 0) parts.push(`${counted(refused, 'change')} refused by the person`)
  if (takenBack > 0) parts.push(`${counted(takenBack, 'file')} taken back by the person`)
  return parts.join('; ')
}

/** What became of one file over the run. */
interface FileFate {
  readonly action: Effect['action']
  /** By unit. */
  readonly counts: ReadonlyMap<Effect['unit'], number>
}

const NONE: FileFate['counts'] = new Map()

function part(effects: readonly Effect[], where: Effect['where'], words: string): string {
  const fates = [...fatesOf(effects.filter(effect => effect.where === where)).values()]
  if (fates.length === 0) return ''
  const details = [...countsByUnit(fates), ...countsByAction(fates)]
  const title = `${counted(fates.length, 'file')} ${words}`
  return details.length === 0 ? title : `${title}: ${details.join(', ')}`
}

/** A file that was edited and moved is one file; one that was made and deleted again is none. */
function fatesOf(effects: readonly Effect[]): Map<string, FileFate> {
  const fates = new Map<string, FileFate>()
  for (const { docPath, from, action, count: number, unit } of effects) {
    const before = fates.get(from ?? docPath)
    if (from !== undefined) fates.delete(from)
    if (action === 'deleted') {
      if (before?.action === 'created') fates.delete(docPath)
      else fates.set(docPath, { action, counts: NONE })
      continue
    }
    const counts = before?.counts ?? NONE
    fates.set(docPath, {
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

/** Cells before lines; changes that are neither come last. */
function countsByUnit(fates: readonly FileFate[]): string[] {
  const units = new Set(fates.flatMap(({ counts }) => [...counts.keys()]))
  const inOrder = [...units].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
  return inOrder.flatMap(unit => {
    const total = fates.reduce((sum, { counts }) => sum + (counts.get(unit) ?? 0), 0)
    return total === 0 ? [] : counted(total, unit.slice(0, -1))
  })
}

function rankOf(unit: Effect['unit']): number {
  return unit === 'changes' ? 1 : 0
}

/** What counts of cells or lines do not show: files that are new, deleted or moved. */
function countsByAction(fates: readonly FileFate[]): string[] {
  return (['created', 'deleted', 'moved'] as const).flatMap(action => {
    const files = fates.filter(fate => fate.action === action).length
    return files === 0 ? [] : `${files} ${action}`
  })
}
