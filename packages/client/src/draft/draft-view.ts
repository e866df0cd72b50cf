import { type FormatId, factsOf, findFormat } from '@filewright/documents'
import type { DocumentRef, Engine } from '@filewright/engine'
import {
  fail,
  hintAtSimilar,
  type LoggedOperation,
  ok,
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
import { BINARY, type Recognised, recognise } from './recognise.ts'
import { similarFiles } from './similar-files.ts'

/** Collaborators for working on the draft's files. */
export interface Desk {
  readonly workspace: Workspace
  /** Bytes named in the lines of drafts. */
  readonly blobs: StateBlobs
  /** A person allowed this key file to be read. */
  readonly allowsReading: (docPath: string) => boolean
  /** Harmless formats are handled in this process; anything hostile in one that can be killed. */
  readonly engines: { readonly trusted: Engine; readonly hostile: Engine }
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
  if (draft && drafted) return viewDrafted(desk, draft, drafted)
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
  const ref = draftedRef(desk, draft, file)
  const draftState: FileFacts['draft'] =
    file.origin?.how === 'move' ? 'moved' : file.disk === null ? 'created' : 'changed'
  const facts = {
    docPath: file.docPath,
    path: file.path,
    format: format.id,
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
  const read = await desk.workspace.read(path, {
    allowPrivate: desk.allowsReading(toDocPath(path)),
  })
  if (!read.ok) {
    if (read.failure.code === 'NOT_FOUND') return notFound(desk, draft, path)
    return read as Result<never, FileFailure>
  }
  const { docPath, bytes, sizeBytes } = read.value
  const sha256 = read.value.sha256!
  const recognised = recognise(docPath, bytes)
  if (!recognised.format) return unreadable(read.value.path, recognised)
  const format = recognised.format
  const ref: DocumentRef = {
    key: sha256 + docPath,
    format,
    name: { docPath, path: read.value.path },
    state: sha256,
    load: async () => ok({ bytes, log: [] }),
  }
  return ok({ docPath, path: read.value.path, sizeBytes, sha256, format, ref, draft: 'none' })
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
    load: async () => {
      const bytes = begin ? ok(begin) : await beginBytes(desk, file)
      if (!bytes.ok) return bytes
      return ok({
        bytes: bytes.value,
        log: file.log.slice(),
        options: {
          allowProtected: file.allowProtected,
          allowBreakSignature: file.allowBreakSignature,
        },
      })
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
  if (file.begin === null) return ok(new Uint8Array(0))
  const bytes = await desk.blobs.get(file.begin)
  if (bytes) return ok(bytes)
  return fail(
    'INTERNAL_ERROR',
    `The bytes ${file.begin.slice(0, 8)} that the draft of "${file.path}" is based on are gone from the state folder. Discard the draft and make the change again.`,
  )
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
