export { type AppliedPatch, applyFilePatch, invertFilePatch } from './apply-file-patch.ts'
export { isBinary } from './binary.ts'
export { checkAgainstBase, type Problem } from './check-line-changes.ts'
export { normaliseForContentHash } from './content-hash.ts'
export { textFormat } from './format.ts'
export { invertContent } from './invert.ts'
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
} from './line-changes.ts'
export { describeLineMap, type LineMap, type LineRun, mapLine } from './line-map.ts'
export type { Eol, EolSummary } from './lines.ts'
export { type NumberedView, numberedView, type ViewOptions } from './numbered-view.ts'
export {
  type Parsed,
  parseBatch,
  parseFilePatch,
  parseLinePatch,
  readableFiles,
} from './parse-file-patch.ts'
export { patchBetween } from './patch-between.ts'
export {
  type ConflictingChange,
  type RebasedPatch,
  type RebaseOptions,
  rebaseFilePatch,
} from './rebase.ts'
export { decodeText, decodeTextAs, TextDocument, type TextSlice } from './text.ts'
export { unifiedDiff } from './unified-diff.ts'
