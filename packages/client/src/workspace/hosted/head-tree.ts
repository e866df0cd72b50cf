import { type DocPath, type Sha256, toDocPath } from '@filewright/protocol'
import {
  type Digest,
  errno,
  type Folder,
  type FolderEntry,
  type NodeFacts,
  type NodeStatus,
  type OpenFile,
} from '../paths/folder.ts'
import { splitPath } from '../paths/split-path.ts'
import type { NewHead, StoredFile, StoredFiles } from './hosted-files.ts'

interface FileNode {
  readonly kind: 'file'
  readonly number: number
  readonly sha256: Sha256
  readonly sizeBytes: number
  readonly mtimeMs: number
}

interface FolderNode {
  readonly kind: 'folder'
  readonly number: number
  readonly entries: Map<string, FileNode | FolderNode>
  /** Counts up whenever a name in it changes. */
  changed: number
}

type Reading = Pick<StoredFiles, 'read'>

const HELD_BYTES = 4 * 1024 * 1024 // a larger file is read in the parts that are asked for

/**
 * The tree that the heads of a workspace make. A folder is there as long as a file is in it. It is only read here:
 * files move by whole change sets.
 */
export class HeadTree {
  readonly #root: FolderNode
  readonly #files: Reading
  readonly #paths = new Map<DocPath, string>()
  #numbers = 0

  constructor(heads: readonly StoredFile[], files: Reading) {
    this.#files = files
    this.#root = this.#newFolder()
    for (const head of heads) this.#put(head)
  }

  openRoot(): Folder {
    return new HeadFolder(this.#root, this.#files)
  }

  move(heads: readonly NewHead[]): void {
    for (const { docPath } of heads) this.#drop(docPath)
    for (const { path, sha256, sizeBytes, time } of heads)
      if (sha256 !== null) this.#put({ path, sha256, sizeBytes, time })
  }

  #put({ path, sha256, sizeBytes, time }: StoredFile): void {
    const [folderPath, name] = splitPath(path)
    let folder = this.#root
    for (const segment of folderPath === '' ? [] : folderPath.split('/')) {
      const found = folder.entries.get(segment)
      const next = found?.kind === 'folder' ? found : this.#newFolder()
      if (next !== found) this.#set(folder, segment, next)
      folder = next
    }
    const number = ++this.#numbers
    this.#set(folder, name, { kind: 'file', number, sha256, sizeBytes, mtimeMs: Date.parse(time) })
    this.#paths.set(toDocPath(path), path)
  }

  #set(folder: FolderNode, name: string, node: FileNode | FolderNode): void {
    folder.entries.set(name, node)
    folder.changed = ++this.#numbers
  }

  /** And the folders that it leaves empty. */
  #drop(docPath: DocPath): void {
    const path = this.#paths.get(docPath)
    if (path === undefined) return
    this.#paths.delete(docPath)
    const way: [FolderNode, string][] = []
    let folder = this.#root
    for (const segment of path.split('/')) {
      way.push([folder, segment])
      const next = folder.entries.get(segment)
      if (next?.kind === 'folder') folder = next
    }
    for (const [parent, name] of way.reverse()) {
      const node = parent.entries.get(name)
      if (node?.kind === 'folder' && node.entries.size > 0) return
      parent.entries.delete(name)
      parent.changed = ++this.#numbers
    }
  }

  #newFolder(): FolderNode {
    const number = ++this.#numbers
    return { kind: 'folder', number, entries: new Map(), changed: number }
  }
}

class HeadFolder implements Folder {
  readonly identity: string
  readonly #node: FolderNode
  readonly #files: Reading

  constructor(node: FolderNode, files: Reading) {
    this.identity = identityOf(node)
    this.#node = node
    this.#files = files
  }

  async status(): Promise<NodeStatus> {
    return toStatus(this.#node)
  }

  async entries(): Promise<FolderEntry[]> {
    return [...this.#node.entries].map(([name, { kind }]) => ({ name, kind }))
  }

  async statusOf(name: string): Promise<NodeStatus | null> {
    const node = this.#node.entries.get(name)
    return node ? toStatus(node) : null
  }

  async factsOf(names: readonly string[]): Promise<(NodeFacts | null)[]> {
    return names.map(name => {
      const node = this.#node.entries.get(name)
      if (!node) return null
      const { kind, sizeBytes, mtimeMs, ctimeMs, links } = toStatus(node)
      return { kind, sizeBytes, mtimeMs, ctimeMs, device: 0, inode: node.number, links }
    })
  }

  async isWritable(): Promise<boolean> {
    return true
  }

  async readLink(name: string): Promise<string> {
    throw errno('EINVAL', name)
  }

  async openFolder(name: string): Promise<Folder> {
    const node = this.#node.entries.get(name)
    if (!node) throw errno('ENOENT', name)
    if (node.kind !== 'folder') throw errno('ENOTDIR', name)
    return new HeadFolder(node, this.#files)
  }

  async openFile(name: string): Promise<OpenFile> {
    const node = this.#getFile(name)
    return openVersion(node.sha256, toStatus(node), this.#files)
  }

  /** Bytes are kept by their hash, which is checked when they are read. */
  async digest(name: string): Promise<Digest> {
    const node = this.#getFile(name)
    return { sha256: node.sha256, sizeBytes: node.sizeBytes, status: toStatus(node) }
  }

  async holds(name: string, pieces: readonly Uint8Array[]): Promise<boolean> {
    const file = await this.openFile(name)
    const bytes = await file.read(0, file.status.sizeBytes)
    return Buffer.compare(bytes, Buffer.concat(pieces)) === 0
  }

  async mayExchange(): Promise<boolean> {
    return false
  }

  async clone(): Promise<boolean> {
    return false
  }

  async copyAttributes(): Promise<readonly string[]> {
    return []
  }

  async sync(): Promise<void> {}

  close(): void {}

  createFile = refuse
  appendFile = refuse
  link = refuse
  rename = refuse
  exchange = refuse
  remove = refuse
  makeFolder = refuse
  removeFolder = refuse

  #getFile(name: string): FileNode {
    const node = this.#node.entries.get(name)
    if (!node) throw errno('ENOENT', name)
    if (node.kind === 'folder') throw errno('EISDIR', name)
    return node
  }
}

async function refuse(): Promise<never> {
  throw errno('EROFS', 'files move by whole change sets here')
}

/** `EIO` when its bytes are lost. */
export function openVersion(sha256: Sha256, status: NodeStatus, { read }: Reading): OpenFile {
  let whole: Promise<Uint8Array | undefined> | undefined
  return {
    status,
    async read(start, length, allocate) {
      const end = Math.min(start + length, status.sizeBytes)
      if (end <= start) return new Uint8Array(0)
      const isHeld = status.sizeBytes <= HELD_BYTES
      if (isHeld) whole ??= read(sha256)
      const found = await (isHeld ? whole : read(sha256, { start, end }))
      if (!found) throw errno('EIO', 'the bytes of the file are lost')
      const part = isHeld ? found.subarray(start, end) : found
      const bytes = allocate?.(part.length) ?? new Uint8Array(part.length)
      bytes.set(part)
      return bytes
    },
    close: () => {},
  }
}

export function fileStatus(sizeBytes: number, number = 0, mtimeMs = 0): NodeStatus {
  return {
    kind: 'file',
    identity: `0:${number}`,
    sizeBytes,
    mode: 0o644,
    uid: 0,
    gid: 0,
    links: 1,
    mtimeMs,
    ctimeMs: mtimeMs,
  }
}

function toStatus(node: FileNode | FolderNode): NodeStatus {
  if (node.kind === 'file') return fileStatus(node.sizeBytes, node.number, node.mtimeMs)
  const times = { mtimeMs: node.changed, ctimeMs: node.changed }
  return { ...fileStatus(0, node.number), kind: 'folder', mode: 0o755, ...times }
}

function identityOf({ number }: FolderNode): string {
  return `0:${number}`
}
