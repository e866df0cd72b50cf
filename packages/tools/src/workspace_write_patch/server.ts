import { formatByName } from '@filewright/documents'
import {
  type FilePatch,
  isBinary,
  type PatchBatch,
  parseBatch,
  readableFiles,
} from '@filewright/documents/text'
import {
  counted,
  type DocPath,
  type Failure,
  fail,
  headOf,
  isFields,
  LIMITS,
  offerOf,
  ok,
  type Preflight,
  parseDocPath,
  parseIfJson,
  type RelativePath,
  type Result,
  type Sha256,
  toVersion,
} from '@filewright/protocol'
import type { FatedBatch, ServerContext, SourceFile, TextVersion } from '../server-context.ts'
import { unknownKeys } from '../unknown-keys.ts'
import { type AuthoritativeFile, authoritative } from './authoritative.ts'
import { type Help, helpWith } from './correct-batch.ts'
import { workspaceWritePatch } from './tool.ts'

type Codes =
  | 'INVALID_ARGUMENT'
  | 'DUPLICATE_PATH'
  | 'NOT_FOUND'
  | 'WORKSPACE_GONE'
  | 'CONFLICT'
  | 'AMBIGUOUS_VERSION'
  | 'CLIENT_GONE'
  | 'PRIVATE_FILE'
  | 'TOO_LARGE'
  | 'InvalidPath'

/** Checks the batch against the bases it was planned on, stores it and numbers everything in it. */
export const workspaceWritePatchPreflight: Preflight<
  typeof workspaceWritePatch,
  ServerContext
> = async (input, context) => {
  context.log('Tool.WritePatch.Received', { ToolCallId: context.call.toolCallId })
  const count = countChanges(input)
  if (count > LIMITS.patchChanges) return refuseTooMany(count)
  const parsed = parseBatch(input)
  if (!parsed.ok) return refuse(context, input, await withFileProblems(parsed, input, context))
  const { value: batch, warnings } = parsed.value
  const checked = await checkFiles(batch, context)
  if (!checked.ok) return refuse(context, input, checked)
  const stored = await context.patches.store({
    ...(batch.batchKey && { batchKey: batch.batchKey }),
    ...(batch.batchLabel && { batchLabel: batch.batchLabel }),
    files: checked.value.map(
      ({ patch: { docPath: _, originalSha256: __, ...patch }, file, sha256 }) => ({
        ...patch,
        docPath: file.docPath,
        path: file.path as RelativePath,
        sha256,
      }),
    ),
  })
  context.log('Tool.WritePatch.Stored', {
    BatchId: stored.batchId,
    Files: stored.files.length,
    Changes: stored.files.reduce((count, file) => count + file.changes.length, 0),
    ...keysOf(stored),
  })
  const { batchId, batchKey, batchLabel, files } = stored
  return ok({
    batchId,
    ...(batchKey && { batchKey }),
    ...(batchLabel && { batchLabel }),
    files: files.map(
      ({ fate: _, steps: __, changes, ...file }: (typeof files)[number] & { steps?: unknown }) => ({
        ...file,
        changes: changes.map(({ fate, steps, ...change }) => change),
      }),
    ),
    warnings: [...warnings, ...checked.value.flatMap(file => file.warnings)],
  })
}

/** Before anything is read or corrected: each change costs, whether it fits or not. */
function refuseTooMany(count: number): Result<never, 'TOO_LARGE'> {
  return fail(
    'TOO_LARGE',
    `Nothing was written: the batch has ${count} changes, and one batch takes at most ${LIMITS.patchChanges}. Send them in several batches, or replace a whole file with workspace_create_file and overwrite: true.`,
  )
}

/** A file counts at least once. */
function countChanges(input: unknown): number {
  const files = isFields(input) ? parseIfJson(input.files) : undefined
  if (!Array.isArray(files)) return 0
  let count = 0
  for (const file of files) {
    const changes = isFields(file) ? parseIfJson(file.changes) : undefined
    count += Array.isArray(changes) ? Math.max(1, changes.length) : 1
  }
  return count
}

interface CheckedFile {
  readonly patch: FilePatch
  readonly file: SourceFile
  readonly sha256: Sha256
  readonly warnings: readonly string[]
}

/** The prefix appears once; with several files each error begins with its place. */
function refuseFile(
  code: Codes,
  sentence: string,
  options: Pick<Failure, 'kind' | 'details'>,
): Result<never, Codes> {
  return fail(code, `Nothing was written: ${sentence}`, { ...options, errors: [sentence] })
}

function withWayOn({ code, message }: Failure): string {
  return code === 'NOT_FOUND'
    ? `${message} To create a new file use workspace_create_file.`
    : message
}

const MOST_FAULTY = 50 // files whose problems are reported; the next attempt learns of the rest
const HOPELESS = 100 // problems that nothing is offered for
const HELPED_CHANGES = 1_000 // of a batch that a corrected one is worked out for

/** Checks every file, so that all problems are reported at once. */
async function checkFiles(
  batch: PatchBatch,
  context: ServerContext,
): Promise<Result<CheckedFile[], Codes>> {
  const checked: CheckedFile[] = []
  const failures: Failure<Codes>[] = []
  for (const [i, patch] of batch.files.entries()) {
    if (failures.length === MOST_FAULTY) break
    const file = await checkFile(patch, `files[${i}]`, context)
    if (file.ok) checked.push(file.value)
    else failures.push(file.failure)
  }
  if (failures.length === 0) return ok(checked)
  if (failures.length === 1) return { ok: false, failure: failures[0]! }
  const [first] = failures
  const errors = failures.flatMap(failure => failure.errors)
  const message = `Nothing was written: ${counted(errors.length, 'problem')} in ${counted(failures.length, 'file')}.`
  return fail(first!.code, message, {
    kind: first!.kind,
    errors,
    details: {
      problems: problemsOf(failures),
      files: failures.map(failure => failure.details ?? null),
    },
  })
}

/** Besides malformed changes, those that do not fit their file. */
async function withFileProblems(
  parsed: { readonly failure: Failure<'INVALID_ARGUMENT' | 'DUPLICATE_PATH'> },
  input: unknown,
  context: ServerContext,
): Promise<{ readonly failure: Failure<Codes> }> {
  const failures: Failure<Codes>[] = []
  if (parsed.failure.errors.length > HOPELESS) return parsed
  for (const { at, patch, indices } of readableFiles(input)) {
    if (failures.length === MOST_FAULTY) break
    const file = await checkFile(patch, at, context, indices)
    if (!file.ok) failures.push(file.failure)
  }
  if (failures.length === 0) return parsed
  const errors = [...parsed.failure.errors, ...failures.flatMap(failure => failure.errors)]
  const message = `Nothing was written: ${counted(errors.length, 'problem')} in the arguments.`
  const problems = problemsOf(failures)
  return fail('INVALID_ARGUMENT', message, {
    errors,
    ...(problems.length > 0 && { details: { problems } }),
  })
}

function problemsOf(failures: readonly Failure<Codes>[]): readonly unknown[] {
  return failures.flatMap(({ details }) => (details?.problems as unknown[] | undefined) ?? [])
}

async function checkFile(
  patch: FilePatch,
  at: string,
  context: ServerContext,
  indices?: readonly number[],
): Promise<Result<CheckedFile, Codes>> {
  const docPath = patch.docPath as DocPath
  const current = await authoritative(docPath, context)
  if (!current.ok)
    return refuseFile(current.failure.code, `${at}.docPath: ${withWayOn(current.failure)}`, {
      kind: current.failure.kind,
      details: current.failure.details,
    })
  if (await isBinaryFile(current.value)) return binary(at, current.value)
  const resolved = await context.sources.resolveVersion(docPath, patch.originalSha256)
  if (!resolved.ok) return unknownBase(at, current.value, resolved.failure)
  const sha256 = resolved.value
  const base =
    sha256 === current.value.sha256 ? current.value.bytes : await context.sources.bytes(sha256)
  if (!base)
    return unknownBase(at, current.value, {
      code: 'CONFLICT',
      message: `the bytes of version ${toVersion(sha256)} are gone`,
    })
  const planned = { path: current.value.path, sha256, bytes: base }
  const fits = await context.texts.run('check', { ...patch, at, indices }, [planned])
  if (!fits.ok) return refuseText(at, current.value, fits)
  const { saved, warnings } = current.value as AuthoritativeFile
  const other = sha256 === current.value.sha256 ? saved : current.value
  const reaches =
    saved && !indices ? await fitsBoth(planned, other!, saved, { patch, at, context }) : ok([])
  if (!reaches.ok) return reaches
  return ok({
    patch,
    file: current.value,
    sha256,
    warnings: [...warnings, ...fits.value.warnings, ...reaches.value],
  })
}

/**
 * Unsaved text and the saved file differ. The patch goes to the saved file, with a warning, if it means the same in both:
 * what was planned on one is mapped onto the other.
 */
async function fitsBoth(
  base: TextVersion,
  other: TextVersion,
  { path, docPath, sha256 }: SourceFile,
  { patch, at, context }: { patch: FilePatch; at: string; context: ServerContext },
): Promise<Result<string[], Codes>> {
  const version = toVersion(sha256)
  const mapped = await context.texts.run('rebase', { ...patch, at, path, version }, [base, other])
  if (mapped.ok)
    return ok([
      `${at}: "${path}" has unsaved changes; the patch goes to the file as it is on disk (${version}), and the unsaved text stays with its editor.`,
    ])
  const { conflicts } = mapped.failure.details ?? {}
  return refuseFile(
    'CONFLICT',
    `${at}: "${path}" has unsaved changes where this patch changes it. Ask the person to write the file to disk in the editor, then patch the version that is there.`,
    {
      kind: 'conflict',
      details: { docPath, path, version, ...(conflicts !== undefined && { conflicts }) },
    },
  )
}

/** It does not fit, is binary, or the check had to be stopped. */
function refuseText(
  at: string,
  file: SourceFile,
  refused: { readonly ok: false; readonly failure: Failure },
): Result<never, Codes> {
  const { code, kind, message } = refused.failure
  if (code === 'UNREADABLE_FORMAT') return binary(at, file)
  if (code === 'INVALID_ARGUMENT') return refused as Result<never, Codes>
  return refuseFile(code as Codes, `${at}: ${message}`, { kind })
}

const HEAD_BYTES = 64 * 1024 // more than decides whether a file is text

async function isBinaryFile({ bytes }: SourceFile): Promise<boolean> {
  return isBinary(await headOf(bytes, HEAD_BYTES))
}

function binary(at: string, { docPath, path }: SourceFile): Result<never, Codes> {
  const tool = formatByName(docPath)?.tool
  const instead = tool
    ? `Edit it with ${tool} and read it with read_file.`
    : 'get_file_info says what it is and what reads it.'
  return refuseFile(
    'INVALID_ARGUMENT',
    `${at}: "${path}" is a binary file; lines cannot be patched in it. ${instead}`,
    { kind: 'unsupported', details: { path } },
  )
}

/** The version is not one of this file's. */
function unknownBase(
  at: string,
  current: SourceFile,
  { code, message }: { code: BaseCode; message: string },
): Result<never, Codes> {
  const version = toVersion(current.sha256)
  return refuseFile(code, `${at}.originalSha256: ${message} The file is at version ${version}.`, {
    kind: code === 'CONFLICT' ? 'conflict' : 'invalid',
    details: { docPath: current.docPath, path: current.path, version, sha256: current.sha256 },
  })
}

type BaseCode = 'CONFLICT' | 'AMBIGUOUS_VERSION' | 'INVALID_ARGUMENT'

/** The model's keys next to the ids, so that log entries are found by either. */
function keysOf({ batchKey, files }: FatedBatch): Readonly<Record<string, unknown>> {
  const keyed = files.flatMap(({ filePatchId, fileKey, changes }) => [
    ...(fileKey ? [[filePatchId, fileKey] as const] : []),
    ...changes.flatMap(change => {
      const { changeId, changeKey } = change as { changeId: string; changeKey?: string }
      return changeKey ? [[changeId, changeKey] as const] : []
    }),
  ])
  return {
    ...(batchKey && { BatchKey: batchKey }),
    ...(keyed.length > 0 && { Keys: Object.fromEntries(keyed) }),
  }
}

/** The refusal with everything the next attempt needs. */
async function refuse(
  context: ServerContext,
  input: unknown,
  { failure }: { readonly failure: Failure<Codes> },
): Promise<Result<never, Codes>> {
  logRefusal(context, input, failure)
  const isHopeless = failure.kind === 'unsupported' || failure.errors.length > HOPELESS
  const isLong = countChanges(input) > HELPED_CHANGES
  const help: Help = isHopeless || isLong ? {} : await helpWith(input, failure.errors, context)
  const { corrected, current = [], problems = [], isOtherForm } = help
  const isKnown = isOtherForm && (corrected !== undefined || problems.length > 0)
  const errors = isKnown ? [OTHER_FORM, ...problems] : failure.errors
  const said = isKnown ? `Nothing was written: ${errors.join(' · ')}` : failure.message
  const hint = corrected
    ? offerOf(corrected)
    : current.length > 0
      ? ' "current" has the current versions and lines.'
      : ''
  const unknown = isKnown ? [] : unknownKeys(workspaceWritePatch, input)
  const instead = [...new Set(unknown.flatMap(key => key.instead ?? []))].map(does => ` ${does}`)
  const message = `${said.replace(/([^.])$/, '$1.')}${instead.join('')}${hint}`
  const facts = { ...(corrected && { corrected }), ...(current.length > 0 && { current }) }
  const details = { ...(corrected ? beside(failure.details) : failure.details), ...facts }
  return { ok: false, failure: { ...failure, message, errors, details } }
}

/** The corrected call holds the corrected changes; they are not sent twice. */
function beside({ problems, files, correctedChanges, ...rest }: Failure['details'] = {}) {
  return rest
}

const OTHER_FORM =
  'changes are named by their line numbers and whole lines, and not by a search or a diff'

/** Logs only places in the arguments: the sentences quote lines, and content must not appear in a log. */
function logRefusal(context: ServerContext, input: unknown, failure: Failure<Codes>) {
  const { code, errors, details } = failure
  const problems = errors.map(error => PLACE.exec(error)?.[1] ?? 'arguments')
  const docPaths = new Set(problems.flatMap(place => docPathAt(input, place)))
  if (typeof details?.docPath === 'string') docPaths.add(details.docPath)
  context.log('Tool.WritePatch.Rejected', {
    Reason: code,
    Failures: errors.length,
    Problems: problems,
    ...(docPaths.size > 0 && { DocPath: [...docPaths].join(', ') }),
  })
}

const PLACE = /(?:^|: )(files(?:\[\d+\][\w.[\]]*)?)(?=[: ])/

function docPathAt(input: unknown, place: string): string[] {
  const index = /^files\[(\d+)\]/.exec(place)?.[1]
  const files = (input as { files?: unknown } | null)?.files
  if (index === undefined || !Array.isArray(files)) return []
  const given = (files[Number(index)] as { docPath?: unknown } | null)?.docPath
  const docPath = typeof given === 'string' ? parseDocPath(given) : undefined
  return docPath?.ok ? [docPath.value] : []
}
