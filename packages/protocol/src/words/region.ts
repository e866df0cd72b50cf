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
  readonly warnings?: readonly string[]
}
