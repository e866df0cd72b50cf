import type { DocPath, RelativePath } from '../words/doc-path.ts'
import type { ChangeId } from '../words/ids.ts'

/**
 * The recorded effect of an operation at one place, as a person reviews it. `before` and `after` are for reading: lines
 * of text, a cell's value and formula, a file's name.
 */
export interface Change {
  readonly id: ChangeId
  readonly docPath: DocPath
  /** The spelling on disk. */
  readonly path: RelativePath
  /**
   * The kind of thing that changed: `file` for the file itself, else in the format's own words: `lines`, `cell`,
   * `sheet`.
   */
  readonly kind: string
  /** Where, in the format's own words: `lines 12-14`, `Sales!B2`, `sheet Costs`. */
  readonly place: string
  readonly before: ChangeSide | null
  readonly after: ChangeSide | null
  readonly operation: { readonly toolCallId: string; readonly index: number; readonly op: string }
  /** Changes that must be accepted for this one to apply. */
  readonly dependsOn: readonly ChangeId[]
  readonly description?: string
  /** The model's names for it, its file patch and its batch: for people, never a key. */
  readonly labels?: ChangeLabels
  /** Places that are atomic with this one: refused together. */
  readonly atomic?: boolean
}

/** A result that follows from the changes, such as a formula's: it is shown, and nobody decides on it. */
export interface Consequence {
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly place: string
  readonly formula?: string
  readonly before: ChangeSide | null
  /** Null: it is not known until another program computes it. */
  readonly after: ChangeSide | null
}

export interface ChangeLabels {
  readonly batchKey?: string
  readonly fileKey?: string
  readonly fileLabel?: string
  readonly changeKey?: string
}

export interface ChangeSide {
  /** Text lines, or a cell's text as a person sees it. */
  readonly text?: string
  readonly lines?: readonly string[]
  readonly firstLine?: number
  /** Set when the file is long and `lines` has only its beginning. */
  readonly lineCount?: number
  readonly value?: string | number | boolean | null
  readonly formula?: string
  readonly format?: string
  readonly path?: string
  readonly sizeBytes?: number
}

/** Derived, so that replaying an operation gives the same id without asking a store. */
export function toChangeId(toolCallId: string, index: number, place: string): ChangeId {
  return `chg_${hash53(`${toolCallId}\n${index}\n${place}`)}` as ChangeId
}

/** cyrb53: two 32-bit lanes, 53 bits; enough for the changes of one draft, and independent of the platform. */
function hash53(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (b >>> 0).toString(16).padStart(8, '0') + (a >>> 0).toString(16).padStart(8, '0')
}
