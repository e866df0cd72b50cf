export { isBinary } from './decode/binary.ts'
export { normaliseForContentHash } from './decode/content-hash.ts'
export type { Eol, EolSummary } from './decode/lines.ts'
export { decodeText, decodeTextAs, TextDocument, type TextSlice } from './decode/text.ts'
export { unifiedDiff } from './diff/unified-diff.ts'
export { textFormat } from './format.ts'
export { type AppliedPatch, applyFilePatch, invertFilePatch } from './patch/apply-file-patch.ts'
export { checkAgainstBase, type Problem } from './patch/check-line-changes.ts'
export { invertContent } from './patch/invert.ts'
export {
  describePlace,
  type FilePatch,
  filePatchSchema,
  type LineChange,
  type LinePatch,
  lineChangeSchema,
  type PatchBatch,
  patchBatchSchema,
  selectChanges,
} from './patch/line-changes.ts'
export { describeLineMap, type LineMap, type LineRun, mapLine } from './patch/line-map.ts'
export {
  type Parsed,
  parseBatch,
  parseFilePatch,
  parseLinePatch,
  readableFiles,
} from './patch/parse-file-patch.ts'
export { patchBetween } from './patch/patch-between.ts'
export {
  type ConflictingChange,
  type RebasedPatch,
  type RebaseOptions,
  rebaseFilePatch,
} from './patch/rebase.ts'
export { type NumberedView, numberedView, type ViewOptions } from './view/numbered-view.ts'
