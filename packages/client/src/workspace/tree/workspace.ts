import type {
  BlobRef,
  ChangeSetId,
  DocPath,
  Failure,
  RelativePath,
  Result,
  Sha256,
} from '@filewright/protocol'
import type { OpenFile } from '../paths/folder.ts'
import type { LocateCode, Tree } from '../paths/local-path.ts'

/**
 * The tree of files that a person opened. Everything except `apply.ts` only reads, and nothing outside the root is
 * reached, not even by reading. Any spelling of a path finds the file; answers carry the key and the spelling on disk.
 */
export interface Workspace {
  /** Its folder, for messages to a person; never used to open a file. */
  readonly name: string
  /**
   * Every file that is not ignored, folder by folder in the order of their names. Ends with a `question` when a person
   * must first allow the scan (CONTRACT §2) and `allowLarge` is not given.
   */
  list(options?: ListOptions): AsyncIterable<Entry>
  /**
   * The same a folder at a time, in no order, without sizes, times and hashes: much cheaper where little has changed.
   * Undefined: only `list` can tell.
   */
  listNames(options?: ListOptions): AsyncIterable<readonly Entry[] | undefined>
  /** What `listNames` leaves out, of files that are still there. */
  look(paths: readonly RelativePath[]): Promise<ReadonlyMap<RelativePath, SeenFacts>>
  /** Finds the file that any spelling means. */
  locate(path: AnyPath): Promise<Result<Located, LocateCode | 'WORKSPACE_GONE'>>
  /** The spelling of a new file at this path: existing folders keep theirs. */
  placeFor(
    path: RelativePath,
  ): Promise<Result<RelativePath, 'InvalidPath' | 'NOT_FOUND' | 'WORKSPACE_GONE'>>
  /** The whole file with its hash, or a part of it without one. */
  /** Says how files are replaced on this disk, after trying it; absent where there is no disk. */
  probeExchange?(): Promise<string>
  read(path: AnyPath, options?: FileReadOptions): Promise<Result<ReadFile, ReadCode>>
  /** For files too large to hold; the caller closes it. */
  open(path: AnyPath, options?: OpenOptions): Promise<Result<OpenedFile, ReadCode>>
  /** Always of the current bytes on disk: guards compare it. Key files are hashed like any other. */
  hash(path: AnyPath): Promise<Result<HashedFile, ReadCode>>
  /** Ignored by lists, watching and search; still read and written by its exact name. */
  isIgnored(path: AnyPath): Promise<boolean>
  /** A key file: listed, but read only when a person allowed it. */
  isPrivate(path: AnyPath): boolean
  /** Set where a small file can be read without waiting: Linux. */
  readonly readAtOnce?: ReadAtOnce
  /** Set where the system reports changes: a disk. */
  watch?(options: WatchOptions): Promise<Watching>
  /** Open folders for `apply.ts`, the only place that writes. */
  openTree(): Promise<Tree>
  /** Set where the files are in a store: `apply.ts` writes by it, and the open folders are only read. */
  readonly atOnce?: WritesAtOnce
}

/** Where a whole change set becomes the state of the files in one step, all or none, and old versions stay. */
export interface WritesAtOnce {
  /** Null: no version has these bytes. */
  open(sha256: Sha256): Promise<OpenFile | null>
  sizeOf(sha256: Sha256): Promise<number | undefined>
  /** Durable on return. */
  put(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<BlobRef>
  /**
   * The bytes were put before. CONFLICT: nothing was written, and `details.moved` names the files that are not as
   * expected. A change set that is in already changes nothing and succeeds.
   */
  move(
    changeSetId: ChangeSetId,
    moves: readonly MovedFile[],
  ): Promise<Result<void, 'CONFLICT' | 'NOT_FOUND'>>
  /** What a change set wrote; undefined: it did not happen. */
  moved(
    changeSetId: ChangeSetId,
  ): Promise<readonly Pick<MovedFile, 'docPath' | 'sizeBytes'>[] | undefined>
}

export interface MovedFile {
  readonly docPath: DocPath
  readonly path: RelativePath
  /** Null: it must not exist. */
  readonly expected: Sha256 | null
  /** Null deletes. */
  readonly sha256: Sha256 | null
  readonly sizeBytes: number
}

/**
 * The file with its hash, both of the current bytes, in one step; undefined when `read` has to answer. A caller that
 * holds bytes of that hash hands them over, which saves a copy.
 */
export type ReadAtOnce = (
  docPath: DocPath,
  holding: (sha256: Sha256) => Uint8Array | undefined,
) => ReadNow | undefined

export interface ReadNow {
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly sha256: Sha256
  readonly bytes: Uint8Array
}

export interface WatchOptions {
  /** Not called again before it is done. */
  readonly onChange: (changed: ChangedFiles) => void | Promise<void>
  readonly onError: (error: unknown) => void
}

export interface ChangedFiles {
  readonly docPaths: readonly DocPath[]
  /** Too many to name. */
  readonly isAll: boolean
}

export interface Watching {
  close(): Promise<void>
}

/** As a person or model typed it, or as a result carried it. */
export type AnyPath = string | DocPath | RelativePath

export type ReadCode =
  | LocateCode
  | 'WORKSPACE_GONE'
  | 'PRIVATE_FILE'
  | 'LOCKED'
  | 'DENIED'
  | 'TOO_LARGE'

export interface ListOptions {
  /** `omit` leaves out ignored paths (workspace toolset); `fold` gives an ignored folder as one entry with a count. */
  readonly ignored?: 'omit' | 'fold'
  /** A person said yes to scanning a home folder, a disk's root or a very large tree. */
  readonly allowLarge?: boolean
}

export type Entry = TreeFileEntry | IgnoredFolderEntry | UnusableEntry | ScanQuestion | GoneRoot

export interface TreeFileEntry {
  readonly kind: 'file'
  readonly docPath: DocPath
  /** The spelling on disk. */
  readonly path: RelativePath
  readonly sizeBytes: number
  readonly mtimeMs: number
  /** From the cache of hashes; null: never hashed. A listing's hash guards nothing. */
  readonly sha256: Sha256 | null
  readonly isPrivate: boolean
  /** Only in lists that fold: a single ignored file. */
  readonly isIgnored: boolean
  /** Its folder has more ignore rules than are matched: it is listed, and not searched or indexed. */
  readonly isWithheld?: true
  /** Other files that fold to this docPath; reading or writing any of them is refused. */
  readonly collidesWith?: readonly RelativePath[]
  /** The file is a link; this is its target, inside the workspace. */
  readonly linkTo?: RelativePath
}

export type SeenFacts = Pick<TreeFileEntry, 'sizeBytes' | 'mtimeMs' | 'sha256' | 'isPrivate'>

export interface IgnoredFolderEntry {
  readonly kind: 'ignored-folder'
  readonly docPath: DocPath
  readonly path: RelativePath
  readonly fileCount: number
  /** Counting stopped; there are more. */
  readonly isMore: boolean
}

/** It exists, but no tool can use it: a link that leads out, a name no docPath can spell, a device. */
export interface UnusableEntry {
  readonly kind: 'unusable'
  readonly path: string
  readonly reason: string
}

/** The scan stopped: ask a person, then continue with `allowLarge`. */
export interface ScanQuestion {
  readonly kind: 'question'
  readonly reason: 'home-folder' | 'disk-root' | 'many-files'
  readonly message: string
}

/** How a person answers this question; part of its message. */
export const SAY_YES =
  'a person must allow scanning all of it. Start Filewright with --allow-large to allow it once, allow it for good with "filewright rules add --effect scan"'

/** The workspace's own folder was deleted or moved, or replaced by a link. */
export interface GoneRoot {
  readonly kind: 'gone'
  readonly failure: Failure<'WORKSPACE_GONE'>
}

export interface Located {
  readonly docPath: DocPath
  /** The spelling on disk; for a link, that of the link. */
  readonly path: RelativePath
  /** The real path of the bytes: differs from `path` for a link. */
  readonly realPath: RelativePath
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly mode: number
  readonly isPrivate: boolean
}

export interface OpenOptions {
  /** A person allowed this key file. */
  readonly allowPrivate?: boolean
}

export interface FileReadOptions extends OpenOptions {
  /** A larger file is TOO_LARGE: the caller streams it. Default: LIMITS.blobBytes. */
  readonly most?: number
  /** Bytes [start, end). */
  readonly start?: number
  readonly end?: number
}

export interface ReadFile extends Located {
  readonly bytes: Uint8Array
  /** Null when only a part was read. */
  readonly sha256: Sha256 | null
}

export interface OpenedFile extends Located {
  readonly file: OpenFile
}

export interface HashedFile extends Located {
  readonly sha256: Sha256
}
