import type { Effect } from '@filewright/protocol'

/** The last line of every run, computed from what the tools recorded and never from what the model says (CONTRACT §7). */
export function closingLine(effects: readonly Effect[]): string {
  const written = part(effects, 'workspace', 'written')
  const drafted = part(effects, 'draft', 'in the draft')
  const parts = [written, drafted].filter(text => text !== '')
  return parts.length === 0 ? 'No file was changed' : parts.join('; ')
}

function part(effects: readonly Effect[], where: Effect['where'], words: string): string {
  const here = effects.filter(effect => effect.where === where)
  if (here.length === 0) return ''
  const files = new Set(here.map(effect => effect.docPath)).size
  const details = [...countsByUnit(here), ...countsByAction(here)]
  const title = `${count(files, 'file')} ${words}`
  return details.length === 0 ? title : `${title}: ${details.join(', ')}`
}

const UNITS = ['cells', 'lines', 'changes'] as const

function countsByUnit(effects: readonly Effect[]): string[] {
  return UNITS.flatMap(unit => {
    const total = effects
      .filter(effect => effect.unit === unit)
      .reduce((sum, effect) => sum + effect.count, 0)
    return total === 0 ? [] : count(total, unit.slice(0, -1))
  })
}

/** What no count of cells or lines tells: files that are new, gone or elsewhere. */
function countsByAction(effects: readonly Effect[]): string[] {
  return (['created', 'deleted', 'moved'] as const).flatMap(action => {
    const files = new Set(
      effects.filter(effect => effect.action === action).map(effect => effect.docPath),
    ).size
    return files === 0 ? [] : `${files} ${action}`
  })
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
