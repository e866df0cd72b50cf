/**
 * Selects a part of a file; the file's format defines the selectors. A selector of another format is refused, never
 * ignored.
 */
export type Region = Readonly<Record<string, unknown>>

/** Part of every read: which part this is, how much there is, and how to get the next. */
export interface Reading {
  /** For the model. */
  readonly text: string
  /** The tool's own fields. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly shown: string
  readonly total: string
  readonly next?: Region
  /** For a model that sees: what the text cannot say. */
  readonly pictures?: readonly Picture[]
  readonly warnings?: readonly string[]
}

/** Small enough to be sent to a model. */
export interface Picture {
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** In pixels. */
  readonly width: number
  readonly height: number
}
