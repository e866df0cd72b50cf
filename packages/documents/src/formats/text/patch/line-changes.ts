import type { LoggedOperation } from '@filewright/protocol'
import { z } from 'zod'

const line = z.string().describe('One whole line, without its line end and without a `12|` prefix')
const newLines = z.array(line)
const lineNumber = z.int().min(1)

const common = {
  changeKey: z.string().optional().describe('Your short name for this change'),
  description: z.string().optional().describe('Why this change, in a few words'),
  changeId: z.string().optional().describe('Assigned by the server; ignored in a request'),
}
const range = {
  startLine: lineNumber.describe('First line, 1-based'),
  endLine: lineNumber.describe('Last line, inclusive'),
  expectedOriginalLines: z
    .array(line)
    .describe('The current lines, verbatim, one for each line of the range'),
}

export const insertSchema = z.strictObject({
  operation: z.literal('insert'),
  afterLine: z.int().min(0).describe('Insert after this line; 0: at the top'),
  newLines: newLines.min(1).describe('Lines to insert'),
  expectedBefore: z
    .array(line)
    .min(1)
    .optional()
    .describe('The lines right above the place, verbatim; the last of them is afterLine'),
  expectedAfter: z
    .array(line)
    .min(1)
    .optional()
    .describe('The lines right below the place, verbatim'),
  ...common,
})
export const replaceSchema = z.strictObject({
  operation: z.literal('replace'),
  ...range,
  newLines: newLines.describe('Replacement lines'),
  ...common,
})
export const deleteSchema = z.strictObject({
  operation: z.literal('delete'),
  ...range,
  ...common,
})

/** TUL-002's change object. */
export const lineChangeSchema = z.discriminatedUnion('operation', [
  insertSchema,
  replaceSchema,
  deleteSchema,
])
export type LineChange = z.output<typeof lineChangeSchema>
export type InsertChange = z.output<typeof insertSchema>
export type RangeChange = z.output<typeof replaceSchema> | z.output<typeof deleteSchema>

/** Properties of the whole file; absent ones stay unchanged. */
export const wholeFileFields = {
  finalNewline: z
    .boolean()
    .optional()
    .describe('Whether the last line ends with a newline; omit to keep it'),
  eol: z.enum(['lf', 'crlf']).optional().describe('Line ends of the whole file; omit to keep them'),
  bom: z.boolean().optional().describe('Whether the file begins with a BOM; omit to keep it'),
}

/** The part that a file patch and the operation `line_changes` share. */
export interface LinePatch {
  readonly changes: readonly LineChange[]
  readonly finalNewline?: boolean | undefined
  readonly eol?: 'lf' | 'crlf' | undefined
  readonly bom?: boolean | undefined
}

/** TUL-002's per-file patch object. */
export const filePatchSchema = z.strictObject({
  fileKey: z.string().optional().describe('Your short name for this file patch'),
  docPath: z.string().describe('DocPath of the file'),
  originalSha256: z
    .string()
    .describe('The version or sha256 of the content you planned on, copied from a read'),
  fileLabel: z.string().optional().describe('What changes in this file, for a person'),
  changes: z
    .array(lineChangeSchema)
    .describe('Top to bottom, not overlapping; numbers are those of the original file'),
  ...wholeFileFields,
})
export type FilePatch = Omit<z.output<typeof filePatchSchema>, 'changes'> & LinePatch

/** The arguments of `workspace_write_patch`. */
export const patchBatchSchema = z.strictObject({
  batchLabel: z.string().optional().describe('What the batch does, for a person'),
  batchKey: z.string().optional().describe('Your short name for the batch'),
  files: z.array(filePatchSchema).min(1).describe('One entry for each file'),
})
export type PatchBatch = Omit<z.output<typeof patchBatchSchema>, 'files'> & {
  readonly files: readonly FilePatch[]
}

/** Top to bottom: an insert follows the line it names; inserts at one place keep the array order. */
export function sortedIndices(changes: readonly LineChange[]): number[] {
  return changes
    .map((_, index) => index)
    .sort((a, b) => positionOf(changes[a]!) - positionOf(changes[b]!) || a - b)
}

function positionOf(change: LineChange): number {
  return change.operation === 'insert' ? change.afterLine + 0.5 : change.startLine
}

/** `lines 12-14`, `after line 5`. */
export function describePlace(change: LineChange): string {
  if (change.operation === 'insert')
    return change.afterLine === 0 ? 'top of the file' : `after line ${change.afterLine}`
  return describeLines(change.startLine, change.endLine)
}

export function describeLines(first: number, last: number): string {
  return first >= last ? `line ${first}` : `lines ${first}-${last}`
}

/** The patch with only the changes at `keep`: those a person accepted. */
export function selectChanges<Patch extends LinePatch>(
  patch: Patch,
  keep: ReadonlySet<number>,
): Patch {
  return { ...patch, changes: patch.changes.filter((_, index) => keep.has(index)) }
}

/** Whether the log consists of exactly one patch. */
export function onlyPatch(log: readonly LoggedOperation[]): LinePatch | undefined {
  const [only, ...others] = log
  if (others.length > 0 || only?.operation.op !== 'line_changes') return undefined
  const { op: _, ...patch } = only.operation
  return patch as unknown as LinePatch // checked when it was logged
}
