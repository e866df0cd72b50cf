import type { InputBytes } from '@filewright/documents'
import { fail, type LoggedOperation, ok, type Result, type Sha256 } from '@filewright/protocol'
import type { StateBlobs } from '../state/state-blobs.ts'

interface Kept {
  readonly blobs: StateBlobs
}

/** Bytes that the log of a draft names. */
export async function pinnedBytes(
  { blobs }: Kept,
  path: string,
  sha256: Sha256,
): Promise<Result<Uint8Array, 'INTERNAL_ERROR'>> {
  const bytes = await blobs.get(sha256)
  if (bytes) return ok(bytes)
  return fail(
    'INTERNAL_ERROR',
    `The bytes ${sha256.slice(0, 8)} that the draft of "${path}" is based on are gone from the state folder. Discard the draft and make the change again.`,
  )
}

/** The other files that the operations of a log take something from. */
export async function inputBytes(
  kept: Kept,
  path: string,
  log: readonly LoggedOperation[],
): Promise<Result<InputBytes, 'INTERNAL_ERROR'>> {
  const inputs: Record<string, Uint8Array> = {}
  for (const { inputs: pinned = {} } of log)
    for (const sha256 of Object.values(pinned)) {
      if (inputs[sha256]) continue
      const bytes = await pinnedBytes(kept, path, sha256)
      if (!bytes.ok) return bytes
      inputs[sha256] = bytes.value
    }
  return ok(inputs)
}
