import { fail, ok, type Result, toBytes } from '@filewright/protocol'
import type { FormatTask } from '../../format.ts'
import { isBinary } from './decode/binary.ts'
import { decodeText, type TextDocument } from './decode/text.ts'
import { countChangedLines } from './diff/count-lines.ts'
import type { DiffHunk } from './diff/parse-diff.ts'
import { unifiedDiff } from './diff/unified-diff.ts'
import { editsToPatch, type TextReplacement } from './edit/edits-to-patch.ts'
import { applyFilePatch } from './patch/apply-file-patch.ts'
import { checkAgainstBase } from './patch/check-line-changes.ts'
import type { FilePatch, LinePatch } from './patch/line-changes.ts'
import { placeHunks } from './patch/place-hunks.ts'
import { rebaseFilePatch } from './patch/rebase.ts'
import { type AskedAround, linesAround } from './view/lines-around.ts'
import { type AskedText, readPart } from './view/read-part.ts'

/**
 * What is asked about texts that no draft holds open: data in, data out, so that it can be done in another process. The
 * arrays of an input are what makes it expensive, besides the texts.
 */
export const textTasks = {
  /** A part of the text, with the facts about the whole. */
  read: (asked: AskedText, [doc]: Docs) => readPart(doc!, asked),
  /** The lines around some changes, for a reader who must send them again. */
  around: (asked: AskedAround, [doc]: Docs) => ok(linesAround(doc!, asked)),
  /** Whether a patch fits its base. */
  check: ({ at, indices, ...patch }: FilePatch & CheckOptions, [doc]: Docs) =>
    checkAgainstBase(doc!, patch, at, indices),
  /** Whether a patch of the first text means the same in the second. */
  rebase({ at, path, version, ...patch }: FilePatch & RebaseNames, [base, other]: Docs) {
    const rebased = rebaseFilePatch(base!.bytes, other!.bytes, patch, { at, path, version })
    return rebased.ok ? ok(null) : rebased
  },
  /** The line changes that searches or hunks of a diff mean. */
  place: ({ edits, hunks = [] }: AskedPlaces, [doc]: Docs) =>
    edits ? editsToPatch(doc!, edits) : placeHunks(doc!, hunks),
  /** What a patch does to its base, as a unified diff; null where it does not fit. */
  patchDiff({ path, ...patch }: LinePatch & { readonly path: string }, [doc]: Docs) {
    const { bytes } = doc!
    const applied = applyFilePatch(bytes, patch)
    return ok(applied.ok ? unifiedDiff(bytes, toBytes(applied.value.content, bytes), path) : null)
  },
  /** How many lines differ between two texts. */
  countChanged: (_: object, [before, after]: Docs) =>
    ok(countChangedLines(unifiedDiff(before!.bytes, after!.bytes, ''))),
} satisfies Readonly<Record<string, (input: never, docs: Docs) => Result<unknown>>>

type Docs = readonly TextDocument[]

interface CheckOptions {
  /** Where the patch is in the arguments. */
  readonly at?: string
  readonly indices?: readonly number[]
}

interface RebaseNames {
  readonly at: string
  readonly path: string
  readonly version: string
}

interface AskedPlaces {
  readonly edits?: readonly TextReplacement[]
  readonly hunks?: readonly DiffHunk[]
}

export type TextTasks = typeof textTasks
export type TextTaskName = keyof TextTasks
export type TextTaskInput<Name extends TextTaskName> = Parameters<TextTasks[Name]>[0]
export type TextTaskResult<Name extends TextTaskName> = ReturnType<TextTasks[Name]>

/** Answers cross to another process, so what can only be called stays behind. */
export const formatTasks: Readonly<Record<string, FormatTask>> = Object.fromEntries(
  Object.entries(textTasks).map(([name, run]) => [name, toFormatTask(run as AnyTask)]),
)

type AnyTask = (input: object, docs: Docs) => Result<unknown>

function toFormatTask(run: AnyTask): FormatTask {
  return (input, files) => {
    if (files.some(isBinary)) return notText()
    const result = run(input, files.map(decodeText))
    return result.ok ? ok(withoutFunctions(result.value)) : result
  }
}

export function notText(): Result<never, 'UNREADABLE_FORMAT'> {
  return fail('UNREADABLE_FORMAT', 'The file is binary, so it cannot be worked on as text.')
}

function withoutFunctions(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, own]) => typeof own !== 'function'))
}
