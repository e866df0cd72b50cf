import { fail, ok, type Result, toBytes } from '@filewright/protocol'
import type { Rebased, RebaseRequest } from '../../../format.ts'
import { type LinePatch, onlyPatch } from './line-changes.ts'
import { patchBetween } from './patch-between.ts'
import { rebaseFilePatch } from './rebase.ts'

/** Maps a draft's result onto the current text, by lines. */
export function rebaseLog(request: RebaseRequest): Result<Rebased> {
  const { base, current, version, since, advice, isDraft } = request
  const { path } = request.name
  const patch = patchOf(request)
  if (!patch)
    return fail(
      'CONFLICT',
      `Nothing was written: "${path}" changed on disk ${since}, and its change cannot be mapped by lines. ${advice}`,
    )
  const mapped = rebaseFilePatch(base, current, patch, {
    path,
    version,
    ...(isDraft && { advice }),
  })
  return mapped.ok ? ok({ content: mapped.value.content, lineMap: mapped.value.lineMap }) : mapped
}

/** A single patch keeps its own changes and their expected context; any other log becomes the difference it made. */
function patchOf({ base, log, refused, planned }: RebaseRequest): LinePatch | undefined {
  const whole = refused.size === 0 ? onlyPatch(log) : undefined
  return whole ?? patchBetween(base, toBytes(planned, base))
}
