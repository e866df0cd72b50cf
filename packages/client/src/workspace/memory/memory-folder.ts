import { createHash } from 'node:crypto'
import type { Sha256 } from '@filewright/protocol'
import {
  type Digest,
  errno,
  type FileAttributes,
  type Folder,
  type FolderEntry,
  type NewFile,
  type NodeFacts,
  type NodeStatus,
  type OpenFile,
} from '../paths/folder.ts'

/** One file, folder or link of a disk in memory. */
export interface MemoryNode {
  readonly inode: number
  readonly kind: 'file' | 'folder' | 'link'
  bytes: Uint8Array
  readonly entries: Map<string, MemoryNode>
  readonly target: string
  readonly mode: number
  mtimeMs: number
  ctimeMs: number
}

/** Every step that changes the disk, before it happens. A watcher that throws prevents it. */
export type DiskStep =
  | { readonly do: 'add'; folder: MemoryNode; name: string; node: MemoryNode }
  | { readonly do: 'drop'; folder: MemoryNode; name: string; node: MemoryNode }
  | {
      readonly do: 'move'
      folder: MemoryNode
      name: string
      to: MemoryNode
      toName: string
      node: MemoryNode
    }
  | {
      readonly do: 'exchange'
      folder: MemoryNode
      name: string
      to: MemoryNode
      toName: string
      node: MemoryNode
      other: MemoryNode
    }
  | { readonly do: 'write'; node: MemoryNode; bytes: Uint8Array }
  | { readonly do: 'sync-file'; node: MemoryNode }
  | { readonly do: 'sync-folder'; folder: MemoryNode }

export interface MemoryDiskOptions {
  /** `Src` and `src` are one name, as on most Macs and Windows machines. */
  readonly ignoreCase?: boolean
  /** False as on exFAT: a file has one name. */
  readonly hardLinks?: boolean
  /** False as on NFS: two files cannot change places in one step. */
  readonly exchange?: boolean
  /** As Btrfs: a copy of a file takes no time and no room. */
  readonly clones?: boolean
  /** As some network disks do: after a restart a file may have another number. */
  readonly renumbers?: boolean
}

/** A disk in memory with the steps and answers of a real one. */
export class MemoryDisk {
  readonly root: MemoryNode
  readonly options: MemoryDiskOptions
  /** Called with every step before it happens; see `recording.ts`. */
  beforeStep?: (step: DiskStep) => void
  #inodes = 0
  #clock = 0

  constructor(options: MemoryDiskOptions = {}) {
    this.options = options
    this.root = this.newNode('folder')
  }

  openRoot(): Folder {
    return new MemoryFolder(this, this.root)
  }

  /** For tests and set-up: creates missing folders on the way. */
  writeFile(path: string, bytes: Uint8Array): MemoryNode {
    const node = this.newNode('file', { bytes: bytes.slice() })
    this.#put(path, node)
    return node
  }

  makeFolders(path: string): MemoryNode {
    let folder = this.root
    for (const name of path.split('/').filter(segment => segment !== '')) {
      const next = this.find(folder, name) ?? this.newNode('folder')
      folder.entries.set(this.keyOf(folder, name), next)
      folder = next
    }
    return folder
  }

  makeLink(path: string, target: string): void {
    this.#put(path, this.newNode('link', { target }))
  }

  /** Every file by its path. */
  files(): Map<string, Uint8Array> {
    const files = new Map<string, Uint8Array>()
    const visit = (folder: MemoryNode, prefix: string) => {
      for (const [name, node] of folder.entries)
        if (node.kind === 'folder') visit(node, `${prefix}${name}/`)
        else if (node.kind === 'file') files.set(prefix + name, node.bytes)
    }
    visit(this.root, '')
    return files
  }

  folders(): string[] {
    const paths: string[] = []
    const visit = (folder: MemoryNode, prefix: string) => {
      for (const [name, node] of folder.entries) {
        if (node.kind !== 'folder') continue
        paths.push(prefix + name)
        visit(node, `${prefix}${name}/`)
      }
    }
    visit(this.root, '')
    return paths.sort()
  }

  newNode(kind: MemoryNode['kind'], given: Partial<MemoryNode> = {}): MemoryNode {
    const time = this.tick()
    const inode = given.inode ?? this.#inodes + 1
    this.#inodes = Math.max(this.#inodes, inode)
    return {
      inode,
      kind,
      bytes: given.bytes ?? new Uint8Array(),
      entries: given.entries ?? new Map(),
      target: given.target ?? '',
      mode: given.mode ?? (kind === 'folder' ? 0o755 : 0o644),
      mtimeMs: time,
      ctimeMs: time,
    }
  }

  /** No two steps share a time, so that times show every change. */
  tick(): number {
    return ++this.#clock
  }

  find(folder: MemoryNode, name: string): MemoryNode | undefined {
    return folder.entries.get(this.keyOf(folder, name))
  }

  /** The existing spelling, on a disk that treats it as the same name. */
  keyOf(folder: MemoryNode, name: string): string {
    if (!this.options.ignoreCase || folder.entries.has(name)) return name
    const lower = name.toLowerCase()
    for (const key of folder.entries.keys()) if (key.toLowerCase() === lower) return key
    return name
  }

  #put(path: string, node: MemoryNode): void {
    const slash = path.lastIndexOf('/')
    const folder = this.makeFolders(slash < 0 ? '' : path.slice(0, slash))
    const name = path.slice(slash + 1)
    folder.entries.set(this.keyOf(folder, name), node)
    folder.mtimeMs = folder.ctimeMs = this.tick()
  }
}

class MemoryFolder implements Folder {
  readonly identity: string
  readonly #disk: MemoryDisk
  readonly #node: MemoryNode

  constructor(disk: MemoryDisk, node: MemoryNode) {
    this.#disk = disk
    this.#node = node
    this.identity = identityOf(node)
  }

  async status(): Promise<NodeStatus> {
    return this.#statusOf(this.#node)
  }

  async entries(): Promise<FolderEntry[]> {
    return [...this.#node.entries].map(([name, node]) => ({ name, kind: node.kind }))
  }

  async statusOf(name: string): Promise<NodeStatus | null> {
    const node = this.#disk.find(this.#node, name)
    return node ? this.#statusOf(node) : null
  }

  async factsOf(names: readonly string[]): Promise<(NodeFacts | null)[]> {
    const statuses = await Promise.all(names.map(name => this.statusOf(name)))
    return statuses.map(status => {
      if (!status) return null
      const { kind, sizeBytes, mtimeMs, ctimeMs, links } = status
      const [device = 0, inode = 0] = status.identity.split(':').map(Number)
      return { kind, sizeBytes, mtimeMs, ctimeMs, device, inode, links }
    })
  }

  async isWritable(_name: string, { mode }: NodeStatus): Promise<boolean> {
    return (mode & 0o200) !== 0
  }

  async readLink(name: string): Promise<string> {
    const node = this.#get(name)
    if (node.kind !== 'link') throw errno('EINVAL', name)
    return node.target
  }

  async openFolder(name: string): Promise<Folder> {
    const node = this.#get(name)
    if (node.kind !== 'folder') throw errno('ENOTDIR', name)
    return new MemoryFolder(this.#disk, node)
  }

  async openFile(name: string): Promise<OpenFile> {
    const node = this.#getFile(name)
    return {
      status: this.#statusOf(node),
      read: async (start, length) => node.bytes.slice(start, start + length),
      close: () => {},
    }
  }

  async digest(name: string): Promise<Digest> {
    const node = this.#getFile(name)
    const sha256 = createHash('sha256').update(node.bytes).digest('hex') as Sha256
    return { sha256, sizeBytes: node.bytes.length, status: this.#statusOf(node) }
  }

  async holds(name: string, pieces: readonly Uint8Array[]): Promise<boolean> {
    return Buffer.compare(this.#getFile(name).bytes, Buffer.concat(pieces)) === 0
  }

  async createFile(name: string, attributes?: FileAttributes): Promise<NewFile> {
    if (this.#disk.find(this.#node, name)) throw errno('EEXIST', name)
    const mode = attributes?.mode ?? 0o644
    const node = this.#disk.newNode('file', { mode })
    this.#add(name, node)
    return this.#writer(node)
  }

  async appendFile(name: string): Promise<NewFile> {
    const found = this.#disk.find(this.#node, name)
    if (found) return this.#writer(found)
    const node = this.#disk.newNode('file', { mode: 0o600 })
    this.#add(name, node)
    return this.#writer(node)
  }

  async link(name: string, to: Folder, toName: string): Promise<void> {
    const node = this.#get(name)
    const target = asMemory(to)
    if (this.#disk.options.hardLinks === false) throw errno('EPERM', 'no hard links here')
    if (target.#disk !== this.#disk) throw errno('EXDEV', toName)
    if (this.#disk.find(target.#node, toName)) throw errno('EEXIST', toName)
    target.#add(toName, node)
    node.ctimeMs = this.#disk.tick()
  }

  async rename(name: string, to: Folder, toName: string): Promise<void> {
    const node = this.#get(name)
    const target = asMemory(to)
    if (target.#disk !== this.#disk) throw errno('EXDEV', toName)
    const step = { folder: this.#node, name, to: target.#node, toName, node }
    this.#disk.beforeStep?.({ do: 'move', ...step })
    this.#node.entries.delete(this.#disk.keyOf(this.#node, name))
    target.#node.entries.delete(this.#disk.keyOf(target.#node, toName))
    target.#node.entries.set(toName, node)
    this.#touch()
    target.#touch()
    node.ctimeMs = this.#disk.tick()
  }

  async mayExchange(): Promise<boolean> {
    return true // a disk refuses it only when it is asked
  }

  async exchange(name: string, to: Folder, toName: string): Promise<void> {
    const target = asMemory(to)
    if (this.#disk.options.exchange === false) throw errno('EINVAL', 'no exchange here')
    if (target.#disk !== this.#disk) throw errno('EXDEV', toName)
    const [node, other] = [this.#get(name), target.#get(toName)]
    const step = { folder: this.#node, name, to: target.#node, toName, node, other }
    this.#disk.beforeStep?.({ do: 'exchange', ...step })
    this.#node.entries.set(this.#disk.keyOf(this.#node, name), other)
    target.#node.entries.set(this.#disk.keyOf(target.#node, toName), node)
    this.#touch()
    target.#touch()
    node.ctimeMs = other.ctimeMs = this.#disk.tick()
  }

  async clone(name: string, to: Folder, toName: string): Promise<boolean> {
    const target = asMemory(to)
    if (!this.#disk.options.clones || target.#disk !== this.#disk) return false
    const { bytes } = this.#getFile(name)
    const copy = await target.createFile(toName)
    await copy.write([bytes])
    return true
  }

  async copyAttributes(): Promise<readonly string[]> {
    return []
  }

  async remove(name: string): Promise<void> {
    const node = this.#get(name)
    if (node.kind === 'folder') throw errno('EISDIR', name)
    this.#drop(name, node)
  }

  async makeFolder(name: string): Promise<void> {
    if (this.#disk.find(this.#node, name)) throw errno('EEXIST', name)
    this.#add(name, this.#disk.newNode('folder'))
  }

  async removeFolder(name: string): Promise<void> {
    const node = this.#get(name)
    if (node.kind !== 'folder') throw errno('ENOTDIR', name)
    if (node.entries.size > 0) throw errno('ENOTEMPTY', name)
    this.#drop(name, node)
  }

  async sync(): Promise<void> {
    this.#disk.beforeStep?.({ do: 'sync-folder', folder: this.#node })
  }

  close(): void {}

  #get(name: string): MemoryNode {
    const node = this.#disk.find(this.#node, name)
    if (!node) throw errno('ENOENT', name)
    return node
  }

  #getFile(name: string): MemoryNode {
    const node = this.#get(name)
    if (node.kind === 'link') throw errno('ELOOP', name)
    if (node.kind === 'folder') throw errno('EISDIR', name)
    return node
  }

  #add(name: string, node: MemoryNode): void {
    this.#disk.beforeStep?.({ do: 'add', folder: this.#node, name, node })
    this.#node.entries.set(name, node)
    this.#touch()
  }

  #drop(name: string, node: MemoryNode): void {
    this.#disk.beforeStep?.({ do: 'drop', folder: this.#node, name, node })
    this.#node.entries.delete(this.#disk.keyOf(this.#node, name))
    this.#touch()
  }

  #touch(): void {
    this.#node.mtimeMs = this.#node.ctimeMs = this.#disk.tick()
  }

  #writer(node: MemoryNode): NewFile {
    return {
      write: async pieces => {
        const bytes = Buffer.concat(pieces)
        this.#disk.beforeStep?.({ do: 'write', node, bytes })
        const joined = new Uint8Array(node.bytes.length + bytes.length)
        joined.set(node.bytes)
        joined.set(bytes, node.bytes.length)
        node.bytes = joined
        node.mtimeMs = node.ctimeMs = this.#disk.tick()
      },
      stamp: async () => {}, // no two steps share a time here
      sync: async () => this.#disk.beforeStep?.({ do: 'sync-file', node }),
      status: () => this.#statusOf(node),
      close: () => {},
    }
  }

  #statusOf(node: MemoryNode): NodeStatus {
    return {
      kind: node.kind,
      identity: identityOf(node),
      sizeBytes: node.bytes.length,
      mode: node.mode,
      uid: 0,
      gid: 0,
      links: 1,
      mtimeMs: node.mtimeMs,
      ctimeMs: node.ctimeMs,
    }
  }
}

function asMemory(folder: Folder): MemoryFolder {
  if (folder instanceof MemoryFolder) return folder
  throw errno('EXDEV', 'the other folder is on another kind of disk')
}

function identityOf(node: MemoryNode): string {
  return `0:${node.inode}` // device and number, as a disk has them
}
