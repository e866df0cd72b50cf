import type {
  FileMap,
  FormatId,
  OperationResult,
  QueryOptions,
  QueryResult,
  SearchHits,
  TablePart,
} from '@filewright/documents'
import type {
  CallIds,
  Change,
  DocPath,
  FileEntry,
  FilePage,
  ImageName,
  LeftOut,
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
  /** For the person who waits: how far a long call has come, in a few words. Most of what comes too often is not shown. */
  progress(text: string): void
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
  | 'LIMIT_REACHED'
  | 'CANCELLED'

export interface FileFacts {
  readonly docPath: DocPath
  readonly path: RelativePath
  /** Null, like the hash, until the bytes of a drafted office file are built. */
  readonly sizeBytes: number | null
  readonly sha256: Sha256 | null
  readonly format: FormatId
  /** Whether and how the draft changes it. */
  readonly draft: 'none' | 'created' | 'changed' | 'moved'
}

export interface ListedFiles extends Omit<FilePage, 'files'> {
  readonly files: readonly ListedFile[]
  /** The draft state of each, by docPath. */
  readonly drafted: ReadonlyMap<string, string>
}

export interface ListedFile extends Omit<FileEntry, 'sizeBytes'> {
  /** As in the draft; null for an office file that the draft changed and whose zip is not built yet. */
  readonly sizeBytes: number | null
}

/** The files as in the draft: its changes take precedence over the disk. */
export interface Files {
  list(page: PageOfFiles): Promise<Result<ListedFiles, FileFailure>>
  /** The place of a path, in the spelling of its folders; the file need not exist. */
  locate(
    spelling: string,
  ): Promise<Result<{ docPath: DocPath; path: RelativePath; exists: boolean }, FileFailure>>
  facts(spelling: string): Promise<Result<FileFacts, FileFailure>>
  /** The file on disk now, ignoring the draft, for writing it; null if there is none. */
  onDisk(
    docPath: DocPath,
  ): Promise<Result<{ path: RelativePath; sha256: Sha256; sizeBytes: number } | null, FileFailure>>
  map(spelling: string): Promise<Result<FileMap & { readonly file: FileFacts }, FileFailure>>
  read(
    spelling: string,
    region: Region,
    options: { styles?: boolean },
  ): Promise<Result<FileReading, FileFailure>>
  /** A part of the file as pictures of its pages. */
  draw(spelling: string, region: Region): Promise<Result<DrawnFile, DrawFailure>>
  search(asked: FileSearch, onProgress?: OnProgress): Promise<Result<SearchedTree, FileFailure>>
  /** One SELECT over the tables of files. */
  query(
    tables: readonly TableSource[],
    sql: string,
    options: QueryOptions,
  ): Promise<Result<QueryResult, FileFailure>>
}

export type OnProgress = (done: number, total: number) => void

export interface TableSource extends TablePart {
  readonly path: string
}

/** Text or an expression, in one file, the files of a folder, or all files that are not ignored. */
export interface FileSearch {
  readonly text?: string
  readonly regex?: string
  readonly caseSensitive?: boolean
  /** Lines around a hit. */
  readonly context?: number
  /** A file or a folder. */
  readonly path?: string
  /** Names and forms with commas between them; `!` excludes. */
  readonly pattern?: string
  /** Only files behind this path. */
  readonly after?: string
  /** In all; files whose hits are not given are counted. */
  readonly maxHits: number
  /** 0: only count, and `maxHits` counts files. */
  readonly maxPerFile: number
}

export interface SearchedTree {
  /** Those with hits, in the order of their paths. */
  readonly files: readonly FoundInFile[]
  readonly fileCount: number
  readonly hitCount: number
  /** Fewer than `total` when time ran out. */
  readonly searched: number
  readonly total: number
  readonly unsearched: LeftOut
  /** Where the next search goes on; null: everything is here. */
  readonly next: string | null
}

export interface FoundInFile {
  readonly path: string
  readonly docPath: string
  readonly count: number
  /** Its format stopped counting there. */
  readonly isMore: boolean
  readonly hits: SearchHits['hits']
}

export interface FileReading extends Omit<Reading, 'pictures'> {
  readonly file: FileFacts
  /** Its pictures, kept by their hash. */
  readonly images: readonly ImageName[]
}

export interface DrawnFile extends FileReading {
  /** What was asked for, in words, where it is not the whole file. */
  readonly part?: string
}

/** NO_OFFICE: no program that makes pages can be used here. */
export type DrawFailure = FileFailure | 'NO_OFFICE'

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
  /** All or none; durable before it returns. */
  edit(
    spelling: string,
    format: FormatId,
    operations: readonly Operation[],
    options: EditOptions,
  ): Promise<Result<Edited, FileFailure>>
  /** Copies, moves, deletes and exports, all or none. */
  arrange(
    steps: readonly ArrangeStep[],
  ): Promise<Result<{ draftId: string; arranged: readonly Arranged[] }, DrawFailure>>
}

export interface ArrangeStep {
  readonly op: 'copy' | 'move' | 'delete' | 'export'
  readonly path: string
  readonly from?: string
}

export interface Arranged {
  readonly op: ArrangeStep['op']
  readonly path: RelativePath
  readonly docPath: DocPath
  readonly message: string
}
