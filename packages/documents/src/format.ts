import type {
  Change,
  ChangeId,
  Content,
  DocPath,
  LoggedOperation,
  Operation,
  Reading,
  Region,
  RelativePath,
  Result,
} from '@filewright/protocol'

export type FormatId = 'text' | 'xlsx'

/** Which file this is, for changes and messages; formats never open it. */
export interface DocumentName {
  readonly docPath: DocPath
  readonly path: RelativePath
}

/**
 * What bytes mean and how operations change them: pure. A hostile file is a failure, never a throw.
 * To add a format: one folder and one line in `formats/index.ts`; `format.contract.ts` then runs on it.
 */
export interface Format {
  readonly id: FormatId
  /** What a person calls such a file: "spreadsheet", "text file". */
  readonly label: string
  /** Lower-case name endings with their dot. */
  readonly endings: readonly string[]
  /** Selectors of `read_file` it takes. */
  readonly selectors: readonly (keyof Region)[]
  /** The names of its operations; empty: read-only. */
  readonly operations: readonly string[]
  /** Runs in the killable child process (CONTRACT §8). */
  readonly hostile: boolean
  open(bytes: Uint8Array, name: DocumentName): Result<OpenDocument>
  /** The bytes of a minimal, valid, empty file; or of a copy, made to be what the new name says. */
  create(name: DocumentName, from?: Uint8Array): Result<Uint8Array>
  /**
   * Replays a draft's log on its base without the refused changes: a divisible operation is narrowed, an atomic one
   * dropped, and whatever depends on it goes with it. Deterministic.
   */
  replay(
    base: Uint8Array,
    log: readonly LoggedOperation[],
    refused: ReadonlySet<ChangeId>,
    name: DocumentName,
  ): Result<Replayed>
}

export interface Replayed {
  /** Slices of the base given to `replay`. */
  readonly content: Content
  /** What stands. */
  readonly changes: readonly Change[]
  /** Dependants of refused changes that went with them. */
  readonly dropped: readonly ChangeId[]
  /** What its operations say beside what they did. */
  readonly warnings?: readonly string[]
}

/** A file held open while its draft is worked on: edits are cheap, and bytes are made only when asked for. */
export interface OpenDocument {
  /** The structural map for `get_file_info`. */
  map(): Result<FileMap>
  read(region: Region, options: ReadOptions): Result<Reading>
  search(query: SearchQuery): Result<SearchHits>
  /** All or none: on failure the document is as it was. */
  apply(log: readonly LoggedOperation[], options?: ApplyOptions): Result<AppliedOperations>
  /** Everything changed since it was opened; not asked for when it is abridged. */
  changes(): readonly Change[]
  /** Work goes on: what only `changes` needs may go, where it has become much. */
  abridge?(): void
  readonly isAbridged?: boolean
  /** The new content as slices of the bytes it was opened with. */
  content(): Result<Content>
}

export interface FileMap {
  /** For the model: compact, readable. */
  readonly text: string
  /** The same as data: `get_file_info`'s own fields. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly warnings?: readonly string[]
}

export interface ReadOptions {
  /** The most bytes of text for the model; a longer region is paged. */
  readonly maxBytes: number
  /** For the head of a text: what a patch on it will ask for. */
  readonly version?: string
  /** Also tell cell styles and the like. */
  readonly styles?: boolean
}

export interface SearchQuery {
  readonly text?: string
  readonly regex?: RegExp
  readonly caseSensitive?: boolean
  readonly maxHits: number
}

export interface SearchHits {
  readonly hits: readonly {
    readonly region: Region
    readonly place: string
    readonly text: string
  }[]
  readonly isTruncated: boolean
}

export interface ApplyOptions {
  /** Edit although the sheet or document is protected (CONTRACT §4). */
  readonly allowProtected?: boolean
  readonly allowBreakSignature?: boolean
  /** Bytes of other files an operation takes from, by the name it used. */
  readonly inputs?: Readonly<Record<string, Uint8Array>>
}

export interface AppliedOperations {
  readonly results: readonly OperationResult[]
  readonly changes: readonly Change[]
  readonly warnings: readonly string[]
}

export interface OperationResult {
  readonly op: Operation['op']
  /** One sentence: what it did. */
  readonly message: string
  readonly [field: string]: unknown
}
