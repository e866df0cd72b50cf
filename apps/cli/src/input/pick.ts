import { note, showChanges } from '@filewright/host'
import type { Change } from '@filewright/protocol'
import { askLine } from './prompt.ts'

export interface Picked {
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
  readonly left: readonly string[]
}

/**
 * Goes through the changes one by one; undefined if the person stops.
 * @param canLeave a draft keeps what nobody decided; an approval does not
 */
export async function pick(
  changes: readonly Change[],
  { canLeave }: { readonly canLeave: boolean },
): Promise<Picked | undefined> {
  const picked = { accepted: [] as string[], refused: [] as string[], left: [] as string[] }
  const choices = `[a]ccept, [r]efuse${canLeave ? ', [l]eave' : ''}, [A]ccept all the rest, [q]uit`
  for (let at = 0; at < changes.length; ) {
    const { id } = changes[at]!
    note(showChanges([changes[at]!], []))
    const word = await askLine(`${at + 1} of ${changes.length}: ${choices}: `)
    if (word === 'A') {
      picked.accepted.push(...changes.slice(at).map(change => change.id))
      break
    }
    if (word === '' || /^q(uit)?$/i.test(word)) return undefined
    if (/^(a(ccept)?|y(es)?)$/.test(word)) picked.accepted.push(id)
    else if (/^(r(efuse)?|n(o)?)$/i.test(word)) picked.refused.push(id)
    else if (canLeave && /^l(eave)?$/i.test(word)) picked.left.push(id)
    else continue // it is asked again
    at++
  }
  return picked
}
