import {
  type ChangeId,
  fail,
  type LoggedOperation,
  ok,
  type Result,
  toBytes,
} from '@filewright/protocol'
import type { Rebased, RebaseRequest } from '../../../format.ts'
import { applyFilePatch } from './apply-file-patch.ts'
import type { LinePatch } from './line-changes.ts'
import type { LineMap } from './line-map.ts'
import { patchBetween } from './patch-between.ts'
import { rebaseFilePatch } from './rebase.ts'

/** Maps what a draft made of its base onto the current text, by lines. */
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

/** Where the lines of the base went. Known of one patch; after several operations nobody counts on the old numbers. */
export function lineMapOf(
  base: Uint8Array,
  log: readonly LoggedOperation[],
  refused: ReadonlySet<ChangeId>,
): LineMap | undefined {
  const patch = onlyPatch(log)
  if (!patch) return undefined
  const changes = patch.changes.filter(change => !refused.has((change.changeId ?? '') as ChangeId))
  const applied = applyFilePatch(base, { ...patch, changes })
  return applied.ok ? applied.value.lineMap : undefined
}

/** One patch keeps its own changes and what they expect around them; anything else is the difference it made. */
function patchOf({ base, log, refused, planned }: RebaseRequest): LinePatch | undefined {
  const whole = refused.size === 0 ? onlyPatch(log) : undefined
  return whole ?? patchBetween(base, toBytes(planned, base))
}

function onlyPatch(log: readonly LoggedOperation[]): LinePatch | undefined {
  const [only, ...others] = log
  if (others.length > 0 || only?.operation.op !== 'line_changes') return undefined
  const { op: _, ...patch } = only.operation
  return patch as unknown as LinePatch // checked when it was logged
}
