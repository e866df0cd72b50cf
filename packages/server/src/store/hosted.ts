import type {
  BlobRef,
  ChangeSetId,
  RelativePath,
  Result,
  Sha256,
  WorkspaceId,
} from '@filewright/protocol'
import type { Blobs, ByteRange, Pieces } from './blobs.ts'
import type { Head, HeadMove } from './sources.ts'

/**
 * Workspaces whose files and state are in the shared stores alone, so that any instance can be their home. One instance
 * at a time is, and runs their client; whatever it writes is checked against its epoch.
 */
export interface Hosted {
  add(workspace: HostedWorkspace): Promise<void>
  find(workspaceId: string): Promise<HostedWorkspace | undefined>
  rename(workspaceId: WorkspaceId, name: string): Promise<void>
  /** Its files, versions, sessions and state are gone, and whoever is its home writes nothing more. */
  remove(workspaceId: WorkspaceId): Promise<void>
  /** Makes this instance its home. Undefined: another one that is up is, or there is no such workspace. */
  claim(workspaceId: WorkspaceId): Promise<HostedHold | undefined>
  /** Those whose home this instance is, with their epochs. */
  held(): Promise<ReadonlyMap<WorkspaceId, number>>
  /** Those without a home where a run is under way. */
  abandoned(): Promise<readonly WorkspaceId[]>
}

export interface HostedWorkspace {
  readonly workspaceId: WorkspaceId
  /** By which its client attaches. */
  readonly key: string
  readonly name: string
}

/** What the home of a hosted workspace reads and writes. Each write throws `HomeLost` once another home has it. */
export interface HostedHold {
  readonly epoch: number
  readonly lines: StateLines
  /** Bytes that the lines of a shelf name: each shelf knows its own. */
  blobs(shelf: string): StateBytes
  readonly files: HostedFiles
  /** The next home need not wait. */
  release(): Promise<void>
}

/** Logs of text by name. What is written before is durable before. */
export interface StateLines {
  /** A write failed, so nobody knows what is there: nothing more is written until the workspace is claimed again. */
  readonly isBroken: boolean
  append(log: string, body: string): Promise<void>
  read(log: string): Promise<readonly string[]>
  /** Every log of a folder, by its name in it. */
  readAll(folder: string): Promise<ReadonlyMap<string, readonly string[]>>
  replace(log: string, bodies: readonly string[]): Promise<void>
  list(folder: string): Promise<readonly string[]>
  /** Replaces the other log. */
  move(from: string, to: string): Promise<void>
  /** And those below it. */
  remove(log: string): Promise<void>
}

export interface StateBytes {
  put(bytes: Uint8Array): Promise<Sha256>
  get(sha256: Sha256): Promise<Uint8Array | undefined>
  sizeOf(sha256: Sha256): Promise<number | null>
  list(): Promise<readonly BlobRef[]>
  /** False if it was put again since that moment (ms since 1970). */
  remove(sha256: Sha256, options: { readonly unusedSince: number }): Promise<boolean>
}

/** The heads of the workspace, and the bytes of its versions. */
export interface HostedFiles {
  list(): Promise<readonly HostedFile[]>
  /** Undefined: no version of this workspace has these bytes, or they are lost. */
  read(sha256: Sha256, range?: ByteRange): Promise<Uint8Array | undefined>
  sizeOf(sha256: Sha256): Promise<number | undefined>
  put(pieces: Pieces): ReturnType<Blobs['put']>
  /** All heads or none, by one compare-and-swap. A change set that is in already changes nothing and succeeds. */
  move(
    changeSetId: ChangeSetId,
    moves: readonly HeadMove[],
  ): Promise<Result<readonly Head[], 'CONFLICT' | 'NOT_FOUND'>>
  /** What a change set wrote; undefined: it did not happen. */
  moved(changeSetId: ChangeSetId): Promise<readonly Head[] | undefined>
}

export interface HostedFile {
  readonly path: RelativePath
  readonly sha256: Sha256
  readonly sizeBytes: number
  /** ISO 8601. */
  readonly time: string
}

/** Another instance is the home of the workspace now, or it was removed: nothing was written. */
export class HomeLost extends Error {
  constructor(workspaceId: WorkspaceId) {
    super(
      `This instance is no longer the home of the workspace ${workspaceId}: nothing was written`,
    )
  }
}
