import type { Eol } from '../decode/lines.ts'

/**
 * A place in text by line and byte within the line, so it is valid for any line ends. `column` is a character
 * boundary within the line's text; line `lineCount + 1`, column 0 is the end of the text.
 */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Inserted text: runs without line ends, and line ends. One that `follows` copies the line before it. */
export type Token = Uint8Array | { readonly newline: Eol | 'follows' }

/** Replaces everything between two positions. */
export interface Splice {
  readonly from: Position
  readonly to: Position
  readonly insert: readonly Token[]
}

/** Properties of the whole file that a change sets. */
export interface TextSettings {
  readonly finalNewline?: boolean
  readonly eol?: Eol
  readonly bom?: boolean
}

/** The effect of one change: its splices are disjoint, in order, and refer to the text before its operation. */
export interface Edit {
  readonly splices: readonly Splice[]
  readonly settings?: TextSettings
  /** It depends on the last change that set one of these. */
  readonly standsOn?: readonly (keyof TextSettings)[]
}

export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column
}
