import type { z } from 'zod'
import type { Format } from './format.ts'
import type { OperationTable } from './operation-table.ts'

/** Names a format, as its folder does. Only the list of formats makes one. */
export type FormatId = string & { readonly __brand: 'FormatId' }

/**
 * What a format says of itself in its `facts.ts`. Every process loads the facts of every format, to list, to recognise
 * and to offer tools; the code behind them waits for the first file of the format.
 */
export interface FormatDeclaration {
  readonly words: FormatWords
  /** Lower-case name endings, from the last dot on. */
  readonly endings: readonly string[]
  /** By its bytes, where no format claims the name. */
  readonly recognises?: (bytes: Uint8Array) => boolean
  /** Runs in the killable child process (CONTRACT §8). */
  readonly hostile: boolean
  /**
   * Its bytes are a package that is made as a whole, at review or publish. Otherwise they are the content itself: made
   * whenever somebody looks, told by hash and size, served to readers, and written as slices of the base.
   */
  readonly isPacked: boolean
  readonly reading: FormatReading
  /** None: read-only. */
  readonly editing?: FormatEditing
  /** Which optional parts of `Format` and `OpenDocument` its code has. */
  readonly has: FormatAbilities
  /** Other names that models use for its selectors and for the fields of its operations. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>
  load(): Promise<Format>
}

/** How messages speak of it. */
export interface FormatWords {
  /** Such a file, with its article: "a spreadsheet", "an image". */
  readonly file: string
  /** What is worked on in it, without one: "workbook", "text". */
  readonly document: string
  /** What changes are made at: "cell", "paragraph". */
  readonly place: string
}

/** What `get_file_info` and `read_file` tell of such a file. */
export interface FormatReading {
  /** The arguments that choose a region; all of them optional. */
  readonly selectors: Readonly<Record<string, z.ZodOptional>>
  /** "a range of a sheet" */
  readonly region: string
  /** What its map holds: "sheets with used ranges, tables and headers". */
  readonly map: string
  /** How to read what `read_file` shows, where that is not plain. */
  readonly note?: string
  /** What `styles` adds to a reading, where it adds something: "cell styles". */
  readonly styles?: string
  /** The fields of its map and of a reading. */
  readonly fields: { readonly map: Answered; readonly read: Answered }
}

type Answered = Readonly<Record<string, z.ZodType>>

export interface FormatEditing {
  /** The tool that makes and edits such a file, where that is not `<id>_operations`. */
  readonly tool?: string
  /** Makes the tool `<id>_operations`. */
  readonly operations?: OperationTable
  /** The operation that gives a file all of its content: a file made by it is one change, the file itself. */
  readonly wholeOperation?: string
  /** Endings that a message offers for a new file. */
  readonly newEndings: readonly string[]
  /** Changed places that one draft may hold: as many as a review can list. */
  readonly mostPlaces: number
  /** What its changes are changes of, beside `file`. */
  readonly kinds: readonly [string, ...string[]]
  /** What an answer counts: `cells`, `lines`. Changes of another kind than `of` are counted as changes. */
  readonly unit: { readonly name: string; readonly of?: string }
}

export interface FormatAbilities {
  /** A draft's changes can be brought onto a file that changed meanwhile. */
  readonly rebase: boolean
  /** How two versions are compared: by lines, as a unified diff, or place by place, as a review lists them. */
  readonly diff?: 'lines' | 'places'
  /** A new file can be shown before it is there. */
  readonly preview: boolean
}

export interface FormatFacts extends FormatDeclaration {
  readonly id: FormatId
  /** The tool that makes and edits such a file; none: read-only. */
  readonly tool?: string
}
