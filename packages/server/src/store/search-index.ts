import type { FileChunks } from '@filewright/documents'
import type { WorkspaceId } from '@filewright/protocol'

/** What a file was when it was indexed. */
export interface IndexedFile {
  readonly docPath: string
  /** The spelling on disk. */
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  /** As a listing gives it: ISO 8601. */
  readonly modified: string
}

export interface FoundChunk {
  readonly docPath: string
  readonly path: string
  readonly language: string
  readonly place: string
  readonly symbol: string | null
  readonly lineStart: number
  readonly lineEnd: number
  readonly text: string
}

/**
 * Chunks of versions in the source store, for ranked search. A cache: whatever is lost is indexed again. Workspaces
 * cannot see each other's files.
 */
export interface SearchIndex {
  files(workspaceId: WorkspaceId): Promise<ReadonlyMap<string, IndexedFile>>
  /** Replaces what was there of this file. */
  put(workspaceId: WorkspaceId, file: IndexedFile, chunks: FileChunks): Promise<void>
  /** The same bytes with another time or spelling. */
  touch(workspaceId: WorkspaceId, file: IndexedFile): Promise<void>
  remove(workspaceId: WorkspaceId, docPaths: readonly string[]): Promise<void>
  /** The chunks with these words, the best first: those with rare words, in their names before their texts. */
  search(
    workspaceId: WorkspaceId,
    words: readonly string[],
    limit: number,
  ): Promise<readonly FoundChunk[]>
  /** The chunks that define this symbol, in any case. */
  definitions(
    workspaceId: WorkspaceId,
    symbol: string,
    limit: number,
  ): Promise<readonly FoundChunk[]>
}
