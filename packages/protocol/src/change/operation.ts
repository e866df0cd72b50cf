import type { DocPath } from '../words/doc-path.ts'
import type { Sha256 } from '../words/hash.ts'

/** One requested operation: `{ op: 'set_cells', sheet, cells }`. The format that owns `op` knows the rest. */
export interface Operation {
  readonly op: string
  readonly [field: string]: unknown
}

/**
 * A region of a file that an operation reads, writes or moves. Without `within` it is the whole file; without `box`,
 * the whole of `within`. `box` is rows and columns (a sheet) or lines (text: columns 0 to Infinity), inclusive.
 */
export interface Area {
  readonly docPath: DocPath
  readonly within?: string
  readonly box?: Box
}

export interface Box {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** Bytes outside every footprint stay identical. */
export interface Footprint {
  readonly reads: readonly Area[]
  readonly writes: readonly Area[]
  /** Areas whose addresses shift: everything later in the same `within` depends on it. */
  readonly moves: readonly Area[]
}

export function overlaps(a: Area, b: Area): boolean {
  if (a.docPath !== b.docPath) return false
  if (a.within !== undefined && b.within !== undefined && a.within !== b.within) return false
  if (!a.box || !b.box) return true
  return (
    a.box.top <= b.box.bottom &&
    b.box.top <= a.box.bottom &&
    a.box.left <= b.box.right &&
    b.box.left <= a.box.right
  )
}

/** Whether `later` depends on `earlier`. */
export function dependsOnFootprint(later: Footprint, earlier: Footprint): boolean {
  const touched = [...later.reads, ...later.writes, ...later.moves]
  const meets = (areas: readonly Area[]) =>
    areas.some(area => touched.some(own => overlaps(own, area)))
  if (meets(earlier.writes)) return true
  return earlier.moves.some(moved =>
    touched.some(own =>
      overlaps(
        { docPath: own.docPath, within: own.within },
        { docPath: moved.docPath, within: moved.within },
      ),
    ),
  )
}

/** Divisible: its places can be accepted one by one. Atomic: all of it or nothing. */
export type Divisibility = 'divisible' | 'atomic'

/** Inputs of a replay besides the operation, recorded once so that replay is deterministic. */
export interface Circumstances {
  /** ISO 8601. */
  readonly time: string
  readonly author: string
  readonly seed: number
  /** The first operation on a file that was created without content. */
  readonly onBlank?: true
}

/** An operation of a draft, by its call and its number there. */
export interface OperationRef {
  readonly toolCallId: string
  readonly index: number
}

/** One operation as a draft's log keeps it. */
export interface LoggedOperation {
  readonly toolCallId: string
  /** Position in its tool call. */
  readonly index: number
  readonly operation: Operation
  readonly circumstances: Circumstances
  /** Pins the other files that it takes something from, by the spelling it names them with. */
  readonly inputs?: Readonly<Record<string, Sha256>>
  /** Operations that had made the content of its inputs, where the draft has them: it depends on each of them. */
  readonly takes?: readonly OperationRef[]
  /** Absent before it ran, and in logs of versions before 0.2. */
  readonly trace?: OperationTrace
}

/** What an operation leaves for its replays when it is accepted. */
export interface OperationTrace {
  /** What it found where it looked, as its format keeps it: every replay takes that instead of looking again. */
  readonly found?: unknown
  /** A hash of its changes: a replay that makes others is shown to a person. */
  readonly made?: string
}
