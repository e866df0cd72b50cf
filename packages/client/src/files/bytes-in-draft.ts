import { fail, LIMITS, ok, parseRelativePath, type Result, toDocPath } from '@filewright/protocol'
import type { FileFailure } from '@filewright/tools'
import type { DraftFile } from '../draft/draft.ts'
import { draftedBytes, viewFile } from '../draft/draft-view.ts'
import { refuseDraftedKeyFile } from '../draft/refuse-key-file.ts'
import type { DraftWork } from './draft-work.ts'

export interface BytesInDraft {
  readonly bytes: Uint8Array
  readonly drafted?: DraftFile
}

/** A file as the draft has it, else from the disk, for work that takes all of it at once. */
export async function bytesInDraft(
  { desk, scratch }: Pick<DraftWork, 'desk' | 'scratch'>,
  spelling: string,
  tooLarge: (path: string, megabytes: number) => string,
): Promise<Result<BytesInDraft, FileFailure>> {
  const path = parseRelativePath(spelling)
  if (!path.ok) return path
  const docPath = toDocPath(path.value)
  const drafted = scratch.files.get(docPath)
  if (drafted && !drafted.isDeleted) {
    const refused = refuseDraftedKeyFile(desk, drafted)
    if (refused) return refused
    const bytes = await draftedBytes(desk, scratch, drafted)
    return bytes.ok ? ok({ bytes: bytes.value, drafted }) : (bytes as Result<never, FileFailure>)
  }
  if (drafted) return (await viewFile(desk, scratch, spelling)) as Result<never, FileFailure>
  const allowPrivate = desk.allowsReading(docPath)
  const read = await desk.workspace.read(path.value, { allowPrivate, most: LIMITS.inputBytes })
  if (read.ok) return ok({ bytes: read.value.bytes })
  if (read.failure.code === 'TOO_LARGE')
    return fail('TOO_LARGE', tooLarge(path.value, LIMITS.inputBytes / 1024 / 1024))
  return (await viewFile(desk, scratch, spelling)) as Result<never, FileFailure>
}
