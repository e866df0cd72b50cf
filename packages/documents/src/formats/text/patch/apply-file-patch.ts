import { type Content, ok, type Result } from '@filewright/protocol'
import { decodeText, type TextDocument } from '../decode/text.ts'
import { renderWeave } from '../write/render.ts'
import { openWeave, weaveEdits } from '../write/weave.ts'
import { checkAgainstBase } from './check-line-changes.ts'
import { invertContent } from './invert.ts'
import type { LinePatch } from './line-changes.ts'
import { type LineMap, toLineMap } from './line-map.ts'
import { planLineChanges, planSettings } from './plan-line-changes.ts'
import { renderUniform } from './render-uniform.ts'

export interface AppliedPatch {
  /** Slices of the base. */
  readonly content: Content
  readonly lineMap: LineMap
  readonly warnings: readonly string[]
}

/** The new content of a file whose bytes are those the patch was planned on. */
export function applyFilePatch(
  base: Uint8Array,
  patch: LinePatch,
  at = '',
): Result<AppliedPatch, 'INVALID_ARGUMENT'> {
  return applyToDocument(decodeText(base), patch, at)
}

export function applyToDocument(
  doc: TextDocument,
  patch: LinePatch,
  at = '',
): Result<AppliedPatch, 'INVALID_ARGUMENT'> {
  const checked = checkAgainstBase(doc, patch, at)
  if (!checked.ok) return checked
  return ok({
    content: renderUniform(doc, patch) ?? weave(doc, patch),
    lineMap: toLineMap(patch.changes, doc.lineCount),
    warnings: checked.value.warnings,
  })
}

/** Handles any patch of any file; `renderUniform` handles most. */
export function weave(doc: TextDocument, patch: LinePatch): Content {
  const edits = planLineChanges(doc, patch).map(({ edit }) => edit)
  const woven = weaveEdits(openWeave(doc), [...edits, ...planSettings(patch)])
  return renderWeave(woven, () => true).content
}

/** Slices of the patched bytes that restore the base, byte for byte. */
export function invertFilePatch(
  base: Uint8Array,
  patch: LinePatch,
): Result<Content, 'INVALID_ARGUMENT'> {
  const applied = applyFilePatch(base, patch)
  return applied.ok ? ok(invertContent(applied.value.content, base)) : applied
}
