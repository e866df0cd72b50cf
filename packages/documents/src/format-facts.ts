import type { Fields, LoggedOperation, Operation, Region } from '@filewright/protocol'
import type { z } from 'zod'
import type { Format, ReadableFormat } from './format.ts'
import type { OperationTable } from './operation-table.ts'
import type { WrittenTable } from './table-query.ts'

/** The id of a format: the name of its folder. Only the list of formats creates one. */
export type FormatId = string & { readonly __brand: 'FormatId' }

/**
 * What a format declares about itself in its `facts.ts`. Every process loads the facts of every format to list files,
 * recognise them and offer tools; the code behind them loads with the first file of the format.
 */
export type FormatDeclaration = EditableDeclaration | ReadOnlyDeclaration

interface CommonFacts {
  readonly words: FormatWords
  /** Lower-case name endings, including the dot. */
  readonly endings: readonly string[]
  /** Recognises the format by its bytes, where no format claims the name. */
  readonly recognises?: (bytes: Uint8Array) => boolean
  /** Endings and whole names, in lower case, that such files usually have, where their bytes decide. */
  readonly usualNames?: readonly string[]
  /** Runs in the killable child process (CONTRACT §8). */
  readonly hostile: boolean
  /**
   * Of a format that is not hostile: whether this much of it is quick enough for a process that must keep answering. Base
   * and operations larger than that go to the child too. Absent: always.
   */
  readonly isLight?: (work: WeighedWork) => boolean
  readonly reading: FormatReading
  /** How such a file is drawn as pages; absent: it is not. */
  readonly drawing?: FormatDrawing
  /** The operations that write a table into such a file; absent where it has none. */
  readonly writesTable?: (table: WrittenTable) => readonly Operation[]
  /** What whoever opens such a file should know about this table in it. */
  readonly tableWarnings?: (table: WrittenTable) => readonly string[]
  /** Other names that models use for its selectors and operation fields. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>
}

/** How much there is to do on one document, as far as that is known without loading it. */
export interface WeighedWork {
  /** Of its base. */
  readonly sizeBytes: number
  readonly log: OperationLog
  /** Operations that come on top. */
  readonly more?: readonly LoggedOperation[]
  /** The document is open as its log leaves it: that work was done before. */
  readonly isHeld?: boolean
}

/** Operations in their order: a list, or one that grows. */
export interface OperationLog {
  readonly length: number
  at(index: number): LoggedOperation | undefined
}

interface EditableDeclaration extends CommonFacts {
  readonly editing: FormatEditing
  /**
   * True: the bytes are a package, built as a whole at review or publish. False: the bytes are the content itself,
   * built whenever they are read, identified by hash and size, served to readers, and written as slices of the base.
   */
  readonly isPacked: boolean
  readonly isLines?: undefined
  /** Which optional parts of `Format` and `OpenDocument` the code implements. */
  readonly has: FormatAbilities
  load(): Promise<Format>
}

/** It has no operations of its own, so its code has nothing to write with. */
interface ReadOnlyDeclaration extends CommonFacts {
  readonly editing?: undefined
  readonly isPacked?: undefined
  /**
   * Its files are lines of text too: they are written, edited, compared and published as text, and only their reads,
   * maps, searches and tables are the format's own.
   */
  readonly isLines?: boolean
  readonly has?: undefined
  /** Code that must be started, such as a WebAssembly module, starts here: what it gives works at once. */
  load(): Promise<ReadableFormat>
}

/** Words for the format in messages. */
export interface FormatWords {
  /** Such a file, with its article: "a spreadsheet", "an image". */
  readonly file: string
  /** What an edit works on, without an article: "workbook", "text". */
  readonly document: string
  /** The unit of a change: "cell", "paragraph". */
  readonly place: string
}

/** What `get_file_info` and `read_file` return for such a file. */
export interface FormatReading {
  /** The arguments that choose a region; all optional. */
  readonly selectors: Readonly<Record<string, z.ZodOptional>>
  /** The selectors in their own shape, if models often send another. */
  readonly meant?: (given: Fields) => Fields
  /** "a range of a sheet" */
  readonly region: string
  /** Contents of the map: "sheets with used ranges, tables and headers". */
  readonly map: string
  /** How to read the output of `read_file`, where that is not obvious. */
  readonly note?: string
  /** The most time for one map or read, where a hostile file could take far more than any sound one. */
  readonly timeoutMs?: number
  /** A read can give a `SheetGrid` for a page to draw. */
  readonly grid?: boolean
  /** What `styles` adds to a read, if anything: "cell styles". */
  readonly styles?: string
  /** The fields of a map and of a read. */
  readonly fields: { readonly map: Answered; readonly read: Answered }
}

/** What `render_file` takes and does for such a file. */
export interface FormatDrawing {
  /** The arguments that choose what is drawn; all optional. `pages` and `crop` mean the pages that come out. */
  readonly selectors: Readonly<Record<string, z.ZodOptional>>
  /** `office`: pages are made of it by LibreOffice. `itself`: it is a PDF. */
  readonly by: 'office' | 'itself'
  /** The selectors that draw some pages, where it has no `pages`. */
  readonly ofPages?: (pages: string) => Region
  /** Its code has the task `draw` (`DrawTask`), which chooses a part. */
  readonly choosesPart?: true
}

type Answered = Readonly<Record<string, z.ZodType>>

export interface FormatEditing {
  /** The tool that creates and edits such a file, unless it is `<id>_operations`. */
  readonly tool?: string
  /** Declares the tool `<id>_operations`. */
  readonly operations?: OperationTable
  /** The operation that replaces the whole content. A file created by it is one change, the file itself. */
  readonly wholeOperation?: string
  /** Endings that messages suggest for a new file. */
  readonly newEndings: readonly string[]
  /** The most changed places in one draft: as many as a review can list. */
  readonly mostPlaces: number
  /** Kinds of change besides `file`. */
  readonly kinds: readonly [string, ...string[]]
  /** The unit an answer counts: `cells`, `lines`. Changes of a kind other than `of` are counted as changes. */
  readonly unit: { readonly name: string; readonly of?: string }
  /** Adjacent places of changes as one: `Sales!A1:B3`. */
  readonly joinPlaces?: (places: readonly string[]) => readonly string[]
}

export interface FormatAbilities {
  /** A draft can be rebased onto a file that changed meanwhile. */
  readonly rebase: boolean
  /** How two versions are compared: by lines, as a unified diff, or place by place, as a review lists them. */
  readonly diff?: 'lines' | 'places'
  /** A new file can be previewed before it exists. */
  readonly preview: boolean
  /** A log may take back earlier changes (`withdrawal.ts`), and work goes on without them. */
  readonly withdraw?: boolean
  /** Formulas in its files are computed, so that its operations see results. */
  readonly computing?: boolean
}

export interface FormatFacts extends CommonFacts {
  readonly id: FormatId
  /** Absent for a read-only format. */
  readonly editing?: FormatEditing
  readonly isPacked: boolean
  readonly isLines: boolean
  readonly has: FormatAbilities
  load(): Promise<ReadableFormat>
  /** The tool that creates and edits such a file; absent for a read-only format. */
  readonly tool?: string
}
