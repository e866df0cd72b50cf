import { formatByName } from '@filewright/documents'
import {
  checkAgainstBase,
  type FilePatch,
  type PatchBatch,
  parseBatch,
  readableFiles,
  rebaseFilePatch,
} from '@filewright/documents/text'
import {
  counted,
  type DocPath,
  type Failure,
  fail,
  ok,
  type Preflight,
  parseDocPath,
  type RelativePath,
  type Result,
  type Sha256,
  toVersion,
} from '@filewright/protocol'
import type { FatedBatch, ServerContext, SourceFile } from '../server-context.ts'
import { type AuthoritativeFile, authoritative } from './authoritative.ts'
import { helpWith } from './correct-batch.ts'
import type { workspaceWritePatch } from './tool.ts'

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

/** Checks every file, so that all problems are reported at once. */
async function checkFiles(
  batch: PatchBatch,
  context: ServerContext,
): Promise<Result<CheckedFile[], Codes>> {
  const checked: CheckedFile[] = []
  const failures: Failure<Codes>[] = []
  for (const [i, patch] of batch.files.entries()) {
    const file = await checkFile(patch, `files[${i}]`, context)
    if (file.ok) checked.push(file.value)
    else failures.push(file.failure)
  }
  if (failures.length === 0) return ok(checked)
  if (failures.length === 1) return { ok: false, failure: failures[0]! }
  const [first] = failures
  const errors = failures.flatMap(failure => failure.errors)
  return fail(first!.code, `Nothing was written: ${errors.join(' · ')}`, {
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
  for (const { at, patch, indices } of readableFiles(input)) {
    const file = await checkFile(patch, at, context, indices)
    if (!file.ok) failures.push(file.failure)
  }
  if (failures.length === 0) return parsed
  const errors = [...parsed.failure.errors, ...failures.flatMap(failure => failure.errors)]
  const message = `Nothing was written: ${counted(errors.length, 'problem')} in the arguments. ${errors.join(' · ')}`
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
  if (!context.textOf(current.value)) return binary(at, current.value)
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
  const doc = context.textOf({ sha256, bytes: base })
  if (!doc) return binary(at, current.value)
  const fits = checkAgainstBase(doc, patch, at, indices)
  if (!fits.ok) return fits
  const { saved, warnings } = current.value as AuthoritativeFile
  const onUnsaved = saved && sha256 === current.value.sha256 && !indices
  const reaches = onUnsaved ? reachesDisk(base, saved, patch, at) : ok([])
  if (!reaches.ok) return reaches
  return ok({
    patch,
    file: current.value,
    sha256,
    warnings: [...warnings, ...fits.value.warnings, ...reaches.value],
  })
}

/** A patch on unsaved text is written to the saved file if it means the same there, with a warning. */
function reachesDisk(
  unsaved: Uint8Array,
  { path, docPath, sha256, bytes }: SourceFile,
  patch: FilePatch,
  at: string,
): Result<string[], Codes> {
  const version = toVersion(sha256)
  const mapped = rebaseFilePatch(unsaved, bytes, patch, { at, path, version })
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
  const { corrected, current = [] } =
    failure.kind === 'unsupported' ? {} : await helpWith(input, context)
  const hint = corrected
    ? ' If you mean "corrected", send that.'
    : current.length > 0
      ? ' "current" has the current versions and lines.'
      : ''
  const message = `${failure.message.replace(/([^.])$/, '$1.')}${hint}`
  const help = { ...(corrected && { corrected }), ...(current.length > 0 && { current }) }
  return { ok: false, failure: { ...failure, message, details: { ...failure.details, ...help } } }
}

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
