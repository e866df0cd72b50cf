import {
  type ChangeId,
  fail,
  type LoggedOperation,
  ok,
  type Result,
  toBytes,
} from '@filewright/protocol'
import type { Rebased, RebaseRequest } from '../../../format.ts'
import type { TextDocument } from '../decode/text.ts'
import type { LinePatch } from './line-changes.ts'
import { type LineMap, toLineMap } from './line-map.ts'
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
  base: TextDocument,
  log: readonly LoggedOperation[],
  refused: ReadonlySet<ChangeId>,
): LineMap | undefined {
  const changes = onlyPatch(log)?.changes.filter(
    ({ changeId }) => changeId === undefined || !refused.has(changeId as ChangeId),
  )
  return changes && toLineMap(changes, base.lineCount)
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
