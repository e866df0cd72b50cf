import {
  type FileChunks,
  type FormatId,
  formatFor,
  linesOf,
  withPlaces,
} from '@filewright/documents'
import { isBinary } from '@filewright/documents/text'
import {
  type DocPath,
  type FileEntry,
  headOf,
  ok,
  type RelativePath,
  type Result,
  sizeOf,
  type WorkspaceId,
} from '@filewright/protocol'
import type { SourceReader } from '@filewright/tools'
import type { IndexedFile, SearchIndex } from '../store/search-index.ts'

/** Splits files where a hostile one can be stopped. The host has one. */
export interface ChunkEngine {
  chunk(file: {
    readonly format: FormatId
    readonly name: { readonly docPath: DocPath; readonly path: RelativePath }
    readonly bytes: Uint8Array
  }): Promise<Result<FileChunks>>
}

export interface IndexState {
  /** Files that can be searched now. */
  readonly indexed: number
  /** Files that are new or changed and not read yet. */
  readonly pending: number
  /** Why the files could not be listed: what was indexed before is searched. */
  readonly trouble?: string
}

interface WorkspaceIndexOptions {
  readonly workspaceId: WorkspaceId
  readonly index: SearchIndex
  readonly reader: SourceReader
  readonly engine?: ChunkEngine
  readonly onError: (cause: unknown) => void
}

const PAGE = 2_000
const MOST_FILES = 20_000
const MOST_TEXT_BYTES = 1024 * 1024 // generated code and data are larger than what people write
const MOST_PACKED_BYTES = 20 * 1024 * 1024
const MOST_BYTES = 256 * 1024 * 1024 // of one workspace
const AT_ONCE = 4
const FRESH_MS = 1_000 // searches in a row do not list the files each time

/**
 * Keeps the index of a workspace up to date: each refresh lists the files through the client, reads those that are new or
 * changed through the source store, and indexes these versions. Key files and ignored ones are never among them.
 */
export function createWorkspaceIndex(options: WorkspaceIndexOptions) {
  const { workspaceId, index, reader, onError } = options
  let running: Promise<void> | undefined
  let state: IndexState = { indexed: 0, pending: 0 }
  let looked = Number.NEGATIVE_INFINITY

  /**
   * Looks at all files as they are now; returns when they are indexed or the time is over, and goes on in the background.
   */
  async function refresh(waitMs: number): Promise<IndexState> {
    const now = performance.now()
    if (!running && now - looked < FRESH_MS) return state
    const end = now + waitMs
    // What is under way may have looked before the caller's change.
    if (running) await Promise.race([running, pause(waitMs)])
    running ??= update()
      .catch(onError)
      .finally(() => {
        looked = performance.now()
        running = undefined
      })
    await Promise.race([running, pause(end - performance.now())])
    return state
  }

  async function update(): Promise<void> {
    const listed = await listAll(reader)
    const known = new Map(await index.files(workspaceId))
    if (!listed.ok) {
      state = { indexed: known.size, pending: 0, trouble: listed.failure.message }
      return
    }
    const wanted = withinBounds(listed.value)
    const names = new Set(wanted.map(({ docPath }) => docPath))
    const gone = [...known.keys()].filter(docPath => !names.has(docPath))
    if (gone.length > 0) await index.remove(workspaceId, gone)
    const changed = wanted.filter(entry => !isSame(known.get(entry.docPath), entry))
    state = { indexed: wanted.length - changed.length, pending: changed.length }
    await indexAll(changed, known)
  }

  async function indexAll(changed: FileEntry[], known: ReadonlyMap<string, IndexedFile>) {
    const queue = [...changed]
    const work = async () => {
      for (let entry = queue.shift(); entry; entry = queue.shift()) {
        await indexOne(entry, known.get(entry.docPath)).catch(onError)
        state = { indexed: state.indexed + 1, pending: state.pending - 1 }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  async function indexOne(entry: FileEntry, known: IndexedFile | undefined): Promise<void> {
    const docPath = entry.docPath as DocPath
    const read = await reader.read(docPath)
    if (!read.ok) return // gone or closed since it was listed
    const { sha256, path } = read.value
    const { sizeBytes, modified } = entry
    const file = { docPath, path, sha256, sizeBytes, modified }
    if (known?.sha256 === sha256) return index.touch(workspaceId, file)
    const bytes = await headOf(read.value.bytes, sizeOf(read.value.bytes))
    const name = { docPath, path: path as RelativePath }
    await index.put(workspaceId, file, await chunksOf(options.engine, name, bytes))
  }

  return { refresh }
}

const NOTHING: FileChunks = { language: 'binary', chunks: [] }

async function chunksOf(
  engine: ChunkEngine | undefined,
  name: { docPath: DocPath; path: RelativePath },
  bytes: Uint8Array,
): Promise<FileChunks> {
  const format = formatFor(name.docPath, bytes)
  if (!format) return NOTHING
  const chunked = await engine?.chunk({ format: format.id, name, bytes })
  if (chunked?.ok) return chunked.value
  if (isBinary(bytes)) return NOTHING
  // Whatever its structure is, its lines can be found.
  const lines = Buffer.from(bytes).toString('utf8').split(/\r?\n/)
  return { language: 'text', chunks: withPlaces(linesOf(lines, 1, lines.length)) }
}

async function listAll(reader: SourceReader): Promise<Result<FileEntry[]>> {
  const files: FileEntry[] = []
  let after: string | undefined
  do {
    const page = await reader.list({ limit: PAGE, ...(after !== undefined && { after }) })
    if (!page.ok) return page
    files.push(...page.value.files)
    after = page.value.next ?? undefined
  } while (after !== undefined && files.length < MOST_FILES)
  return ok(files)
}

function withinBounds(files: readonly FileEntry[]): FileEntry[] {
  let bytes = 0
  return files.filter(({ docPath, sizeBytes, isPrivate, isWithheld, conflict, folded }) => {
    if (isPrivate || isWithheld || conflict || folded) return false
    const most = isNamedPacked(docPath) ? MOST_PACKED_BYTES : MOST_TEXT_BYTES
    if (sizeBytes > most || bytes + sizeBytes > MOST_BYTES) return false
    bytes += sizeBytes
    return true
  })
}

function isNamedPacked(docPath: string): boolean {
  return formatFor(docPath as DocPath, new Uint8Array())?.isPacked === true
}

function isSame(known: IndexedFile | undefined, { sizeBytes, modified, path }: FileEntry): boolean {
  return known?.sizeBytes === sizeBytes && known.modified === modified && known.path === path
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, Math.max(0, ms)).unref()
  })
}
