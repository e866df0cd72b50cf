import type {
  AppliedOperations,
  ApplyOptions,
  Difference,
  DocumentName,
  FileChunks,
  FileMap,
  FormatId,
  OperationLog,
  Preview,
  QueryOptions,
  QueryResult,
  ReadOptions,
  Rebased,
  RebaseRequest,
  Replayed,
  SearchHits,
  StrayedOperation,
  TablePart,
} from '@filewright/documents'
import type {
  AnyBytes,
  Change,
  ChangeId,
  Consequence,
  LoggedOperation,
  Reading,
  Region,
  Result,
} from '@filewright/protocol'

/**
 * Works on documents where a hostile file can do no harm: in a child process that is killed when it takes too long or
 * too much memory (CONTRACT §8). A document stays open there while its draft is worked on, so that a hundred calls cost
 * a hundred edits and one zip (ARCHITECTURE §8.9).
 *
 * No method throws for what a file or a caller's argument does: a call that had to be stopped is TIMEOUT or TOO_LARGE,
 * one whose process broke is INTERNAL_ERROR, and every other call goes on, its document rebuilt by `load`.
 * Calls on one key run in the order they were made; calls on different keys take turns.
 */
export interface Engine {
  map(ref: DocumentRef, bounds?: Bounds): Promise<Result<FileMap>>
  read(
    ref: DocumentRef,
    region: Region,
    options: ReadOptions,
    bounds?: Bounds,
  ): Promise<Result<Reading>>
  search(ref: DocumentRef, query: EngineQuery, bounds?: Bounds): Promise<Result<SearchHits>>
  /**
   * All or none. Afterwards the document is held with `next` as its state; a caller that could not keep the operations
   * goes on with the old state, and the document is rebuilt.
   */
  apply(
    ref: DocumentRef,
    log: readonly LoggedOperation[],
    next: string,
    options?: ApplyOptions,
    bounds?: Bounds,
  ): Promise<Result<AppliedOperations>>
  /** Everything changed since the bytes of `load`. */
  changes(ref: DocumentRef, bounds?: Bounds): Promise<Result<readonly Change[]>>
  /** Operations of its log that made other changes than when they were accepted. */
  strayed(ref: DocumentRef, bounds?: Bounds): Promise<Result<readonly StrayedOperation[]>>
  /** What follows from those changes elsewhere in the file. */
  consequences(ref: DocumentRef, bounds?: Bounds): Promise<Result<readonly Consequence[]>>
  /** The content of a new file, to show in a question; undefined when its format cannot show it. */
  preview(ref: DocumentRef, bounds?: Bounds): Promise<Result<Preview | undefined>>
  /** The new bytes, whole. */
  content(ref: DocumentRef, bounds?: Bounds): Promise<Result<Uint8Array>>
  /**
   * The new content without the refused changes, as slices of the bytes of `load`. A document that is held answers
   * without working again, where its format can; else what is left of the log is replayed on its base.
   */
  replay(
    ref: DocumentRef,
    refused: ReadonlySet<ChangeId>,
    bounds?: Bounds,
  ): Promise<Result<ReplayedContent>>
  /** Its changes on bytes that are not its base any more; of a format that has `rebase`. */
  rebase(format: FormatId, request: RebaseRequest, bounds?: Bounds): Promise<Result<Rebased>>
  /** How two versions differ; of a format that has `diff`. */
  diff(request: DiffRequest, bounds?: Bounds): Promise<Result<Difference>>
  /** The bytes of a minimal, valid, empty file; or of a copy of those bytes, made to be what the name says. */
  create(
    format: FormatId,
    name: DocumentName,
    from?: Uint8Array,
    bounds?: Bounds,
  ): Promise<Result<Uint8Array>>
  /**
   * Searches many files, text included: the place for untrusted regular expressions. The limits apply to all files
   * together, so send a few megabytes at a time.
   */
  searchFiles(
    files: readonly SearchedFile[],
    query: EngineQuery,
    bounds?: Bounds,
  ): Promise<Result<SearchedFiles>>
  /** What a format answers about files that nobody holds open (`Format.tasks`). */
  task(request: TaskRequest, bounds?: Bounds): Promise<Result<unknown>>
  /** One SELECT over the tables of files, in a process of its own with the bounds of queries. */
  query(
    files: readonly QueriedFile[],
    sql: string,
    options: QueryOptions,
    bounds?: Bounds,
  ): Promise<Result<QueryResult>>
  /** The pieces of a file by which a search finds it. */
  chunk(file: ChunkedFile, bounds?: Bounds): Promise<Result<FileChunks>>
  /** The document is not needed any more: its draft was published or discarded. */
  forget(key: string): void
  /** Ends the child. Calls under way answer CANCELLED; so does every later one. */
  close(): Promise<void>
}

/** One document as the caller knows it. Cheap to make: the engine asks for bytes only when it does not hold them. */
export interface DocumentRef {
  /** Names one open document: `${draftId}:${docPath}`; a read of the workspace's own file uses its sha256. */
  readonly key: string
  readonly format: FormatId
  readonly name: DocumentName
  /** A fingerprint of the base and the operations on it; a document held with another state is rebuilt. */
  readonly state: string
  /** How much work it may be, where that is known without loading it; absent: any amount. */
  extent?(): Extent | Promise<Extent>
  /** Called at first use, after a kill and after eviction. */
  load(): Promise<Result<DocumentSource>>
}

export interface Extent {
  /** Of its base. */
  readonly sizeBytes: number
  readonly log: OperationLog
}

export interface DocumentSource {
  /** Those that lie elsewhere are read on their way to where they are worked on. */
  readonly bytes: AnyBytes
  /** What the draft already did to them. */
  readonly log: readonly LoggedOperation[]
  readonly options?: ApplyOptions
}

/** `SearchQuery` as it travels: the expression is compiled where it runs. */
export interface EngineQuery {
  readonly text?: string
  readonly regex?: { readonly source: string; readonly flags?: string }
  readonly caseSensitive?: boolean
  readonly maxHits: number
  readonly context?: number
  /** Of all files of one call together; further ones are only counted. */
  readonly maxHitsInAll?: number
}

export interface ReplayedContent extends Pick<Replayed, 'content' | 'warnings' | 'lineMap'> {
  /** The number of current changes. */
  readonly changeCount: number
}

export interface DiffRequest {
  readonly format: FormatId
  readonly name: DocumentName
  /** Null: it is not there on that side. */
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
}

export interface SearchedFile {
  /** A fingerprint of its name and its bytes, under which it is held. */
  readonly state: string
  /** Absent: it may be held. A format of null is remembered too: there is nothing to find. */
  readonly source?: {
    readonly format: FormatId | null
    readonly name: DocumentName
    readonly bytes: Uint8Array
  }
}

/** By the position of the file. One that is in neither was searched and has no hit. */
export interface SearchedFiles {
  readonly found: ReadonlyMap<number, Result<SearchHits>>
  /** Send them with their source. */
  readonly unheld: readonly number[]
}

export interface TaskRequest {
  readonly format: FormatId
  readonly task: string
  /** For messages: the file that the answer is about, and what is done with it. */
  readonly path: string
  readonly what: string
  readonly input: object
  readonly files: readonly AnyBytes[]
}

export interface ChunkedFile {
  readonly format: FormatId
  readonly name: DocumentName
  readonly bytes: Uint8Array
}

/** A file with its tables, as a query names them. */
export interface QueriedFile extends TablePart {
  readonly format: FormatId
  readonly name: DocumentName
  readonly source: DocumentSource
}

/** Of one call. Waiting for other calls and for `load` does not count. */
export interface Bounds {
  /** Default: LIMITS.toolTimeoutMs. */
  readonly timeoutMs?: number
  /** Aborted: the call answers CANCELLED and has no later effect. */
  readonly signal?: AbortSignal
}
