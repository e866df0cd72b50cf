import type { FileMap, FormatId, OperationResult, SearchHits } from '@filewright/documents'
import type {
  CallIds,
  Change,
  DocPath,
  FileEntry,
  FilePage,
  Operation,
  PageOfFiles,
  Reading,
  Region,
  RelativePath,
  Result,
  Sha256,
} from '@filewright/protocol'

/** Everything a client handler may touch: the draft's view of the files, never the disk. */
export interface ClientContext {
  readonly call: CallIds
  readonly files: Files
  readonly draft: DraftEdits
}

export type FileFailure =
  | 'NOT_FOUND'
  | 'WORKSPACE_GONE'
  | 'DUPLICATE_PATH'
  | 'PRIVATE_FILE'
  | 'InvalidPath'
  | 'UNREADABLE_FORMAT'
  | 'ENCRYPTED'
  | 'TOO_LARGE'
  | 'TIMEOUT'
  | 'INVALID_ARGUMENT'
  | 'NO_SUCH_REGION'
  | 'READ_ONLY_FORMAT'
  | 'PROTECTED'
  | 'SIGNED'
  | 'CONFLICT'
  | 'WRITE_FAILED'
  | 'INTERNAL_ERROR'

export interface FileFacts {
  readonly docPath: DocPath
  readonly path: RelativePath
  /** Null, as the hash, while the bytes of a drafted office file are not made. */
  readonly sizeBytes: number | null
  readonly sha256: Sha256 | null
  readonly format: FormatId
  /** Whether the draft holds it, and how. */
  readonly draft: 'none' | 'created' | 'changed' | 'moved'
}

export interface ListedFiles extends Omit<FilePage, 'files'> {
  readonly files: readonly ListedFile[]
  /** What the draft did to each, by docPath. */
  readonly drafted: ReadonlyMap<string, string>
}

export interface ListedFile extends Omit<FileEntry, 'sizeBytes'> {
  /** As the draft has it; null for an office file that it changed, whose zip is not made yet. */
  readonly sizeBytes: number | null
}

/** The files as the draft has them: what it changed stands before what lies on disk. */
export interface Files {
  list(page: PageOfFiles): Promise<Result<ListedFiles, FileFailure>>
  /** Where a path would be, in the spelling its folders have; no file need be there. */
  locate(
    spelling: string,
  ): Promise<Result<{ docPath: DocPath; path: RelativePath; exists: boolean }, FileFailure>>
  facts(spelling: string): Promise<Result<FileFacts, FileFailure>>
  /** What lies on disk now, draft or not; null: nothing does. */
  onDisk(
    docPath: DocPath,
  ): Promise<Result<{ path: RelativePath; sha256: Sha256; sizeBytes: number } | null, FileFailure>>
  map(spelling: string): Promise<Result<FileMap & { readonly file: FileFacts }, FileFailure>>
  read(
    spelling: string,
    region: Region,
    options: { styles?: boolean },
  ): Promise<Result<Reading & { readonly file: FileFacts }, FileFailure>>
  search(
    spelling: string,
    query: { text?: string; regex?: string; caseSensitive?: boolean; maxHits: number },
  ): Promise<Result<SearchHits, FileFailure>>
}

export interface EditOptions {
  readonly createIfMissing?: boolean
  readonly copyFrom?: string
  readonly allowProtected?: boolean
  readonly allowBreakSignature?: boolean
}

export interface Edited {
  readonly file: FileFacts
  readonly created: boolean
  readonly results: readonly OperationResult[]
  readonly changes: readonly Change[]
  readonly warnings: readonly string[]
  /** Null: nothing was changed, and no draft is open. */
  readonly draftId: string | null
}

export interface DraftEdits {
  /** All or none; durable before it answers. */
  edit(
    spelling: string,
    format: FormatId,
    operations: readonly Operation[],
    options: EditOptions,
  ): Promise<Result<Edited, FileFailure>>
  /** Copies, moves and deletes, all or none. */
  arrange(
    steps: readonly ArrangeStep[],
  ): Promise<Result<{ draftId: string; arranged: readonly Arranged[] }, FileFailure>>
}

export interface ArrangeStep {
  readonly op: 'copy' | 'move' | 'delete'
  readonly path: string
  readonly from?: string
}

export interface Arranged {
  readonly op: ArrangeStep['op']
  readonly path: RelativePath
  readonly docPath: DocPath
  readonly message: string
}
