import type { z } from 'zod'
import type { Format } from './format.ts'

/** Names a format, as its folder does. Only the list of formats makes one. */
export type FormatId = string & { readonly __brand: 'FormatId' }

/**
 * What a format says of itself in its `facts.ts`. Every process loads the facts of every format, to list, to recognise
 * and to offer tools; the code behind them waits for the first file of the format.
 */
export interface FormatDeclaration {
  readonly words: FormatWords
  /** Lower-case name endings with their dot. */
  readonly endings: readonly string[]
  /** Those that a message offers for a new file. */
  readonly newEndings: readonly string[]
  /** By its bytes, where no format claims the name. */
  readonly recognises?: (bytes: Uint8Array) => boolean
  /** The arguments of `read_file` that choose a region of such a file; all of them optional. */
  readonly selectors: Readonly<Record<string, z.ZodOptional>>
  /** Runs in the killable child process (CONTRACT §8). */
  readonly hostile: boolean
  /**
   * Its bytes are a package that is made as a whole, at review or publish. Otherwise they are the content itself: made
   * whenever somebody looks, told by hash and size, served to readers, and written as slices of the base.
   */
  readonly isPacked: boolean
  /** Changed places that one draft may hold: as many as a review can list. */
  readonly mostPlaces: number
  /** The tool that makes and edits such a file; none: read-only. */
  readonly tool?: string
  /** The operation that gives a file all of its content: a file made by it is one change, the file itself. */
  readonly wholeOperation?: string
  /** Which optional parts of `Format` and `OpenDocument` its code has. */
  readonly has: FormatAbilities
  load(): Promise<Format>
}

/** How messages speak of it. */
export interface FormatWords {
  /** Such a file, with its article: "a spreadsheet", "an image". */
  readonly file: string
  /** What is worked on in it, without one: "workbook", "text". */
  readonly document: string
  /** What changes are counted in: "cell", "paragraph". */
  readonly place: string
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
}
