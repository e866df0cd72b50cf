import { findFormat } from '@filewright/documents'
import {
  fail,
  ok,
  type Result,
  type SessionId,
  type SourceFacts,
  toDocPath,
} from '@filewright/protocol'
import type { StoreBlobs } from '../link/store-blobs.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import type { DraftStore } from './draft-store.ts'
import { type Desk, draftedBytes, stateOf } from './draft-view.ts'
import { refuseDraftedKeyFile } from './refuse-key-file.ts'

export interface DraftedSourcePorts {
  readonly desk: Desk
  readonly drafts: DraftStore
  readonly blobs: Pick<StoreBlobs, 'put'>
}

/** Differs after each change to a file in the session's draft. */
export function draftStateOf(
  drafts: DraftStore,
  spelling: string,
  sessionId: string,
): string | undefined {
  const file = drafts.openOf(sessionId as SessionId)?.files.get(toDocPath(spelling as never))
  return file && stateOf(file)
}

/**
 * A file as the session's draft has it, for its model to continue with. Undefined when the disk has it: the draft does
 * not touch it, or its bytes are made when it is published.
 */
export async function readDraftedSource(
  { desk, drafts, blobs }: DraftedSourcePorts,
  spelling: string,
  { sessionId, known, hand }: { sessionId: string; known: string | null; hand: boolean },
): Promise<Result<SourceFacts> | undefined> {
  const draft = drafts.openOf(sessionId as SessionId)
  const file = draft?.files.get(toDocPath(spelling as never))
  if (!draft || !file) return undefined
  if (file.isDeleted)
    return fail('NOT_FOUND', `"${file.path}" was deleted or moved away in the draft.`)
  if (findFormat(file.format)?.isPacked !== false) return undefined
  const refused = refuseDraftedKeyFile(desk, file)
  if (refused) return refused
  const bytes = await draftedBytes(desk, draft, file)
  if (!bytes.ok) return bytes
  const { docPath, path } = file
  const sha256 = sha256Of(bytes.value)
  if (sha256 !== known) await blobs.put(sha256, bytes.value)
  const facts = { path, docPath, sha256, sizeBytes: bytes.value.length, isDrafted: true }
  return ok(hand ? { ...facts, bytes: bytes.value } : facts)
}
