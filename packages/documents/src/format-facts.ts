import type { z } from 'zod'
import type { Format } from './format.ts'
import type { OperationTable } from './operation-table.ts'

/** The id of a format: the name of its folder. Only the list of formats creates one. */
export type FormatId = string & { readonly __brand: 'FormatId' }

/**
 * What a format declares about itself in its `facts.ts`. Every process loads the facts of every format to list files,
 * recognise them and offer tools; the code behind them loads with the first file of the format.
 */
export interface FormatDeclaration {
  readonly words: FormatWords
  /** Lower-case name endings, including the dot. */
  readonly endings: readonly string[]
  /** Recognises the format by its bytes, where no format claims the name. */
  readonly recognises?: (bytes: Uint8Array) => boolean
  /** Runs in the killable child process (CONTRACT §8). */
  readonly hostile: boolean
  /**
   * True: the bytes are a package, built as a whole at review or publish. False: the bytes are the content itself,
   * built whenever they are read, identified by hash and size, served to readers, and written as slices of the base.
   */
  readonly isPacked: boolean
  readonly reading: FormatReading
  /** Absent for a read-only format. */
  readonly editing?: FormatEditing
  /** Which optional parts of `Format` and `OpenDocument` the code implements. */
  readonly has: FormatAbilities
  /** Other names that models use for its selectors and operation fields. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>
  load(): Promise<Format>
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
  /** "a range of a sheet" */
  readonly region: string
  /** Contents of the map: "sheets with used ranges, tables and headers". */
  readonly map: string
  /** How to read the output of `read_file`, where that is not obvious. */
  readonly note?: string
  /** What `styles` adds to a read, if anything: "cell styles". */
  readonly styles?: string
  /** The fields of a map and of a read. */
  readonly fields: { readonly map: Answered; readonly read: Answered }
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
}

export interface FormatAbilities {
  /** A draft can be rebased onto a file that changed meanwhile. */
  readonly rebase: boolean
  /** How two versions are compared: by lines, as a unified diff, or place by place, as a review lists them. */
  readonly diff?: 'lines' | 'places'
  /** A new file can be previewed before it exists. */
  readonly preview: boolean
}

export interface FormatFacts extends FormatDeclaration {
  readonly id: FormatId
  /** The tool that creates and edits such a file; absent for a read-only format. */
  readonly tool?: string
}
