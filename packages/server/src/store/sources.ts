import type {
  ChangeSetId,
  DocPath,
  RelativePath,
  Result,
  Sha256,
  Version,
  WorkspaceId,
} from '@filewright/protocol'

/** How a version arrived. A `buffer` is unsaved editor text: a version that is never a head. */
export type Origin =
  | { readonly kind: 'read-through' }
  | { readonly kind: 'upload' }
  | { readonly kind: 'buffer' }
  | { readonly kind: 'change-set'; readonly changeSetId: ChangeSetId }

/** One entry of a file's history. */
export interface SourceVersion {
  readonly docPath: DocPath
  /** The spelling on disk. */
  readonly path: RelativePath
  /** Null: the file was deleted. */
  readonly sha256: Sha256 | null
  readonly sizeBytes: number
  /** ISO 8601. */
  readonly time: string
  readonly origin: Origin
}

/** The current version of a docPath. */
export type Head = SourceVersion

export interface HeadMove {
  readonly docPath: DocPath
  readonly path: RelativePath
  /** The expected current head (null: none, or deleted). Absent: any, because the disk wins. */
  readonly expected?: Sha256 | null
  /** Null deletes. Its bytes must be in the blob store already. */
  readonly sha256: Sha256 | null
  readonly sizeBytes: number
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page starts; absent on the last. */
  readonly next?: string
}

/** The versions of a workspace's files by docPath, with full history. Workspaces cannot see each other's files. */
export interface Sources {
  /** A deleted file's head has `sha256` null; undefined: never seen. */
  head(workspaceId: WorkspaceId, docPath: DocPath): Promise<Head | undefined>
  heads(workspaceId: WorkspaceId, docPaths: readonly DocPath[]): Promise<Map<DocPath, Head>>
  /**
   * All heads or none, by one compare-and-swap. CONFLICT: `details.moved` is [{docPath, sha256}] with the current
   * hash of each head that moved. NOT_FOUND: `details.missing` are the hashes whose bytes were not put before.
   * Repeating a change set that is in already changes nothing and succeeds.
   */
  moveHeads(
    workspaceId: WorkspaceId,
    moves: readonly HeadMove[],
    origin: Origin,
  ): Promise<Result<readonly Head[], 'CONFLICT' | 'NOT_FOUND'>>

  /** Stores a version that is not a head: an unsaved buffer. Its bytes must already be in the blob store. */
  addVersion(
    workspaceId: WorkspaceId,
    version: Pick<SourceVersion, 'docPath' | 'path' | 'sizeBytes'> & { readonly sha256: Sha256 },
  ): Promise<Result<SourceVersion, 'NOT_FOUND'>>

  /** Expands a version or sha256 to the full hash, among the versions of this docPath. */
  resolveVersion(
    workspaceId: WorkspaceId,
    docPath: DocPath,
    version: Version | Sha256,
  ): Promise<Result<Sha256, 'AMBIGUOUS_VERSION' | 'CONFLICT'>>

  /** Newest first. */
  history(
    workspaceId: WorkspaceId,
    docPath: DocPath,
    page?: { readonly before?: string; readonly limit?: number },
  ): Promise<Page<SourceVersion>>

  /** Whether a version of any file of this workspace has these bytes, which permits a blob request. */
  knows(workspaceId: WorkspaceId, sha256: Sha256): Promise<boolean>
  /** The files that have or had these bytes, at most `MOST_PATHS` of them. */
  pathsOf(workspaceId: WorkspaceId, sha256: Sha256): Promise<readonly DocPath[]>

  /** The bytes of a version of this docPath; undefined when it has no such version or its blob is gone. */
  read(workspaceId: WorkspaceId, docPath: DocPath, sha256: Sha256): Promise<Uint8Array | undefined>
}

/** More files than these are not asked about for one blob. */
export const MOST_PATHS = 200
