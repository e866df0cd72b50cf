import { factsOf } from '@filewright/documents'
import { counted, fail, type Result } from '@filewright/protocol'
import type { Draft } from './draft.ts'

/**
 * Each place in a text file and each cell is its own change: refuses more of them in one draft than a review can hold.
 */
export function refuseTooMany(
  { files }: Pick<Draft, 'files'>,
  format: string,
  added: number,
): Result<never, 'TOO_LARGE'> | undefined {
  const { editing, words } = factsOf(format)
  const mostPlaces = editing?.mostPlaces ?? 0
  let held = 0
  for (const file of files.values()) if (file.format === format) held += file.changeCount ?? 0
  if (held + added <= mostPlaces) return undefined
  const bound = `a draft for review holds at most ${mostPlaces}`
  if (held === 0)
    return fail(
      'TOO_LARGE',
      `Nothing was written: this call changes ${counted(added, words.place)} of ${words.file}, and ${bound}. Change fewer in one call, and the rest after the person has published those.`,
    )
  return fail(
    'TOO_LARGE',
    `Nothing was written: the draft already holds ${counted(held, `changed ${words.place}`)}, this call adds ${added}, and ${bound}. Ask the person to publish or discard it, then make this change.`,
  )
}
