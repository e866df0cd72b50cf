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

/** Which file this is, for changes and messages; formats never open it. */
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
  /** Brings a draft's changes onto bytes that are not its base any more, where that is proven to mean the same. */
  rebase?(request: RebaseRequest): Result<Rebased>
  /** How two versions differ; null: the file is not there on that side. */
  diff?(before: Uint8Array | null, after: Uint8Array | null, name: DocumentName): Result<Difference>
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
  /** Old lines to new lines, so that the next patch needs no new read. */
  readonly lineMap?: unknown
}

export interface RebaseRequest {
  readonly name: DocumentName
  /** What the log was planned on. */
  readonly base: Uint8Array
  /** What lies there now. */
  readonly current: Uint8Array
  readonly log: readonly LoggedOperation[]
  readonly refused: ReadonlySet<ChangeId>
  /** What `replay` made of them: slices of the base. */
  readonly planned: Content
  /** For messages: which version `current` is, since when it differs, and what the reader can do about a conflict. */
  readonly version: string
  readonly since: string
  readonly advice: string
  /** Nobody sent the changes as they are now, so a conflict names them by their places. */
  readonly isDraft: boolean
}

export interface Rebased {
  /** Slices of `current`. */
  readonly content: Content
  /** Lines of the base to new lines. */
  readonly lineMap?: unknown
}

/** As `FormatAbilities.diff` says: lines, or the places of a review. */
export type Difference =
  | { readonly by: 'lines'; readonly unified: string }
  | {
      readonly by: 'places'
      readonly changes: readonly Change[]
      /** There are more than these. */
      readonly isTruncated: boolean
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
  /** What `Format.replay` gives for all that was applied; where it can be told from what is held. Not when abridged. */
  without?(refused: ReadonlySet<ChangeId>): Replayed
  /** What the file holds, for a person who is asked whether it may be made; undefined where it cannot be shown. */
  preview?(): Preview | undefined
}

/** The first lines of a file, and how many it has where these are not all. */
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
