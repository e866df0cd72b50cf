import type {
  Change,
  ChangeId,
  ChangeSide,
  Content,
  DocPath,
  LoggedOperation,
  Operation,
  Reading,
  Region,
  RelativePath,
  Result,
} from '@filewright/protocol'

/** Identifies the file in changes and messages; formats never open it. */
export interface DocumentName {
  readonly docPath: DocPath
  readonly path: RelativePath
}

/**
 * The code of a format: what bytes mean and how operations change them. Pure; a hostile file is a failure, never a throw.
 * To add a format: a folder with `facts.ts`, and its line in `formats/index.ts`; `format.contract.ts` then runs on it.
 */
export interface Format {
  open(bytes: Uint8Array, name: DocumentName): Result<OpenDocument>
  /** The bytes of a minimal, valid, empty file, or of a copy adapted to the new name. */
  create(name: DocumentName, from?: Uint8Array): Result<Uint8Array>
  /**
   * Replays a draft's log on its base without the refused changes: a divisible operation is narrowed, an atomic one
   * dropped, and its dependants are dropped too. Deterministic.
   */
  replay(
    base: Uint8Array,
    log: readonly LoggedOperation[],
    refused: ReadonlySet<ChangeId>,
    name: DocumentName,
  ): Result<Replayed>
  /** Rebases a draft's changes onto bytes that are no longer its base, where they provably mean the same. */
  rebase?(request: RebaseRequest): Result<Rebased>
  /** How two versions differ; null: the file does not exist on that side. */
  diff?(before: Uint8Array | null, after: Uint8Array | null, name: DocumentName): Result<Difference>
}

export interface Replayed {
  /** Slices of the base given to `replay`. */
  readonly content: Content
  /** Changes that remain. */
  readonly changes: readonly Change[]
  /** Dependants of refused changes, dropped with them. */
  readonly dropped: readonly ChangeId[]
  /** Warnings of its operations. */
  readonly warnings?: readonly string[]
  /** Old lines to new lines, so that the next patch needs no new read. */
  readonly lineMap?: unknown
}

export interface RebaseRequest {
  readonly name: DocumentName
  /** The bytes that the log was planned on. */
  readonly base: Uint8Array
  /** The bytes on disk now. */
  readonly current: Uint8Array
  readonly log: readonly LoggedOperation[]
  readonly refused: ReadonlySet<ChangeId>
  /** What `replay` returned: slices of the base. */
  readonly planned: Content
  /** For messages: the version of `current`, since when it differs, and what the reader can do about a conflict. */
  readonly version: string
  readonly since: string
  readonly advice: string
  /** Nobody sent the changes in this form, so a conflict names them by their places. */
  readonly isDraft: boolean
}

export interface Rebased {
  /** Slices of `current`. */
  readonly content: Content
  /** Lines of the base to new lines. */
  readonly lineMap?: unknown
}

/** As in `FormatAbilities.diff`: lines, or the places of a review. */
export type Difference =
  | { readonly by: 'lines'; readonly unified: string }
  | {
      readonly by: 'places'
      readonly changes: readonly Change[]
      /** There are more changes than these. */
      readonly isTruncated: boolean
    }

/** A file held open while its draft is edited: edits are cheap, and bytes are built only on request. */
export interface OpenDocument {
  /** The structural map for `get_file_info`. */
  map(): Result<FileMap>
  read(region: Region, options: ReadOptions): Result<Reading>
  search(query: SearchQuery): Result<SearchHits>
  /** All or none: a failure leaves the document unchanged. */
  apply(log: readonly LoggedOperation[], options?: ApplyOptions): Result<AppliedOperations>
  /** Everything changed since the file was opened. Must not be called on an abridged document. */
  changes(): readonly Change[]
  /** Editing goes on: data that only `changes` needs may be dropped once it has grown large. */
  abridge?(): void
  readonly isAbridged?: boolean
  /** The new content as slices of the bytes the document was opened with. */
  content(): Result<Content>
  /**
   * What `Format.replay` returns for all applied operations, if the document can derive it. Not available once
   * abridged.
   */
  without?(refused: ReadonlySet<ChangeId>): Replayed
  /** The content for a person who approves the file; undefined if it cannot be shown. */
  preview?(): Preview | undefined
}

/** The first lines of a file, and the total when there are more. */
export type Preview = Pick<ChangeSide, 'lines' | 'lineCount'>

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
  /** Shown in the header, because a patch needs it. */
  readonly version?: string
  /** Also show cell styles and the like. */
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
  /** Edit even if the sheet or document is protected (CONTRACT §4). */
  readonly allowProtected?: boolean
  readonly allowBreakSignature?: boolean
  /** Bytes of other files that an operation copies from, by the name it used. */
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
