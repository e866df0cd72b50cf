import {
  fail,
  isPrivateFile,
  LIMITS,
  ok,
  parseDocPath,
  parseRelativePath,
  type RelativePath,
  type Result,
  refusePrivate,
  toDocPath,
} from '@filewright/protocol'
import type { PlainFiles } from '../disk/plain-files.ts'
import { type Folder, isErrno, readWhole } from '../paths/folder.ts'
import { createTree, type LocateCode, type Place, type Tree } from '../paths/local-path.ts'
import { type Clock, createNameCache } from '../paths/name-cache.ts'
import { RootGone } from '../paths/root-gone.ts'
import { splitPath } from '../paths/split-path.ts'
import { createHashCache } from './hash-cache.ts'
import { sha256Of } from './hash-content.ts'
import { createIgnoreRules, type FolderRules } from './ignore-rules.ts'
import { createKeyLinks } from './key-links.ts'
import { listTree } from './list.ts'
import { createListNames } from './list-names.ts'
import { lookAt } from './look-at.ts'
import { createFindPlain, createReadAtOnce } from './read-at-once.ts'
import type {
  AnyPath,
  Entry,
  FileReadOptions,
  GoneRoot,
  HashedFile,
  ListOptions,
  Located,
  OpenedFile,
  OpenOptions,
  ReadCode,
  ReadFile,
  ScanQuestion,
  Workspace,
} from './workspace.ts'

export interface WorkspaceSource {
  readonly name: string
  openRoot(): Promise<Folder>
  /** The root's real path on a disk. */
  readonly rootPath?: string
  /** Why a person must allow the scan of this folder. */
  readonly question?: ScanQuestion
  /** Whether a path below the root is closed to every tool. */
  readonly isClosed?: (relative: string) => boolean
  /** Rule files match in any case. */
  readonly ignoreCase: boolean
  readonly clock: Clock
  /** Set where plain paths are a safe way to files. */
  readonly plainFiles?: PlainFiles
}

const HOME_DEPTH = 2 // ".ssh/id_rsa" and ".config/gcloud/…"; a home folder is not scanned before a person says yes

/** The workspace: rules, keys and caches over any disk that has folders. */
export function createWorkspace(source: WorkspaceSource): Workspace {
  const names = createNameCache(source.clock)
  const hashes = createHashCache(source.clock)
  const rules = createIgnoreRules({ ignoreCase: source.ignoreCase })
  const { plainFiles: files, isClosed } = source
  const keyLinks = createKeyLinks({
    openTree,
    clock: source.clock,
    depth: source.question ? HOME_DEPTH : Number.POSITIVE_INFINITY,
  })
  const findPlain = files && createFindPlain({ files, names, isClosed })

  async function openTree(): Promise<Tree> {
    const root = await source.openRoot().catch(error => {
      throw isErrno(error) ? new RootGone(source.name, error) : error
    })
    return createTree(root, { names, rootPath: source.rootPath, isClosed })
  }

  function toGone(error: unknown): GoneRoot {
    if (error instanceof RootGone) return { kind: 'gone', failure: error.failure }
    throw error
  }

  async function withTree<Value>(use: (tree: Tree) => Promise<Value>) {
    const tree = await openTree().catch(toGone)
    if ('kind' in tree) return { ok: false as const, failure: tree.failure }
    try {
      return await use(tree)
    } finally {
      tree.close()
    }
  }

  function list(options: ListOptions = {}): AsyncGenerator<Entry> {
    return listTree({ begin: () => beginList(options), rules, hashes, keyLinks }, options)
  }

  async function beginList({ allowLarge }: ListOptions): Promise<Tree | Entry> {
    if (source.question && !allowLarge) return source.question
    return openTree().catch(toGone)
  }

  function locate(path: AnyPath): Promise<Result<Located, LocateCode | 'WORKSPACE_GONE'>> {
    return withTree(async tree => {
      const place = await tree.locate(path)
      return place.ok ? ok(await toLocated(place.value)) : place
    })
  }

  function placeFor(
    path: RelativePath,
  ): Promise<Result<RelativePath, 'InvalidPath' | 'NOT_FOUND' | 'WORKSPACE_GONE'>> {
    return withTree(async tree => {
      const place = await tree.placeFor(path)
      return place.ok ? ok(place.value.path) : place
    })
  }

  async function read(
    path: AnyPath,
    options: FileReadOptions = {},
  ): Promise<Result<ReadFile, ReadCode>> {
    const isWhole = options.start === undefined && options.end === undefined
    const plain = isWhole ? readPlain(path) : undefined
    return plain ? ok(plain) : readOpened(path, options)
  }

  function readPlain(path: AnyPath): ReadFile | undefined {
    const docPath = findPlain && parseDocPath(path)
    const readAt = source.clock.nowMs()
    const found = docPath?.ok ? findPlain!(docPath.value) : undefined
    if (!docPath?.ok || !found) return undefined
    const { path: spelling, status } = found
    const bytes = Buffer.from(found.bytes)
    const sha256 = sha256Of(bytes)
    hashes.set(status, sha256, readAt)
    const place = { docPath: docPath.value, path: spelling, realPath: spelling, status }
    return { ...toNamed(place), bytes, sha256 }
  }

  function readOpened(
    path: AnyPath,
    options: FileReadOptions,
  ): Promise<Result<ReadFile, ReadCode>> {
    return withTree(async tree => {
      const opened = await openPlace(tree, path, options)
      if (!opened.ok) return opened
      const { file, ...located } = opened.value
      const { start, end } = options
      const readAt = source.clock.nowMs()
      try {
        if (start !== undefined || end !== undefined) {
          const length = Math.max(0, (end ?? located.sizeBytes) - (start ?? 0))
          const bytes = await file.read(start ?? 0, Math.min(length, LIMITS.blobBytes))
          return ok({ ...located, bytes, sha256: null })
        }
        if (located.sizeBytes > (options.most ?? LIMITS.blobBytes)) return tooLarge(located)
        const bytes = await readWhole(file)
        const sha256 = sha256Of(bytes)
        hashes.set(file.status, sha256, readAt)
        return ok({ ...located, bytes, sizeBytes: bytes.length, sha256 })
      } catch (error) {
        return toReadFailure(error, path)
      } finally {
        file.close()
      }
    })
  }

  function open(path: AnyPath, options: OpenOptions = {}) {
    return withTree(tree => openPlace(tree, path, options))
  }

  function hash(path: AnyPath): Promise<Result<HashedFile, ReadCode>> {
    return withTree(async tree => {
      const place = await tree.locate(path)
      if (!place.ok) return place
      const hashedAt = source.clock.nowMs()
      try {
        const digest = await place.value.folder.digest(place.value.name)
        hashes.set(digest.status, digest.sha256, hashedAt)
        const located = await toLocated({ ...place.value, status: digest.status })
        return ok({ ...located, sizeBytes: digest.sizeBytes, sha256: digest.sha256 })
      } catch (error) {
        return toReadFailure(error, path)
      }
    })
  }

  async function isIgnored(path: AnyPath): Promise<boolean> {
    const answer = await withTree(async tree => {
      const parsed = parseRelativePath(path)
      if (!parsed.ok) return false
      const located = await tree.locate(path)
      const placed = await tree.placeFor(parsed.value)
      const spelling = located.ok ? located.value.path : placed.ok ? placed.value.path : null
      if (spelling === null) return false
      let above: FolderRules | null = null
      for (let slash = 0; slash >= 0; ) {
        const folderPath = slash === 0 ? '' : spelling.slice(0, slash)
        const folder = await tree.folder(folderPath).catch(() => null)
        if (folder) above = await rules.enter(folder, folderPath, above)
        slash = spelling.indexOf('/', slash + 1)
        const isFolder = slash >= 0
        const part = isFolder ? spelling.slice(0, slash) : spelling
        if (above && rules.isIgnored(part, isFolder, above)) return true
      }
      return false
    })
    return answer === true
  }

  async function openPlace(
    tree: Tree,
    path: AnyPath,
    { allowPrivate = false }: OpenOptions,
  ): Promise<Result<OpenedFile, ReadCode>> {
    const place = await tree.locate(path, { open: true })
    if (!place.ok) return place
    const { folder, name, file } = place.value
    const located = await toLocated(place.value)
    if (located.isPrivate && !allowPrivate) {
      file?.close()
      return refusePrivate(located.path, located.docPath)
    }
    try {
      return ok({ ...located, file: file ?? (await folder.openFile(name)) })
    } catch (error) {
      return toReadFailure(error, path)
    }
  }

  async function toLocated(place: Found): Promise<Located> {
    const located = toNamed(place)
    if (located.isPrivate || place.status.links < 2) return located
    return { ...located, isPrivate: await keyLinks.isKeyFile(place.status) }
  }

  function isPrivate(path: AnyPath): boolean {
    const docPath = parseDocPath(path)
    return docPath.ok && isPrivateFile(docPath.value)
  }

  return {
    name: source.name,
    list,
    listNames: createListNames({ begin: beginList, rules, keyLinks, clock: source.clock }),
    look: paths => lookAt({ openTree, hashes, keyLinks }, paths),
    locate,
    placeFor,
    read,
    open,
    hash,
    isIgnored,
    isPrivate,
    readAtOnce: findPlain && createReadAtOnce(findPlain),
    openTree,
  }
}

type Found = Pick<Place, 'docPath' | 'path' | 'realPath' | 'status'>

/** Judged by its names: its own, and that of the file a link leads to. */
function toNamed({ docPath, path, realPath, status }: Found): Located {
  return {
    docPath,
    path,
    realPath,
    sizeBytes: status.sizeBytes,
    mtimeMs: Math.floor(status.mtimeMs),
    mode: status.mode,
    isPrivate: isPrivateFile(docPath) || (realPath !== path && isPrivateFile(toDocPath(realPath))),
  }
}

function tooLarge({ path, sizeBytes }: Located) {
  return fail(
    'TOO_LARGE',
    `Cannot read "${path}": it has ${sizeBytes} bytes, and the limit is ${LIMITS.blobBytes}. Ask the person for a smaller part of it.`,
    { details: { sizeBytes } },
  )
}

function toReadFailure(error: unknown, path: AnyPath) {
  if (!isErrno(error)) throw error
  const [, name] = splitPath(path)
  switch (error.code) {
    case 'ENOENT':
      return fail('NOT_FOUND', `Cannot find "${path}": the workspace has no such file.`)
    case 'ELOOP':
    case 'ENOTDIR':
      return fail(
        'InvalidPath',
        `Cannot read "${path}": "${name}" or a folder above it became a link.`,
      )
    case 'EISDIR':
    case 'EINVAL':
      return fail('InvalidPath', `Cannot read "${path}": it is not a regular file.`)
    case 'EACCES':
    case 'EPERM':
      return fail(
        'DENIED',
        `Cannot read "${path}": its permissions do not allow it (${error.code}).`,
      )
    default:
      return fail(
        'LOCKED',
        `Cannot read "${path}" now: the disk answered ${error.code}. Another program may hold it; try again.`,
      )
  }
}
