import {
  checkAgainstBase,
  decodeText,
  type FilePatch,
  isBinary,
  type PatchBatch,
  parseBatch,
} from '@filewright/documents/text'
import {
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
import type { ServerContext, SourceFile, StoredBatch } from '../server-context.ts'
import type { workspaceWritePatch } from './tool.ts'

type Codes =
  | 'INVALID_ARGUMENT'
  | 'DUPLICATE_PATH'
  | 'NOT_FOUND'
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
  if (!parsed.ok) return rejected(context, input, parsed)
  const { value: batch, warnings } = parsed.value
  const checked = await checkFiles(batch, context)
  if (!checked.ok) return rejected(context, input, checked)
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

/** Every file is looked at, so that all problems come back at once. */
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
  const problems = failures.flatMap(
    failure => (failure.details?.problems as unknown[] | undefined) ?? [],
  )
  const errors = failures.flatMap(failure => failure.errors)
  return fail(first!.code, `Nothing was written: ${errors.join(' · ')}`, {
    kind: first!.kind,
    errors,
    details: { problems, files: failures.map(failure => failure.details) },
  })
}

async function checkFile(
  patch: FilePatch,
  at: string,
  context: ServerContext,
): Promise<Result<CheckedFile, Codes>> {
  const docPath = patch.docPath as DocPath
  const current = await authoritative(docPath, context)
  if (!current.ok)
    return fail(
      current.failure.code,
      `Nothing was written: ${at}.docPath: ${current.failure.message}`,
      { kind: current.failure.kind, details: current.failure.details },
    )
  const resolved = await context.sources.resolveVersion(docPath, patch.originalSha256)
  if (!resolved.ok) return unknownBase(patch, at, current.value, resolved.failure)
  const sha256 = resolved.value
  const base =
    sha256 === current.value.sha256 ? current.value.bytes : await context.sources.bytes(sha256)
  if (!base)
    return unknownBase(patch, at, current.value, {
      code: 'CONFLICT',
      message: `the bytes of version ${toVersion(sha256)} are gone`,
    })
  if (isBinary(base))
    return fail(
      'INVALID_ARGUMENT',
      `Nothing was written: ${at}: "${current.value.path}" is a binary file; lines cannot be patched in it. Office files are edited with the tools of the workshop toolset.`,
      { kind: 'unsupported' },
    )
  const doc = decodeText(base)
  const fits = checkAgainstBase(doc, patch, at)
  if (!fits.ok) return fits
  return ok({
    patch,
    file: current.value,
    sha256,
    warnings: [...current.value.warnings, ...fits.value.warnings],
  })
}

/** The unsaved text of an active file outranks what the store has (TUL-002 §3). */
async function authoritative(docPath: DocPath, { activeFiles, sources }: ServerContext) {
  const current = await sources.read(docPath)
  const active = current.ok ? await activeFiles.find(docPath) : undefined
  const unsaved = active?.isDirty ? await sources.bytes(active.sha256) : undefined
  if (!current.ok || !active || !unsaved) return current
  return ok({ ...current.value, sha256: active.sha256, bytes: unsaved })
}

/** The version is not one of this file's. Where the changes fit the file as it is, the corrected entry says so. */
function unknownBase(
  patch: FilePatch,
  at: string,
  current: SourceFile,
  {
    code,
    message,
  }: { code: 'CONFLICT' | 'AMBIGUOUS_VERSION' | 'INVALID_ARGUMENT'; message: string },
): Result<never, Codes> {
  const version = toVersion(current.sha256)
  const fits = !isBinary(current.bytes) && checkAgainstBase(decodeText(current.bytes), patch, at).ok
  const corrected = { ...patch, originalSha256: version }
  const hint = fits
    ? `The file is at version ${version}, and your changes fit it: send the corrected entry if that is what you mean.`
    : `The file is at version ${version}: read it and plan on that.`
  return fail(code, `Nothing was written: ${at}.originalSha256: ${message} ${hint}`, {
    kind: code === 'CONFLICT' ? 'conflict' : 'invalid',
    details: {
      docPath: current.docPath,
      path: current.path,
      version,
      sha256: current.sha256,
      ...(fits && { corrected }),
    },
  })
}

/** The model's keys beside the ids they stand for, so that a log is found by either. */
function keysOf({ batchKey, files }: StoredBatch): Readonly<Record<string, unknown>> {
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

/** Told by places in the arguments: the sentences quote lines, and content has no place in a log. */
function rejected<Refused extends { readonly failure: Failure<Codes> }>(
  context: ServerContext,
  input: unknown,
  refused: Refused,
): Refused {
  const { code, errors, details } = refused.failure
  const problems = errors.map(error => PLACE.exec(error)?.[1] ?? 'arguments')
  const docPaths = new Set(problems.flatMap(place => docPathAt(input, place)))
  if (typeof details?.docPath === 'string') docPaths.add(details.docPath)
  context.log('Tool.WritePatch.Rejected', {
    Reason: code,
    Failures: errors.length,
    Problems: problems,
    ...(docPaths.size > 0 && { DocPath: [...docPaths].join(', ') }),
  })
  return refused
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
