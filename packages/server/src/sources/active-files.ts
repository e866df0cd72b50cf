import { isBinary } from '@filewright/documents/text'
import {
  type AnyBytes,
  type DocPath,
  type Failure,
  fail,
  headOf,
  hintAtSimilar,
  LIMITS,
  ok,
  parseDocPath,
  type RelativePath,
  type Result,
  refusePrivate,
  type SessionId,
  type Sha256,
  sizeOf,
  type UnsavedText,
  type WorkspaceId,
} from '@filewright/protocol'
import type { ActiveFile, ActiveFiles, SourceReader } from '@filewright/tools'
import type { Blobs } from '../store/blobs.ts'
import type { Settings } from '../store/settings.ts'
import type { Sources } from '../store/sources.ts'
import type { ReadableBytes } from './readable-bytes.ts'

/** What a session remembers of an active file; the content is found by its hash. */
interface Kept {
  readonly docPath: DocPath
  readonly displayPath: string
  /** Hash of the unsaved buffer; absent when the file is as on disk. */
  readonly buffer?: { readonly sha256: Sha256; readonly sizeBytes: number }
}

export interface ActiveFileContent extends ActiveFile {
  /** Absent when it is not sent, because it is too large or not text. */
  readonly bytes?: Uint8Array
  readonly isText: boolean
  /** As the draft has it. */
  readonly isDrafted?: boolean
  /** For a file that is not text and that the draft changed: the map is different for each state. */
  readonly draftState?: string
}

/** The active files of one session, which take precedence over the source store. */
export interface SessionActiveFiles extends ActiveFiles {
  /** A person asked for it and reads why it failed. `similar`: the failure names files with similar names. */
  add(
    path: string,
    options?: { readonly buffer?: string | undefined; readonly similar?: boolean },
  ): Promise<Result<ActiveFile>>
  remove(path: string): Promise<Result<null, 'NOT_FOUND' | 'InvalidPath'>>
  /** Those with text in an editor that is not on disk. */
  unsaved(): Promise<readonly UnsavedText[]>
  /** Their session is being deleted. */
  forget(): Promise<void>
  /** `ofDraft`: files as the session's draft has them, for a model that works in the draft. */
  contents(options?: ContentsOptions): Promise<readonly ActiveFileContent[]>
}

export interface ContentsOptions {
  readonly ofDraft?: boolean
}

export interface ActiveFilesOptions {
  readonly settings: Settings
  readonly blobs: Blobs
  readonly sources: Sources
  readonly readerOf: (workspaceId: WorkspaceId) => SourceReader
  /** An editor has the text of a key file too. */
  readonly mayRead: ReadableBytes['mayRead']
  /** Whether the session's last prompt contained it; true if none was sent yet. */
  readonly wasSent: (sessionId: SessionId, file: ActiveFile) => Promise<boolean>
}

export type ActiveFilesOf = (workspaceId: WorkspaceId, sessionId: SessionId) => SessionActiveFiles

/** Files of any session with text in an editor that is not on disk. */
export type UnsavedOf = (workspaceId: WorkspaceId) => Promise<readonly UnsavedText[]>

/** Every write asks, so sessions that never had such text are not looked at. */
export function createUnsaved(settings: Settings, activeFilesOf: ActiveFilesOf): UnsavedOf {
  return async workspaceId => {
    const all: UnsavedText[] = []
    for (const sessionId of (await settings.get<readonly SessionId[]>(editedIn(workspaceId))) ?? [])
      all.push(...(await activeFilesOf(workspaceId, sessionId).unsaved()))
    return all
  }
}

/** Its sessions with a buffer: at least those. */
function editedIn(workspaceId: WorkspaceId): string {
  return `edited-in/${workspaceId}`
}

export function createActiveFiles(options: ActiveFilesOptions): ActiveFilesOf {
  return (workspaceId, sessionId) => activeFilesOf(options, workspaceId, sessionId)
}

function activeFilesOf(
  options: ActiveFilesOptions,
  workspaceId: WorkspaceId,
  sessionId: SessionId,
): SessionActiveFiles {
  const { settings, blobs, sources } = options
  const reader = options.readerOf(workspaceId)
  const key = `active-files/${sessionId}`
  const mayRead = (docPath: DocPath) => options.mayRead(workspaceId, [docPath])
  const kept = async () => (await settings.get<readonly Kept[]>(key)) ?? []
  const change = (toNext: (all: readonly Kept[]) => readonly Kept[]) =>
    settings.update<readonly Kept[]>(key, (all = []) => toNext(all))
  const noteEdited = (isEdited: boolean) =>
    settings.update<readonly SessionId[]>(editedIn(workspaceId), (all = []) => {
      const others = all.filter(each => each !== sessionId)
      return isEdited ? [...others, sessionId] : others
    })

  async function contentOf(
    file: Kept,
    { ofDraft = false }: ContentsOptions = {},
  ): Promise<ActiveFileContent | undefined> {
    const { docPath, displayPath, buffer } = file
    if (buffer && !(await mayRead(docPath))) return undefined // a rule that allowed it was taken back
    const read = buffer ? await blobs.get(buffer.sha256) : undefined
    if (buffer && read) return await toContent(docPath, displayPath, buffer.sha256, read, true)
    const source = await reader.read(docPath, ofDraft ? { draftOf: sessionId } : {})
    if (!source.ok) return undefined
    const { sha256, bytes, isDrafted, draftState, path } = source.value
    const name = isDrafted ? path : displayPath
    return { ...(await toContent(docPath, name, sha256, bytes, false)), isDrafted, draftState }
  }

  async function contents(options?: ContentsOptions): Promise<readonly ActiveFileContent[]> {
    const read = await Promise.all((await kept()).map(file => contentOf(file, options)))
    const found = read.filter(file => file !== undefined)
    let sent = 0
    return found.map(file => {
      const fits = file.isInContext && sent + file.sizeBytes <= LIMITS.activeFilesBytes
      if (fits) sent += file.sizeBytes
      const { bytes, ...rest } = file
      return fits ? file : { ...rest, isInContext: false }
    })
  }

  return {
    contents,
    async list() {
      return (await contents()).map(toEntry)
    },
    async find(docPath) {
      const all = await kept()
      if (!all.some(file => file.docPath === docPath)) return undefined
      const file = (await contents()).find(each => each.docPath === docPath)
      if (!file?.isInContext || (await options.wasSent(sessionId, file))) return file
      return { ...file, isInContext: false }
    },
    async add(path, { buffer, similar = false } = {}) {
      const docPath = parseDocPath(path)
      if (!docPath.ok) return docPath
      const source = await reader.read(docPath.value, { similar })
      if (!source.ok && buffer === undefined)
        return source.failure.code === 'NOT_FOUND' ? notFound(path, source.failure) : source
      if (!(await mayRead(docPath.value))) return refusePrivate(path, docPath.value)
      const displayPath = source.ok ? source.value.path : path.replaceAll('\\', '/')
      const file: Kept = {
        docPath: docPath.value,
        displayPath,
        ...(buffer !== undefined && {
          buffer: await keepBuffer(docPath.value, displayPath, buffer),
        }),
      }
      if (file.buffer) await noteEdited(true)
      await change(all => [...without(all, docPath.value), file])
      const content = await contentOf(file)
      return content ? ok(toEntry(content)) : fail('NOT_FOUND', `"${path}" could not be read.`)
    },
    async remove(path) {
      const docPath = parseDocPath(path)
      if (!docPath.ok) return docPath
      const all = await kept()
      if (!all.some(file => file.docPath === docPath.value))
        return fail(
          'NOT_FOUND',
          `"${path}" is not active. Active files: ${all.map(file => file.displayPath).join(', ') || 'none'}.`,
        )
      await change(now => without(now, docPath.value))
      const isLast = !(await kept()).some(({ buffer }) => buffer)
      if (isLast && all.some(({ buffer }) => buffer)) await noteEdited(false)
      return ok(null)
    },
    async unsaved() {
      const found: UnsavedText[] = []
      for (const { docPath, buffer } of await kept()) {
        if (!buffer) continue
        const saved = await reader.read(docPath)
        const { sha256 } = buffer
        if (!saved.ok || saved.value.sha256 !== sha256) found.push({ docPath, sha256, sessionId })
      }
      return found
    },
    async forget() {
      const isEdited = (await kept()).some(({ buffer }) => buffer)
      await settings.delete(key)
      if (isEdited) await noteEdited(false)
    },
  }

  /** A buffer is a version that is never a head, so that a patch planned on it finds its base. */
  async function keepBuffer(docPath: DocPath, path: string, text: string) {
    const stored = await blobs.put(new TextEncoder().encode(text))
    if (!stored.ok) throw new Error(stored.failure.message)
    await sources.addVersion(workspaceId, { docPath, path: path as RelativePath, ...stored.value })
    return stored.value
  }
}

function notFound(path: string, { details }: Failure) {
  const hint = hintAtSimilar(path as RelativePath, (details?.similar as string[] | undefined) ?? [])
  return fail(
    'NOT_FOUND',
    `No file "${path}" was found in this workspace. ${hint && `${hint} `}Give its path from the root of the folder, such as "src/app.ts".`,
  )
}

function toEntry({ bytes, isText, isDrafted, draftState, ...file }: ActiveFileContent): ActiveFile {
  return file
}

async function toContent(
  docPath: DocPath,
  displayPath: string,
  sha256: Sha256,
  bytes: AnyBytes,
  isDirty: boolean,
): Promise<ActiveFileContent> {
  const sizeBytes = sizeOf(bytes)
  const isText = !isBinary(await headOf(bytes, LIMITS.activeFileBytes))
  const isInContext = sizeBytes <= LIMITS.activeFileBytes && isText
  return {
    docPath,
    displayPath,
    sizeBytes,
    isDirty,
    sha256,
    isInContext,
    isText,
    ...(isInContext && bytes instanceof Uint8Array && { bytes }),
  }
}

function without(all: readonly Kept[], docPath: DocPath): readonly Kept[] {
  return all.filter(file => file.docPath !== docPath)
}
