import type {
  LineChange,
  TextTaskInput,
  TextTaskName,
  TextTaskResult,
} from '@filewright/documents/text'
import type {
  AnyBytes,
  CallIds,
  CommonCode,
  DocPath,
  FilePage,
  IdSource,
  PageOfFiles,
  RelativePath,
  Result,
  SessionId,
  Sha256,
  WorkspaceId,
} from '@filewright/protocol'

/** Everything a server handler may touch: no disk, no network. */
export interface ServerContext {
  readonly call: CallIds & { readonly workspaceId: WorkspaceId }
  readonly activeFiles: ActiveFiles
  readonly sources: SourceReader
  readonly texts: TextWork
  /** The arguments with paths from the root where absolute ones lead into the workspace; undefined if none does. */
  relative(given: unknown): Promise<unknown>
  readonly patches: CallPatches
  readonly search: RankedSearch
  readonly results: Results
  readonly ids: IdSource
  /** A structured event: names and counts, never content. */
  log(event: string, fields: Readonly<Record<string, unknown>>): void
}

/** Work on texts that may be long: done at once where that is quick, else where it can be stopped. */
export interface TextWork {
  /** UNREADABLE_FORMAT: one of the files is binary. TIMEOUT, TOO_LARGE: it was stopped. */
  run<Name extends TextTaskName>(
    task: Name,
    input: TextTaskInput<Name>,
    files: readonly TextVersion[],
  ): Promise<TextTaskResult<Name> | Result<never, CommonCode>>
}

/** One version of a file; equal hashes are decoded once. */
export type TextVersion = Pick<SourceFile, 'path' | 'sha256' | 'bytes'>

export interface ActiveFile {
  readonly docPath: DocPath
  readonly displayPath: string
  readonly sizeBytes: number
  /** An unsaved buffer takes precedence over the file on disk. */
  readonly isDirty: boolean
  readonly sha256: Sha256
  /** Its content is in the prompt now: false if it exceeds the limit or is not text. */
  readonly isInContext: boolean
}

export interface ActiveFiles {
  find(docPath: DocPath): Promise<ActiveFile | undefined>
  list(): Promise<readonly ActiveFile[]>
}

export interface SourceFile {
  readonly docPath: DocPath
  /** The spelling on disk. */
  readonly path: string
  readonly sha256: Sha256
  readonly bytes: AnyBytes
  /** The content is from the session's draft, not from disk. */
  readonly isDrafted?: boolean
  /** The bytes are those on disk, but the draft has changed the file, so its content differs. */
  readonly draftState?: string
  /** For instance that the client is away and this is the last known version. */
  readonly warnings: readonly string[]
}

/** The source store, read through to the attached client. */
export interface SourceReader {
  /**
   * `similar`: a failure names files with a name like the missing one. `draftOf`: the file as in that session's draft.
   */
  read(
    docPath: DocPath,
    options?: { readonly similar?: boolean; readonly draftOf?: SessionId },
  ): Promise<
    Result<
      SourceFile,
      | 'NOT_FOUND'
      | 'WORKSPACE_GONE'
      | 'CLIENT_GONE'
      | 'PRIVATE_FILE'
      | 'DUPLICATE_PATH'
      | 'TOO_LARGE'
      | 'InvalidPath'
    >
  >
  /** The one hash that a version abbreviates among the versions of its docPath. */
  resolveVersion(
    docPath: DocPath,
    version: string,
  ): Promise<Result<Sha256, 'AMBIGUOUS_VERSION' | 'CONFLICT' | 'INVALID_ARGUMENT'>>
  bytes(sha256: Sha256): Promise<AnyBytes | undefined>
  list(page: PageOfFiles): Promise<Result<FilePage>>
}

/** A piece of a file, for finding it: never a base for an edit. */
export interface Snippet {
  readonly docPath: string
  readonly path: string
  /** `src/a.cs#method:CalculateTaxes`: information, never a path. */
  readonly chunkPath: string
  readonly lineStart: number
  readonly lineEnd: number
  readonly language: string
  readonly text: string
}

export interface SymbolUsage extends Omit<Snippet, 'lineStart' | 'lineEnd'> {
  readonly line: number
}

export interface SearchState {
  readonly indexed: number
  /** New or changed files that are not indexed yet. */
  readonly pending: number
  readonly trouble?: string
}

export interface SearchScope {
  readonly limit: number
  readonly isWanted?: (docPath: string) => boolean
}

/** The index of the workspace's files, brought up to date by each search. */
export interface RankedSearch {
  /** The best first. */
  find(
    query: string,
    scope: SearchScope,
  ): Promise<{ readonly state: SearchState; readonly snippets: readonly Snippet[] }>
  symbol(
    name: string,
    scope: SearchScope,
  ): Promise<{
    readonly state: SearchState
    readonly definitions: readonly Snippet[]
    readonly usages: readonly SymbolUsage[]
    readonly usageCount: number
  }>
}

/** As it was sent and checked; the text format knows the fields of a change. */
export interface CheckedFilePatch {
  readonly docPath: DocPath
  readonly path: RelativePath
  /** The full hash of the base. */
  readonly sha256: Sha256
  readonly fileKey?: string
  readonly fileLabel?: string
  readonly finalNewline?: boolean
  readonly eol?: 'lf' | 'crlf'
  readonly bom?: boolean
  readonly changes: readonly LineChange[]
}

export interface CheckedBatch {
  readonly batchKey?: string
  readonly batchLabel?: string
  readonly files: readonly CheckedFilePatch[]
}

interface Fated {
  readonly fate: string
  readonly steps: readonly {
    readonly fate: string
    readonly time: string
    readonly reason?: string
  }[]
}

export interface FatedChange extends Fated {
  readonly changeId: string
  readonly operation: string
}

export interface FatedFilePatch extends Omit<CheckedFilePatch, 'changes'>, Fated {
  readonly filePatchId: string
  readonly changes: readonly FatedChange[]
}

/** One stored batch with everything in it numbered. */
export interface FatedBatch extends Omit<CheckedBatch, 'files'>, Fated {
  readonly batchId: string
  readonly files: readonly FatedFilePatch[]
}

export interface FoundPatch {
  readonly batch: FatedBatch
  readonly filePatch?: FatedFilePatch
  readonly change?: FatedChange
}

/** The patch store, as one call has it. */
export interface CallPatches {
  /** Durable before it returns; storing the same tool call again gives the same batch. */
  store(batch: CheckedBatch): Promise<FatedBatch>
  /** By any of its three ids, from any session of the workspace. */
  find(id: string): Promise<Result<FoundPatch, 'NOT_FOUND'>>
}

/** Results that were too long for the model, kept in full. */
export interface Results {
  read(toolCallId: string): Promise<string | undefined>
}
