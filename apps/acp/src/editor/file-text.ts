import { decodeText, isBinary } from '@filewright/documents/text'
import type { SessionFolder } from './folder.ts'

const READ_BYTES = 512 * 1024 // an editor draws a diff of it

/** `null`: there is no such file; undefined: it is too long, or cannot be read. */
export type ReadOutcome<Content> = Content | null | undefined

/** A file as it is on disk, or in a draft. */
export async function readBytes(
  { connection, params }: SessionFolder,
  path: string,
  draftId?: string,
): Promise<ReadOutcome<Uint8Array>> {
  const query = { path, ...(draftId && { draftId }) }
  return toBytes(await connection.open('getContent', { params, query }))
}

/** The text of a file; undefined where it is none. */
export async function readText(
  folder: SessionFolder,
  path: string,
  draftId?: string,
): Promise<ReadOutcome<string>> {
  return toText(await readBytes(folder, path, draftId))
}

/** The text of some version, by hash. */
export async function readVersion(
  { connection, params }: SessionFolder,
  sha256: string,
): Promise<ReadOutcome<string>> {
  return toText(await toBytes(await connection.open('getBlob', { params: { ...params, sha256 } })))
}

function toText(bytes: ReadOutcome<Uint8Array>): ReadOutcome<string> {
  if (!bytes) return bytes
  return isBinary(bytes) ? undefined : decodeText(bytes).slice().content
}

async function toBytes(response: Response): Promise<ReadOutcome<Uint8Array>> {
  const isRead = response.ok && Number(response.headers.get('content-length')) <= READ_BYTES
  if (!isRead) {
    await response.body?.cancel()
    return response.status === 404 ? null : undefined
  }
  const bytes = new Uint8Array(await response.arrayBuffer())
  return bytes.length > READ_BYTES ? undefined : bytes
}
