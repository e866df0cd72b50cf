import { fail, ok, type Result, type SourceFacts, toDocPath } from '@filewright/protocol'
import type { StoreBlobs } from '../link/store-blobs.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import type { Draft } from './draft.ts'
import { type Desk, draftedBytes } from './draft-view.ts'
import { refuseDraftedKeyFile } from './refuse-key-file.ts'

export interface DraftContentPorts {
  readonly desk: Desk
  readonly blobs: Pick<StoreBlobs, 'put'>
  /** Hands bytes over within this process instead of sending them. */
  readonly hand: boolean
}

/** A file of any format as a draft has it. Undefined: the draft does not touch it, so the disk has it. */
export async function readDraftContent(
  { desk, blobs, hand }: DraftContentPorts,
  draft: Draft,
  spelling: string,
): Promise<Result<SourceFacts> | undefined> {
  const file = draft.files.get(toDocPath(spelling as never))
  if (!file) return undefined
  if (file.isDeleted)
    return fail('NOT_FOUND', `"${file.path}" was deleted or moved away in the draft.`)
  const refused = refuseDraftedKeyFile(desk, file)
  if (refused) return refused
  const bytes = await draftedBytes(desk, draft, file)
  if (!bytes.ok) return bytes
  const { path, docPath } = file
  const sha256 = sha256Of(bytes.value)
  if (!hand) await blobs.put(sha256, bytes.value)
  const facts = { path, docPath, sha256, sizeBytes: bytes.value.length, isDrafted: true }
  return ok(hand ? { ...facts, bytes: bytes.value } : facts)
}
