import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Sha256 } from '@filewright/protocol'
import type { StateBlobs } from '../state/state-blobs.ts'
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
} from '../workspace/paths/folder.ts'
import type { StoredLines } from './stored-ports.ts'

/** One write to a file: text in its line, other bytes where bytes are. */
type Piece =
  | { readonly text: string; readonly sizeBytes: number }
  | { readonly sha256: Sha256; readonly sizeBytes: number }

interface File {
  readonly number: number
  readonly mode: number
  readonly mtimeMs: number
  readonly pieces: readonly Piece[]
}

type Line = { readonly begun: { readonly mode: number; readonly timeMs: number } } | Piece

const MOST_TEXT = 64 * 1024

/**
 * A folder of files in a store that other machines use too, without folders in it. It knows its files by heart, because
 * nobody else writes them; a file is a log with a line for each write. Renamed and removed files are so durably at once.
 */
export class StoredFolder implements Folder {
  readonly identity: string
  readonly #lines: StoredLines
  readonly #blobs: StateBlobs
  readonly #name: string
  readonly #files: Map<string, File>
  #writing: Promise<unknown> = Promise.resolve()
  #numbers = 0

  static async open(lines: StoredLines, blobs: StateBlobs, name: string): Promise<StoredFolder> {
    const folder = new StoredFolder(lines, blobs, name)
    for (const [file, texts] of await lines.readAll(name))
      for (const text of texts) folder.#fold(file, JSON.parse(text) as Line)
    return folder
  }

  private constructor(lines: StoredLines, blobs: StateBlobs, name: string) {
    this.identity = `${name}:0`
    this.#lines = lines
    this.#blobs = blobs
    this.#name = name
    this.#files = new Map()
  }

  async status(): Promise<NodeStatus> {
    const file = { number: 0, mode: 0o700, mtimeMs: 0, pieces: [] }
    return { ...this.#statusOf(file), kind: 'folder' }
  }

  async entries(): Promise<FolderEntry[]> {
    return [...this.#files.keys()].map(name => ({ name, kind: 'file' }))
  }

  async statusOf(name: string): Promise<NodeStatus | null> {
    const file = this.#files.get(name)
    return file ? this.#statusOf(file) : null
  }

  async factsOf(names: readonly string[]): Promise<(NodeFacts | null)[]> {
    return names.map(name => {
      const file = this.#files.get(name)
      if (!file) return null
      const { mtimeMs, number: inode } = file
      return {
        kind: 'file',
        sizeBytes: sizeOf(file),
        mtimeMs,
        ctimeMs: mtimeMs,
        device: 0,
        inode,
        links: 1,
      }
    })
  }

  async isWritable(): Promise<boolean> {
    return true
  }

  async readLink(name: string): Promise<string> {
    throw errno('EINVAL', name)
  }

  async openFolder(name: string): Promise<Folder> {
    this.#get(name)
    throw errno('ENOTDIR', name)
  }

  async openFile(name: string): Promise<OpenFile> {
    const file = this.#get(name)
    let whole: Uint8Array | undefined
    return {
      status: this.#statusOf(file),
      read: async (start, length) => {
        whole ??= await this.#bytesOf(file)
        return whole.slice(start, start + length)
      },
      close: () => {},
    }
  }

  async digest(name: string): Promise<Digest> {
    const file = this.#get(name)
    const bytes = await this.#bytesOf(file)
    const sha256 = createHash('sha256').update(bytes).digest('hex') as Sha256
    return { sha256, sizeBytes: bytes.length, status: this.#statusOf(file) }
  }

  async holds(name: string, pieces: readonly Uint8Array[]): Promise<boolean> {
    return Buffer.compare(await this.#bytesOf(this.#get(name)), Buffer.concat(pieces)) === 0
  }

  async createFile(name: string, { mode }: FileAttributes = { mode: 0o600 }): Promise<NewFile> {
    if (this.#files.has(name)) throw errno('EEXIST', name)
    this.#write(name, { begun: { mode, timeMs: Date.now() } })
    return this.#writer(name)
  }

  async appendFile(name: string): Promise<NewFile> {
    return this.#files.has(name) ? this.#writer(name) : this.createFile(name)
  }

  async link(): Promise<void> {
    throw errno('EPERM', 'a file has one name here')
  }

  async rename(name: string, to: Folder, toName: string): Promise<void> {
    const file = this.#get(name)
    if (to !== this) throw errno('EXDEV', toName)
    const replaced = this.#files.get(toName)
    await this.#lines.move(this.#logOf(name), this.#logOf(toName))
    this.#files.delete(name)
    this.#files.set(toName, file)
    if (replaced) await this.#forget(replaced)
  }

  async mayExchange(): Promise<boolean> {
    return false
  }

  async exchange(): Promise<void> {
    throw errno('EINVAL', 'two files do not change places here')
  }

  async clone(): Promise<boolean> {
    return false
  }

  async copyAttributes(): Promise<readonly string[]> {
    return []
  }

  async remove(name: string): Promise<void> {
    const file = this.#get(name)
    this.#files.delete(name)
    await this.#lines.remove(this.#logOf(name))
    await this.#forget(file)
  }

  async makeFolder(name: string): Promise<void> {
    throw errno('EPERM', `${name}: there are no folders here`)
  }

  async removeFolder(name: string): Promise<void> {
    throw errno('ENOTDIR', name)
  }

  async sync(): Promise<void> {
    await this.#writing
  }

  close(): void {}

  #logOf(name: string): string {
    return `${this.#name}/${name}`
  }

  #get(name: string): File {
    const file = this.#files.get(name)
    if (!file) throw errno('ENOENT', name)
    return file
  }

  #fold(name: string, line: Line): void {
    if ('begun' in line) {
      const { mode, timeMs: mtimeMs } = line.begun
      this.#files.set(name, { number: ++this.#numbers, mode, mtimeMs, pieces: [] })
      return
    }
    const file = this.#files.get(name)
    if (file) this.#files.set(name, { ...file, pieces: [...file.pieces, line] })
  }

  /** Known at once, and durable with the next `sync`. */
  #write(name: string, line: Line): void {
    this.#fold(name, line)
    const written = this.#lines.append(this.#logOf(name), JSON.stringify(line))
    this.#writing = Promise.all([this.#writing, written])
    this.#writing.catch(() => {}) // `sync` reports it
  }

  #writer(name: string): NewFile {
    return {
      write: async pieces => {
        const bytes = Buffer.concat(pieces)
        if (bytes.length > 0) this.#write(name, await this.#toPiece(bytes))
      },
      stamp: async () => {}, // nobody else writes here
      sync: () => this.sync(),
      status: () => this.#statusOf(this.#get(name)),
      close: () => {},
    }
  }

  async #toPiece(bytes: Buffer): Promise<Piece> {
    const sizeBytes = bytes.length
    if (sizeBytes <= MOST_TEXT && isUtf8(bytes)) return { text: bytes.toString('utf8'), sizeBytes }
    return { sha256: await this.#blobs.put(bytes), sizeBytes }
  }

  async #bytesOf({ pieces }: File): Promise<Uint8Array> {
    const all: Uint8Array[] = []
    for (const piece of pieces) {
      const bytes = 'text' in piece ? Buffer.from(piece.text) : await this.#blobs.get(piece.sha256)
      if (!bytes) throw errno('EIO', 'bytes of the state are lost')
      all.push(bytes)
    }
    return Buffer.concat(all)
  }

  async #forget({ pieces }: File): Promise<void> {
    const used = new Set([...this.#files.values()].flatMap(file => hashesOf(file.pieces)))
    for (const sha256 of hashesOf(pieces))
      if (!used.has(sha256)) await this.#blobs.remove(sha256, { unusedSince: Date.now() })
  }

  #statusOf(file: File): NodeStatus {
    const { number, mode, mtimeMs } = file
    return {
      kind: 'file',
      identity: `0:${number}`,
      sizeBytes: sizeOf(file),
      mode,
      uid: 0,
      gid: 0,
      links: 1,
      mtimeMs,
      ctimeMs: mtimeMs,
    }
  }
}

function sizeOf({ pieces }: Pick<File, 'pieces'>): number {
  return pieces.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
}

function hashesOf(pieces: readonly Piece[]): Sha256[] {
  return pieces.flatMap(piece => ('sha256' in piece ? piece.sha256 : []))
}
