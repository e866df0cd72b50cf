import type { FormatId } from '@filewright/documents'
import { counted, fail, LIMITS, type Result } from '@filewright/protocol'
import type { Draft } from './draft.ts'

/** Each place of a text and each cell is a change of its own: more of them in one draft than a review can hold. */
export function refuseTooMany(
  { files }: Pick<Draft, 'files'>,
  format: FormatId,
  added: number,
): Result<never, 'TOO_LARGE'> | undefined {
  const isText = format === 'text'
  const most = isText ? LIMITS.draftedPlaces : LIMITS.draftedCells
  let held = 0
  for (const file of files.values())
    if ((file.format === 'text') === isText) held += file.changeCount ?? 0
  if (held + added <= most) return undefined
  const bound = `a draft that is to be reviewed holds at most ${most}`
  if (held === 0)
    return fail(
      'TOO_LARGE',
      `Nothing was written: this call changes ${isText ? `${counted(added, 'place')} of a text` : `${counted(added, 'cell')} of a workbook`}, and ${bound}. Change fewer in one call, and the rest when the person has published those.`,
    )
  return fail(
    'TOO_LARGE',
    `Nothing was written: the draft holds ${isText ? `${counted(held, 'changed place')} of texts` : `${counted(held, 'changed cell')} of workbooks`} already, this call adds ${added}, and ${bound}. Ask the person to publish or discard it, then make this change.`,
  )
}
