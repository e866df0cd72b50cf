export { isBinary } from './decode/binary.ts'
export { normaliseForContentHash } from './decode/content-hash.ts'
export type { Eol, EolSummary } from './decode/lines.ts'
export { decodeText, decodeTextAs, TextDocument, type TextSlice } from './decode/text.ts'
export { countChangedLines } from './diff/count-lines.ts'
export { type DiffFile, type DiffHunk, parseDiff } from './diff/parse-diff.ts'
export { unifiedDiff } from './diff/unified-diff.ts'
export { editsToPatch, type TextReplacement } from './edit/edits-to-patch.ts'
export { textFormat } from './format.ts'
export { isLightText, isPlainText } from './light-work.ts'
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
export { nearestBlock } from './patch/nearest-block.ts'
export {
  type Parsed,
  parseBatch,
  parseFilePatch,
  parseLinePatch,
  readableFiles,
} from './patch/parse-file-patch.ts'
export { patchBetween } from './patch/patch-between.ts'
export { placeHunks } from './patch/place-hunks.ts'
export {
  type ConflictingChange,
  type RebasedPatch,
  type RebaseOptions,
  rebaseFilePatch,
} from './patch/rebase.ts'
export {
  notText,
  type TextTaskInput,
  type TextTaskName,
  type TextTaskResult,
  textTasks,
} from './tasks.ts'
export type { LinesAround } from './view/lines-around.ts'
export { type NumberedView, numberedView, type ViewOptions } from './view/numbered-view.ts'
export type { ReadPart } from './view/read-part.ts'
