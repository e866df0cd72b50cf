import { fail, type LoggedOperation, ok, type Result, toBytes } from '@filewright/protocol'
import type { Rebased, RebaseRequest } from '../../../format.ts'
import { withdrawnBy } from '../../../withdrawal.ts'
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
    ...(isDraft && { advice, since }),
    ...(request.ours && { isForced: request.ours.size > 0 }),
  })
  if (!mapped.ok) return mapped
  const { content, lineMap } = mapped.value
  return ok({ content, lineMap, log: toLog(request.log, mapped.value.patch) })
}

/** All of it as one operation, under the last one's id. */
function toLog(log: readonly LoggedOperation[], patch: LinePatch): LoggedOperation[] {
  const last = log.findLast(logged => !withdrawnBy(logged))
  if (!last) return []
  const { trace: _, ...own } = last // of another operation
  return [{ ...own, operation: { op: 'line_changes', ...patch } }]
}

/** A single patch keeps its own changes and their expected context; any other log becomes the difference it made. */
function patchOf({ base, log, left, refused, planned }: RebaseRequest): LinePatch | undefined {
  const whole = refused.size === 0 && !left ? onlyPatch(log) : undefined
  return whole ?? patchBetween(base, toBytes(planned, base))
}
