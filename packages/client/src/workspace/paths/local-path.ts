import {
  type DocPath,
  fail,
  ok,
  parseRelativePath,
  type RelativePath,
  type Result,
  toDocPath,
} from '@filewright/protocol'
import { type Folder, isErrno, type NodeStatus, type OpenFile } from './folder.ts'
import type { NameCache } from './name-cache.ts'
import { createOpenFolders } from './open-folders.ts'
import { missing, refuseClosed, refuseLink, refuseNowhere, refuseReserved } from './refusals.ts'
import { splitPath } from './split-path.ts'
import { isReservedName } from './temp-names.ts'

/**
 * Finds the places of docPaths on this disk. A tree holds each folder it walked through open, so that everything done
 * through it happens in the very folders that were checked, even when their names are swapped.
 */
export interface Tree {
  /** Finds the one file that a spelling means, through links that stay inside. */
  locate(spelling: string, options?: LocateOptions): Promise<Result<Place, LocateCode>>
  /** The place for a new file: existing folders keep their spelling. */
  placeFor(path: RelativePath): Promise<Result<NewPlace, 'InvalidPath' | 'NOT_FOUND'>>
  /** By the exact spelling; throws `ENOENT`, or `ENOTDIR` for a link. '' is the root. */
  folder(path: string): Promise<Folder>
  /** The folder was removed: the next access to this path walks again. */
  forget(path: string): void
  /** The folder that had this path is elsewhere now; the tree closes it. */
  adopt(path: string, folder: Folder): void
  close(): void
}

export type LocateCode = 'InvalidPath' | 'NOT_FOUND' | 'DUPLICATE_PATH'

export interface LocateOptions {
  /** For a read: opens a plain file instead of checking its name, which saves a step. */
  readonly open?: boolean
}

export interface Place {
  readonly docPath: DocPath
  /** The spelling on disk; for a link, that of the link. */
  readonly path: RelativePath
  readonly realPath: RelativePath
  /** Holds `name`, the last part of `realPath`. */
  readonly folder: Folder
  readonly name: string
  readonly status: NodeStatus
  /** Set when `open` was requested and possible; the caller closes it. */
  readonly file?: OpenFile
}

export interface NewPlace {
  readonly path: RelativePath
  /** The nearest folder that exists; '' is the root. */
  readonly existing: RelativePath | ''
}

export interface TreeOptions {
  readonly names: NameCache
  /** The root's real path: a link may name its target absolutely. */
  readonly rootPath?: string
  /** Closed to every tool. */
  readonly isClosed?: (relative: string) => boolean
}

const MAX_LINKS = 8 // a longer chain of links is treated as a circle

export function createTree(root: Folder, { names, rootPath, isClosed }: TreeOptions): Tree {
  const { folder: openFolder, list, forget, adopt, close } = createOpenFolders(root, names)

  async function locate(
    spelling: string,
    options: LocateOptions = {},
  ): Promise<Result<Place, LocateCode>> {
    const parsed = parseRelativePath(spelling)
    if (!parsed.ok) return parsed
    const docPath = toDocPath(parsed.value)
    const segments = docPath.split('/')
    if (segments.some(isReservedName)) return refuseReserved(spelling)
    if (isClosed?.(docPath)) return refuseClosed(spelling)
    return answering(spelling, () => locateParsed(spelling, docPath, segments, options))
  }

  async function locateParsed(
    spelling: string,
    docPath: DocPath,
    segments: readonly string[],
    { open = false }: LocateOptions,
  ): Promise<Result<Place, LocateCode>> {
    const found: Found = { files: [], links: [], folders: [], isPlain: false }
    await search('', segments, found)
    if (found.files.length > 1)
      return fail(
        'DUPLICATE_PATH',
        `Cannot tell which file "${spelling}" means: ${found.files.map(quote).join(' and ')} differ only in capitals or accents. Nothing was read or written. Rename one of them, then try again.`,
        { details: { docPath, paths: found.files } },
      )
    const [path] = found.files
    if (path !== undefined)
      return (
        (open && found.isPlain && (await openAtOnce(docPath, path))) ||
        findPlace(docPath, path as RelativePath)
      )
    if (found.links.length > 0) return refuseWithTarget(spelling, found.links[0]!, segments)
    if (found.folders.length > 0)
      return fail(
        'NOT_FOUND',
        `Cannot use "${spelling}" as a file: a folder has that name. Name a file in it.`,
        { details: { docPath, folder: found.folders[0] } },
      )
    return missing(docPath, spelling)
  }

  async function search(path: string, segments: readonly string[], found: Found): Promise<void> {
    const [segment, ...rest] = segments
    const listing = await list(path).catch(ignoreGone)
    for (const { name, kind } of listing?.get(segment!) ?? []) {
      const child = path === '' ? name : `${path}/${name}`
      if (rest.length > 0 && kind === 'folder') await search(child, rest, found)
      else if (rest.length > 0 && kind === 'link') found.links.push(child)
      else if (rest.length === 0 && kind === 'folder') found.folders.push(child)
      else if (rest.length === 0) {
        found.files.push(child)
        found.isPlain = kind === 'file'
      }
    }
  }

  /** Null: it is a link, or cannot be opened; its status says more. */
  async function openAtOnce(
    docPath: DocPath,
    path: string,
  ): Promise<Result<Place, LocateCode> | null> {
    const [folderPath, name] = splitPath(path)
    try {
      const folder = await openFolder(folderPath)
      const file = await folder.openFile(name)
      const realPath = path as RelativePath
      return ok({ docPath, path: realPath, realPath, folder, name, status: file.status, file })
    } catch (error) {
      if (isErrno(error)) return null
      throw error
    }
  }

  async function findPlace(
    docPath: DocPath,
    path: RelativePath,
  ): Promise<Result<Place, LocateCode>> {
    let realPath: string = path
    for (let links = 0; links <= MAX_LINKS; links++) {
      const [folderPath, name] = splitPath(realPath)
      let folder: Folder
      try {
        folder = await openFolder(folderPath)
      } catch (error) {
        if (isErrno(error, 'ENOENT'))
          return links > 0 ? refuseNowhere(path) : missing(docPath, path)
        if (isErrno(error, 'ENOTDIR', 'ELOOP')) return refuseLink(path, folderPath)
        throw error
      }
      const status = await folder.statusOf(name)
      if (status === null) return links > 0 ? refuseNowhere(path) : missing(docPath, path)
      if (status.kind === 'file')
        return ok({ docPath, path, realPath: realPath as RelativePath, folder, name, status })
      if (status.kind !== 'link')
        return fail(
          'InvalidPath',
          `Cannot use "${path}": it is ${status.kind === 'folder' ? 'a folder' : 'a device, pipe or socket'}, not a file.`,
        )
      const target = resolveLink(folderPath, await folder.readLink(name), rootPath)
      if (target === undefined)
        return fail(
          'InvalidPath',
          `Cannot use "${path}": it is a link that leads out of the workspace. Nothing was read or written. Only files inside the workspace can be used.`,
        )
      realPath = target
    }
    return fail('InvalidPath', `Cannot use "${path}": its links lead in a circle.`)
  }

  function placeFor(path: RelativePath) {
    return answering(path, () => findNewPlace(path))
  }

  async function findNewPlace(path: RelativePath): Promise<Result<NewPlace, 'InvalidPath'>> {
    const segments = path.split('/')
    if (segments.some(isReservedName)) return refuseReserved(path)
    if (isClosed?.(path)) return refuseClosed(path)
    let existing = ''
    for (let depth = 0; depth < segments.length - 1; depth++) {
      const segment = segments[depth]!
      const same = (await list(existing)).get(toDocPath(segment as RelativePath)) ?? []
      const match =
        same.find(entry => entry.kind === 'folder' && entry.name === segment) ??
        same.find(entry => entry.kind === 'folder')
      if (match === undefined) {
        const link = same.find(entry => entry.kind === 'link')
        if (link) {
          const child = existing === '' ? link.name : `${existing}/${link.name}`
          return refuseWithTarget(path, child, segments)
        }
        // a file in its place, in any spelling: no disk can create the folder
        const file = same.find(entry => entry.kind === 'file')
        if (file) segments[depth] = file.name
        break
      }
      segments[depth] = match.name
      existing = existing === '' ? match.name : `${existing}/${match.name}`
    }
    return ok({
      path: segments.join('/') as RelativePath,
      existing: existing as RelativePath | '',
    })
  }

  /** Names the path without the link: no list shows where a link leads. */
  async function refuseWithTarget(spelling: string, link: string, segments: readonly string[]) {
    const [folderPath, name] = splitPath(link)
    const folder = await openFolder(folderPath)
    const target = resolveLink(folderPath, await folder.readLink(name), rootPath)
    if (target === undefined || isClosed?.(target)) return refuseLink(spelling, link)
    const rest = segments.slice(link.split('/').length)
    return refuseLink(spelling, link, [target, ...rest].join('/'))
  }

  return { locate, placeFor, folder: openFolder, forget, adopt, close }
}

/** Turns a system error on the way into an answer about the path. */
async function answering<Value, Code extends string>(
  spelling: string,
  look: () => Promise<Result<Value, Code>>,
) {
  try {
    return await look()
  } catch (error) {
    if (!isErrno(error)) throw error
    if (error.code === 'ENOENT')
      return fail('NOT_FOUND', `Cannot find "${spelling}": the workspace has no such file.`)
    if (error.code === 'ENOTDIR' || error.code === 'ELOOP')
      return fail(
        'InvalidPath',
        `Cannot use "${spelling}": a folder on its path has since been replaced. Nothing was read or written.`,
      )
    return fail(
      'InvalidPath',
      `Cannot use "${spelling}": the system denies access (${error.code}). A person must allow it.`,
      { kind: 'denied', details: { errno: error.code } },
    )
  }
}

interface Found {
  readonly files: string[]
  readonly links: string[]
  readonly folders: string[]
  /** The listing shows that the last of `files` is neither a link nor a device. */
  isPlain: boolean
}

/** The target of a link, relative to the root; undefined when it is outside. */
function resolveLink(folder: string, target: string, rootPath?: string): string | undefined {
  const slashed = target.replaceAll('\\', '/')
  let relative = `${folder}/${slashed}`
  if (slashed.startsWith('/') || /^[a-z]:/i.test(slashed)) {
    const root = rootPath?.replaceAll('\\', '/').replace(/\/$/, '')
    if (root === undefined || !slashed.startsWith(`${root}/`)) return undefined
    relative = slashed.slice(root.length + 1)
  }
  const segments: string[] = []
  for (const segment of relative.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..' && segments.pop() === undefined) return undefined
    if (segment !== '..') segments.push(segment)
  }
  return segments.length === 0 ? undefined : segments.join('/')
}

function ignoreGone(error: unknown): undefined {
  if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
  throw error
}

function quote(path: string): string {
  return `"${path}"`
}
