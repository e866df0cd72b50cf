import { type FormatId, factsOf, filesNamedBy, type InputBytes } from '@filewright/documents'
import {
  fail,
  LIMITS,
  type LoggedOperation,
  type Operation,
  ok,
  parseRelativePath,
  type Result,
  toDocPath,
} from '@filewright/protocol'
import type { FileFailure } from '@filewright/tools'
import { type DraftFile, madeBy } from '../draft/draft.ts'
import { draftedBytes, viewFile } from '../draft/draft-view.ts'
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
      const found = await findInput(work, spelling)
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

interface Input {
  readonly bytes: Uint8Array
  readonly drafted?: DraftFile
}

async function findInput(
  { desk, scratch }: Work,
  spelling: string,
): Promise<Result<Input, FileFailure>> {
  const path = parseRelativePath(spelling)
  if (!path.ok) return path
  const docPath = toDocPath(path.value)
  const drafted = scratch.files.get(docPath)
  if (drafted && !drafted.isDeleted) {
    const bytes = await draftedBytes(desk, scratch, drafted)
    return bytes.ok ? ok({ bytes: bytes.value, drafted }) : (bytes as Result<never, FileFailure>)
  }
  if (drafted) return (await viewFile(desk, scratch, spelling)) as Result<never, FileFailure>
  const allowPrivate = desk.allowsReading(docPath)
  const read = await desk.workspace.read(path.value, { allowPrivate, most: LIMITS.inputBytes })
  if (read.ok) return ok({ bytes: read.value.bytes })
  if (read.failure.code === 'TOO_LARGE')
    return fail(
      'TOO_LARGE',
      `Nothing was written: "${path.value}" is larger than ${LIMITS.inputBytes / 1024 / 1024} MB, the most that an operation takes from another file.`,
    )
  return (await viewFile(desk, scratch, spelling)) as Result<never, FileFailure>
}
