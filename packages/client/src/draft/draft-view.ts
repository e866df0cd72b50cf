import { type FormatId, factsOf, findFormat, readAs } from '@filewright/documents'
import type { DocumentRef, Engine, Office } from '@filewright/engine'
import {
  type Failure,
  fail,
  hintAtSimilar,
  type ImageName,
  LIMITS,
  type LoggedOperation,
  ok,
  type Picture,
  parseRelativePath,
  type RelativePath,
  type Result,
  toDocPath,
} from '@filewright/protocol'
import type { FileFacts, FileFailure } from '@filewright/tools'
import type { StateBlobs } from '../state/state-blobs.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import type { Workspace } from '../workspace/tree/workspace.ts'
import type { Draft, DraftFile } from './draft.ts'
import { type FoundFile, findLarge } from './large-file.ts'
import { inputBytes, pinnedBytes } from './pinned-bytes.ts'
import { BINARY, type Recognised, recognise } from './recognise.ts'
import { refuseDraftedKeyFile } from './refuse-key-file.ts'
import { similarFiles } from './similar-files.ts'
import { sizeOfBase } from './size-of-base.ts'

/** Collaborators for working on the draft's files. */
export interface Desk {
  readonly workspace: Workspace
  /** Bytes named in the lines of drafts. */
  readonly blobs: StateBlobs
  /** A person allowed this key file to be read. */
  readonly allowsReading: (docPath: string) => boolean
  /** A person allowed this key file to be written, or wants to be asked about it. */
  readonly allowsWriting: (docPath: string) => boolean
  /** A rule names a file that other programs execute, so nobody is asked about it again. */
  readonly writesUnasked: (docPath: string) => boolean
  /** Harmless formats are handled in this process; anything hostile in one that can be killed. */
  readonly engines: {
    readonly trusted: Engine
    readonly hostile: Engine
    /** Makes pages of office files. */
    readonly office: Office
  }
  /** Keeps pictures for models where the server finds them, and names them. */
  readonly keepPictures: (pictures: readonly Picture[]) => Promise<readonly ImageName[]>
}

/** One file as the draft has it. */
export interface ViewedFile extends FileFacts {
  readonly format: FormatId
  readonly ref: DocumentRef
}

export function engineFor({ engines }: Desk, format: string): Engine {
  return factsOf(format).hostile ? engines.hostile : engines.trusted
}

/** Finds a file by any spelling: the draft's version takes precedence over the disk. */
export async function viewFile(
  desk: Desk,
  draft: Draft | undefined,
  spelling: string,
): Promise<Result<ViewedFile, FileFailure>> {
  const path = parseRelativePath(spelling)
  if (!path.ok) return path
  const drafted = draft?.files.get(toDocPath(path.value))
  if (drafted?.isDeleted)
    return fail(
      'NOT_FOUND',
      `"${drafted.path}" was deleted or moved away in the draft. ${whereTo(draft!, drafted)}`,
    )
  if (draft && drafted)
    return refuseDraftedKeyFile(desk, drafted) ?? viewDrafted(desk, draft, drafted)
  return viewOnDisk(desk, draft, path.value)
}

/** The bytes of a drafted file, of any format. */
export async function draftedBytes(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
): Promise<Result<Uint8Array>> {
  if (file.log.length === 0) return beginBytes(desk, file)
  return engineFor(desk, file.format).content(draftedRef(desk, draft, file))
}

export async function viewDrafted(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
): Promise<Result<ViewedFile, FileFailure>> {
  const format = findFormat(file.format)
  if (!format) return unreadable(file.path, BINARY)
  const drafted = draftedRef(desk, draft, file)
  const ref = readingRef(desk, draft, file, drafted)
  const draftState: FileFacts['draft'] =
    file.origin?.how === 'move' ? 'moved' : file.disk === null ? 'created' : 'changed'
  const facts = {
    docPath: file.docPath,
    path: file.path,
    format: ref.format,
    ref,
    draft: draftState,
  }
  if (format.isPacked) return ok({ ...facts, sha256: null, sizeBytes: null })
  const bytes = await draftedBytes(desk, draft, file)
  if (!bytes.ok) return bytes as Result<never, FileFailure>
  return ok({ sha256: sha256Of(bytes.value), sizeBytes: bytes.value.length, ...facts })
}

/** For a listing: facts known without building a package, and without the bytes of files only moved or copied. */
export async function sizeUpDrafted(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
): Promise<Pick<FileFacts, 'sizeBytes' | 'sha256'>> {
  if (file.log.length === 0 && file.begin !== null)
    return { sizeBytes: await desk.blobs.sizeOf(file.begin), sha256: file.begin }
  const isPlain = findFormat(file.format)?.isPacked === false
  const bytes = isPlain ? await draftedBytes(desk, draft, file) : undefined
  if (!bytes?.ok) return { sizeBytes: null, sha256: null }
  return { sizeBytes: bytes.value.length, sha256: sha256Of(bytes.value) }
}

async function viewOnDisk(
  desk: Desk,
  draft: Draft | undefined,
  path: RelativePath,
): Promise<Result<ViewedFile, FileFailure>> {
  const allowPrivate = desk.allowsReading(toDocPath(path))
  const read = await desk.workspace.read(path, { allowPrivate, most: HELD_BYTES })
  if (read.ok) return toViewed({ ...read.value, sha256: read.value.sha256! })
  if (read.failure.code === 'NOT_FOUND') return notFound(desk, draft, path)
  const large = isStreamed(read.failure)
    ? await findLarge(desk.workspace, path, { allowPrivate })
    : read
  return large.ok ? toViewed(large.value) : (large as Result<never, FileFailure>)
}

const HELD_BYTES = 8 * 1024 * 1024 // a larger file is streamed to where it is worked on

function isStreamed({ code, details }: Failure): boolean {
  return code === 'TOO_LARGE' && Number(details?.sizeBytes) <= LIMITS.blobBytes
}

function toViewed({
  docPath,
  path,
  sizeBytes,
  sha256,
  ...file
}: FoundFile): Result<ViewedFile, FileFailure> {
  const { bytes } = file
  const recognised = recognise(docPath, file.head ?? (bytes as Uint8Array))
  if (!recognised.format) return unreadable(path, recognised)
  const { format } = recognised
  const ref: DocumentRef = {
    key: sha256 + docPath,
    format,
    name: { docPath, path },
    state: sha256,
    extent: () => ({ sizeBytes, log: [] }),
    load: async () => ok({ bytes, log: [] }),
  }
  return ok({ docPath, path, sizeBytes, sha256, format, ref, draft: 'none' })
}

/**
 * The document the engine holds for a drafted file; `state` changes with every operation. `begin`: its bytes, if at
 * hand.
 */
export function draftedRef(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  begin?: Uint8Array,
): DocumentRef {
  return {
    key: `${draft.id}:${file.docPath}`,
    format: factsOf(file.format).id,
    name: { docPath: file.docPath, path: file.path },
    state: stateOf(file),
    extent() {
      const sizeBytes = begin?.length ?? sizeOfBase(desk.blobs, file.begin)
      const { log } = file
      return typeof sizeBytes === 'number'
        ? { sizeBytes, log }
        : sizeBytes.then(known => ({ sizeBytes: known, log }))
    },
    load: async () => {
      const bytes = begin ? ok(begin) : await beginBytes(desk, file)
      if (!bytes.ok) return bytes
      const log = file.log.slice()
      const inputs = await inputBytes(desk, file.path, log)
      if (!inputs.ok) return inputs
      return ok({
        bytes: bytes.value,
        log,
        options: {
          inputs: inputs.value,
          allowProtected: file.allowProtected,
          allowBreakSignature: file.allowBreakSignature,
        },
      })
    },
  }
}

/** Lines of text that another format reads are given to it as the draft has them. */
function readingRef(desk: Desk, draft: Draft, file: DraftFile, drafted: DocumentRef): DocumentRef {
  const format = readAs(file.docPath, drafted.format)
  if (format === drafted.format) return drafted
  return {
    ...drafted,
    format,
    key: `${drafted.key}:${format}`,
    load: async () => {
      const bytes = await draftedBytes(desk, draft, file)
      return bytes.ok ? ok({ bytes: bytes.value, log: [] }) : bytes
    },
  }
}

/** The draft is closed: its documents are no longer needed. */
export function forgetDrafted(desk: Desk, draft: Draft): void {
  for (const { docPath, format } of draft.files.values())
    if (findFormat(format)) engineFor(desk, format).forget(`${draft.id}:${docPath}`)
}

/** Includes operations that are about to follow. */
export function stateOf(file: DraftFile, more: readonly LoggedOperation[] = []): string {
  const last = more.at(-1) ?? file.log.at(-1)
  return `${file.path}:${file.begin ?? 'empty'}:${file.log.length + more.length}:${last ? `${last.toolCallId}.${last.index}` : ''}`
}

/** The content a drafted file's operations start from, pinned when it entered the draft. */
export async function beginBytes(
  desk: Desk,
  file: DraftFile,
): Promise<Result<Uint8Array, 'INTERNAL_ERROR'>> {
  return file.begin === null ? ok(new Uint8Array(0)) : pinnedBytes(desk, file.path, file.begin)
}

export function unreadable(path: string, recognised: Recognised): Result<never, FileFailure> {
  return fail(
    'UNREADABLE_FORMAT',
    `Cannot read "${path}": it is ${recognised.label}, which this version does not read. ${recognised.instead}`,
  )
}

async function notFound(
  desk: Desk,
  draft: Draft | undefined,
  path: RelativePath,
): Promise<Result<never, FileFailure>> {
  const near = await similarFiles(desk.workspace, draft, path)
  const hint = hintAtSimilar(path, near) || 'list_files shows the files that exist.'
  return fail('NOT_FOUND', `There is no file "${path}" in the workspace or the draft. ${hint}`, {
    details: { similar: near },
  })
}

function whereTo(draft: Draft, gone: DraftFile): string {
  for (const file of draft.files.values())
    if (file.origin?.how === 'move' && file.origin.from === gone.docPath && !file.isDeleted)
      return `It is now "${file.path}".`
  return 'Discard the draft or write the file again to get it back.'
}
