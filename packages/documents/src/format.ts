import type {
  Box,
  Change,
  ChangeId,
  ChangeSide,
  Consequence,
  Content,
  DocPath,
  LoggedOperation,
  Operation,
  OperationTrace,
  Reading,
  Region,
  RelativePath,
  Result,
} from '@filewright/protocol'
import type { Evaluator } from './evaluation.ts'

/** Identifies the file in changes and messages; formats never open it. */
export interface DocumentName {
  readonly docPath: DocPath
  readonly path: RelativePath
}

/**
 * The code of a format: what bytes mean. Pure; a hostile file is a failure, never a throw. A read-only format is no more
 * than this. To add a format: a folder with `facts.ts`, and its line in `formats/index.ts`.
 */
export interface ReadableFormat {
  open(bytes: Uint8Array, name: DocumentName): Result<ReadableDocument>
  /** How two versions differ; null: the file does not exist on that side. */
  diff?(before: Uint8Array | null, after: Uint8Array | null, name: DocumentName): Result<Difference>
  /** Questions about files that nobody holds open, by name; those who ask know what an answer is. */
  readonly tasks?: Readonly<Record<string, FormatTask>>
  /** The same with an evaluator for the formulas in its files; absent where they have none. */
  computing?(evaluator: Evaluator): ReadableFormat
}

/** A format whose files can be edited too: how operations change the bytes. `format.contract.ts` runs on it. */
export interface Format extends ReadableFormat {
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
    inputs?: InputBytes,
  ): Result<Replayed>
  /** Rebases a draft's changes onto bytes that are no longer its base, where they provably mean the same. */
  rebase?(request: RebaseRequest): Result<Rebased>
}

export function isEditable(format: ReadableFormat): format is Format {
  return 'replay' in format
}

/** The name of the task that chooses what is drawn of a file: its input is a `DrawRequest`, its answer a `DrawnPart`. */
export const DRAW_TASK = 'draw'

export interface DrawRequest {
  /** For messages. */
  readonly path: string
  /** The selectors of `FormatDrawing`, without those of pages; absent: the whole file, as it prints. */
  readonly region?: Region
}

/** What a program is given to make pages of, and which of these are meant. */
export interface DrawnPart {
  /** Absent: the file as it is. */
  readonly bytes?: Uint8Array
  /** Such as `3-4`; absent: all. */
  readonly pages?: string
  /** In words: `sheet "Sales"`, `slides 2-3`. */
  readonly part: string
  readonly warnings: readonly string[]
}

/** Data in, data out: it may run in another process. */
export type FormatTask = (input: object, files: readonly Uint8Array[]) => Result<unknown>

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
  readonly inputs?: InputBytes
  readonly refused: ReadonlySet<ChangeId>
  /** Where `base` has a part of the log in it already: the changes that are left, in the order of the log. */
  readonly left?: readonly Change[]
  /** What `replay` returned: slices of the base. */
  readonly planned: Content
  /** For messages: the version of `current`, since when it differs, and what the reader can do about a conflict. */
  readonly version: string
  readonly since: string
  readonly advice: string
  /** Nobody sent the changes in this form, so a conflict names them by their places. */
  readonly isDraft: boolean
  /** Changes that a person kept in a conflict: they are written whatever their place holds now. */
  readonly ours?: ReadonlySet<ChangeId>
  /** Whose changes they are, for messages; absent: the draft's. */
  readonly by?: string
}

export interface Rebased {
  /** Slices of `current`. */
  readonly content: Content
  /** The same changes as a log on `current`: a draft that follows its file goes on with it. */
  readonly log: readonly LoggedOperation[]
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

/** A file held open to be read. */
export interface ReadableDocument {
  /** The structural map for `get_file_info`. */
  map(): Result<FileMap>
  read(region: Region, options: ReadOptions): Result<Reading>
  search(query: SearchQuery): Result<SearchHits>
  /**
   * Its tables in the order of the file, for queries; absent where the format can have none. With a name, those that it
   * does not mean may be absent.
   */
  tables?(named?: string): Result<readonly DocumentTable[]>
}

/** Rows and columns of values in a file. */
export interface DocumentTable {
  /** Names it within the file: a sheet's name, `page 3 table 1`. */
  readonly name: string
  /** What `read_file` takes to show it. */
  readonly region: Region
  /** Where its cells are, in the source's own rows and columns, counted from 1. */
  readonly box: Box
  /** The row with the names of the columns; null: there is none; absent: not known. */
  readonly headerRow?: number | null
  /** Why its rows may not be what they seem. */
  readonly warning?: string
  /** Its cells are in another table of the file too: it is queried where it is named. */
  readonly isPart?: true
  /** Its rows from top to bottom, or those of a part of the box; rows without a value are left out. */
  rows(part?: Box): Iterable<TableRow>
}

export interface TableRow {
  /** The row in the source, counted from 1. */
  readonly row: number
  /** One for each column of the part, from its left; dates are ISO text, an empty cell is null. */
  readonly cells: readonly TableCell[]
  /** A formula in it has no stored result yet: its cell is null. */
  readonly isStale?: boolean
}

export type TableCell = string | number | boolean | null

/** A file held open while its draft is edited: edits are cheap, and bytes are built only on request. */
export interface OpenDocument extends ReadableDocument {
  /** All or none: a failure leaves the document unchanged. */
  apply(log: readonly LoggedOperation[], options?: ApplyOptions): Result<AppliedOperations>
  /** Everything changed since the file was opened. Must not be called on an abridged document. */
  changes(): readonly Change[]
  /** Operations of its log that made other changes than when they were accepted. */
  strayed?(): readonly StrayedOperation[]
  /** What follows from the changes elsewhere in the file; absent where nothing does. */
  consequences?(): readonly Consequence[]
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

export type StrayedOperation = Change['operation']

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
  /** The most where nobody asked for a part: who reads a whole sheet seldom needs all of it at once. */
  readonly wholeBytes?: number
  /** Shown in the header, because a patch needs it. */
  readonly version?: string
  /** Also show cell styles and the like. */
  readonly styles?: boolean
  /** For a page: the fields are a `SheetGrid`, and there is no text for a model. Only where the facts say `grid`. */
  readonly grid?: boolean
  /** Only what the file itself says: no picture is drawn, and nothing is said about one. For an index. */
  readonly textOnly?: boolean
}

export interface SearchQuery {
  readonly text?: string
  readonly regex?: RegExp
  readonly caseSensitive?: boolean
  /** 0: only count. */
  readonly maxHits: number
  /** How many lines to show around a hit, where the format has lines. */
  readonly context?: number
}

export interface SearchHits {
  readonly hits: readonly {
    readonly region: Region
    readonly place: string
    readonly text: string
    /** The lines around it, if asked for. */
    readonly before?: readonly string[]
    readonly after?: readonly string[]
  }[]
  readonly isTruncated: boolean
  /** How many there are, also beyond `maxHits`; absent where the format stops counting there. */
  readonly total?: number
}

export interface ApplyOptions {
  /** Edit even if the sheet or document is protected (CONTRACT §4). */
  readonly allowProtected?: boolean
  readonly allowBreakSignature?: boolean
  readonly inputs?: InputBytes
  /** The log was accepted before: if one of its operations is refused now, the failure names it. */
  readonly replays?: boolean
}

/** The bytes of other files that logged operations take something from, by the hash that pins them in the log. */
export type InputBytes = Readonly<Record<string, Uint8Array>>

export interface AppliedOperations {
  readonly results: readonly OperationResult[]
  readonly changes: readonly Change[]
  readonly warnings: readonly string[]
  /** What each operation leaves for its replays: the draft's log keeps it. */
  readonly traces: readonly OperationTrace[]
}

export interface OperationResult {
  readonly op: Operation['op']
  /** One sentence: what it did. */
  readonly message: string
  readonly [field: string]: unknown
}
