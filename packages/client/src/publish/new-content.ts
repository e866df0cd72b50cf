import {
  type ChangeId,
  type Content,
  inline,
  ok,
  type Result,
  type Sha256,
  toBytes,
} from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import { beginBytes, type Desk, draftedRef, engineFor } from '../draft/draft-view.ts'
import { isWholeWrite } from '../draft/whole-write.ts'
import { sha256Of, sha256OfContent } from '../workspace/tree/hash-content.ts'

/** The new content of a drafted file, on the draft's original base. */
export interface NewContent {
  /** Slices of the bytes on disk where they are the base, else inline. */
  readonly content: Content
  readonly sha256: Sha256
  readonly base: Uint8Array
  readonly refused: ReadonlySet<ChangeId>
  /** How many of its edits are included. */
  readonly changeCount: number
  /** Old lines to new lines, so that the next patch needs no new read. */
  readonly lineMap?: unknown
  /** Changes of form when a file is replaced completely. */
  readonly warnings: readonly string[]
}

/** The engine holds the document that a review has shown: this asks it instead of computing again. */
export async function contentOf(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  refused: ReadonlySet<ChangeId>,
): Promise<Result<NewContent>> {
  const base = await beginBytes(desk, file)
  if (!base.ok) return base
  if (file.log.length === 0) return ok(asItBegan(file, base.value))
  const ref = draftedRef(desk, draft, file, base.value)
  const replayed = await engineFor(desk, file.format).replay(ref, refused)
  if (!replayed.ok) return replayed
  const { content: slices, warnings = [], lineMap, changeCount } = replayed.value
  return ok({
    content: onDisk(file, slices, base.value),
    sha256: sha256OfContent(slices, base.value),
    base: base.value,
    refused,
    changeCount,
    lineMap,
    warnings: warnings.length > 0 && isReplaced(file) ? warnings : [],
  })
}

/** Moved, copied or created, and not edited. */
function asItBegan(file: DraftFile, base: Uint8Array): NewContent {
  const whole: Content = base.length === 0 ? [] : [{ from: 'base', start: 0, end: base.length }]
  return {
    content: onDisk(file, whole, base),
    sha256: file.begin ?? sha256Of(base),
    base,
    refused: new Set(),
    changeCount: 0,
    warnings: [],
  }
}

function onDisk({ begin, disk }: DraftFile, slices: Content, base: Uint8Array): Content {
  return begin === disk ? slices : inline(toBytes(slices, base))
}

export function isReplaced({ format, log }: DraftFile): boolean {
  return isWholeWrite(format, log.at(0)?.operation.op)
}
