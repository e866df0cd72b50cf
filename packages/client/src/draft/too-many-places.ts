import { counted, fail, LIMITS, type Result } from '@filewright/protocol'
import type { Draft } from './draft.ts'

/** Of texts, where each place is a change of its own: more of them in one draft than a review can hold. */
export function refuseTooMany(
  { files }: Pick<Draft, 'files'>,
  added: number,
): Result<never, 'TOO_LARGE'> | undefined {
  let held = 0
  for (const file of files.values()) if (file.format === 'text') held += file.changeCount ?? 0
  if (held + added <= LIMITS.draftedPlaces) return undefined
  const bound = `a draft that is to be reviewed holds at most ${LIMITS.draftedPlaces}`
  if (held === 0)
    return fail(
      'TOO_LARGE',
      `Nothing was written: this call changes ${counted(added, 'place')} of a text, and ${bound}. Change fewer in one call, and the rest when the person has published those.`,
    )
  return fail(
    'TOO_LARGE',
    `Nothing was written: the draft holds ${counted(held, 'changed place')} of texts already, this call adds ${added}, and ${bound}. Ask the person to publish or discard it, then make this change.`,
  )
}
