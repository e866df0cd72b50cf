import { ok, type Result, type Sha256 } from '@filewright/protocol'
import { nothingWritten } from '../apply/nothing-written.ts'
import type { DraftFile } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { mayFollow } from '../draft/refuse-key-file.ts'

/** The current disk content at a drafted file's place; a null hash: no file. */
export interface OnDisk {
  readonly sha256: Sha256 | null
  readonly read: () => Promise<Result<Uint8Array>>
}

export async function currentOnDisk(desk: Desk, { docPath }: DraftFile): Promise<Result<OnDisk>> {
  const hashed = await desk.workspace.hash(docPath)
  if (!hashed.ok && hashed.failure.code !== 'NOT_FOUND') return nothingWritten(hashed)
  return ok({
    sha256: hashed.ok ? hashed.value.sha256 : null,
    async read() {
      const read = await desk.workspace.read(docPath, { allowPrivate: mayFollow(desk, docPath) })
      return read.ok ? ok(read.value.bytes) : read
    },
  })
}
