import { type FormatId, factsOf, filesNamedBy, type InputBytes } from '@filewright/documents'
import { type LoggedOperation, type Operation, ok, type Result } from '@filewright/protocol'
import type { FileFailure } from '@filewright/tools'
import { madeBy } from '../draft/draft.ts'
import { bytesInDraft } from './bytes-in-draft.ts'
import type { DraftWork } from './draft-work.ts'

/** The other files that the operations of a call name: pinned in its log, with their bytes by hash. */
export interface PinnedInputs {
  /** For each operation, in order. */
  readonly logged: readonly Pick<LoggedOperation, 'inputs' | 'takes'>[]
  readonly bytes: InputBytes
}

type Work = Pick<DraftWork, 'desk' | 'scratch'>

/** Takes them as the draft has them, else from the disk. */
export async function pinInputs(
  work: Work,
  format: FormatId,
  operations: readonly Operation[],
): Promise<Result<PinnedInputs, FileFailure>> {
  const table = factsOf(format).editing?.operations
  const logged: Pick<LoggedOperation, 'inputs' | 'takes'>[] = []
  const bytes: Record<string, Uint8Array> = {}
  for (const operation of operations) {
    const named = table ? filesNamedBy(operation, table) : []
    const inputs: Record<string, NonNullable<LoggedOperation['inputs']>[string]> = {}
    const takes: NonNullable<LoggedOperation['takes']>[number][] = []
    for (const spelling of named) {
      const found = await bytesInDraft(work, spelling, tooLarge)
      if (!found.ok) return found
      const sha256 = await work.desk.blobs.put(found.value.bytes)
      inputs[spelling] = sha256
      bytes[sha256] = found.value.bytes
      if (found.value.drafted) takes.push(...madeBy(found.value.drafted))
    }
    logged.push({
      ...(named.length > 0 && { inputs }),
      ...(takes.length > 0 && { takes }),
    })
  }
  return ok({ logged, bytes })
}

function tooLarge(path: string, megabytes: number): string {
  return `Nothing was written: "${path}" is larger than ${megabytes} MB, the most that an operation takes from another file.`
}
