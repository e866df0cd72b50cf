import {
  type AnyBytes,
  type DocPath,
  ok,
  type RelativePath,
  type Result,
  type Sha256,
} from '@filewright/protocol'
import { readPieces } from '../workspace/paths/folder.ts'
import type { HashedFile, OpenOptions, ReadCode, Workspace } from '../workspace/tree/workspace.ts'

/** A file on disk, found by some spelling. */
export interface FoundFile {
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly sizeBytes: number
  readonly sha256: Sha256
  readonly bytes: AnyBytes
  /** Its first bytes, where not all of them are at hand. */
  readonly head?: Uint8Array
}

const HEAD_BYTES = 64 * 1024 // more than any format needs to be recognised

/** A file too large to hold: its bytes are read, in pieces, when the engine asks for them. */
export async function findLarge(
  workspace: Workspace,
  path: RelativePath,
  options: OpenOptions,
): Promise<Result<FoundFile, ReadCode>> {
  const hashed = await workspace.hash(path)
  if (!hashed.ok) return hashed
  const head = await workspace.read(path, { ...options, start: 0, end: HEAD_BYTES })
  if (!head.ok) return head
  const { docPath, path: spelling, sizeBytes, sha256 } = hashed.value
  const bytes = { sizeBytes, stream: () => streamOf(workspace, hashed.value, options) }
  return ok({ docPath, path: spelling, sizeBytes, sha256, bytes, head: head.value.bytes })
}

async function* streamOf(
  workspace: Workspace,
  hashed: HashedFile,
  options: OpenOptions,
): AsyncGenerator<Uint8Array> {
  const opened = await workspace.open(hashed.docPath, options)
  if (!opened.ok) throw new Error(opened.failure.message)
  try {
    if (opened.value.mtimeMs !== hashed.mtimeMs)
      throw new Error(`"${hashed.path}" changed while it was read`)
    yield* readPieces(opened.value.file)
  } finally {
    opened.value.file.close()
  }
}
