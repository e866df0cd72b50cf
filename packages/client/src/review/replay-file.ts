import { findFormat, type StrayedOperation, withdrawnBy } from '@filewright/documents'
import {
  type Change,
  type Failure,
  type LoggedOperation,
  ok,
  type Result,
} from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import { type Desk, draftedRef, engineFor } from '../draft/draft-view.ts'
import { operationIdOf } from '../draft/drop-operations.ts'
import type { ReviewedFile } from './reviewed-file.ts'

/**
 * Operations that make something else now than when they were accepted, or of which that is not known: versions before
 * 0.2 did not keep what an operation saw of results. Fails where the file cannot be replayed.
 */
export async function findStrayed(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
): Promise<Result<readonly StrayedOperation[]>> {
  if (file.log.length === 0) return ok([])
  const strayed = await engineFor(desk, file.format).strayed(draftedRef(desk, draft, file))
  if (!strayed.ok || !findFormat(file.format)?.has.computing) return strayed
  const untraced = file.log.slice().filter(logged => !logged.trace && !withdrawnBy(logged))
  return ok([...strayed.value, ...untraced.map(toStrayed)])
}

function toStrayed({ toolCallId, index, operation }: LoggedOperation): StrayedOperation {
  return { toolCallId, index, op: operation.op }
}

/** A file that cannot be replayed, as one change: the operation that is refused, for a person to drop. */
export function brokenFile(file: DraftFile, failure: Failure): ReviewedFile {
  const { reason, ...operation } = refusedIn(file, failure)
  const { docPath, path } = file
  const change: Change = {
    id: operationIdOf(operation),
    docPath,
    path,
    kind: 'operation',
    place: `operation ${operation.op}, which cannot be done again`,
    before: null,
    after: null,
    operation,
    dependsOn: [],
    description: reason,
  }
  return { file, changes: [change], broken: failure }
}

/** Where a replay was stopped and not refused, its last operation. */
function refusedIn({ log }: DraftFile, { details, message }: Failure) {
  const refused = details?.refused as (StrayedOperation & { reason: string }) | undefined
  return refused ?? { ...toStrayed(log.at(-1)!), reason: message.replace(/\.$/, '') }
}
